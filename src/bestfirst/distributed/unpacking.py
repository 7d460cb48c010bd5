"""What does the jobs of a worker, made from the charge: with the same code and data as the driver has."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import gettempdir

from bestfirst.compiled.drivers.checkpoint import fingerprint
from bestfirst.distributed.charge import PartitionsCharge, SearchCharge
from bestfirst.distributed.crew import Work
from bestfirst.distributed.part_search import PartSearch
from bestfirst.distributed.partition_work import partition_work
from bestfirst.errors import InputError
from bestfirst.resumable_search import Search
from bestfirst.search_plan import using


def unpacked(content: bytes) -> Work:
    """What a charge describes. One process of a machine at a time compiles; the others then find the code.

    Raises InputError if it is not what the driver has.
    """
    try:
        charge: SearchCharge | PartitionsCharge = pickle.loads(content)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"a worker cannot load the problem ({error}); install its module on all machines, or set PYTHONPATH there before the "
            "cluster is started"
        ) from None
    with _one_at_a_time():
        return partition_work(charge) if isinstance(charge, PartitionsCharge) else _search(charge)


def _search(charge: SearchCharge) -> PartSearch:
    with using(charge.databases):
        attempt = Search(charge.problem, "idastar", charge.heuristic, engine="compiled", **charge.options)._stages.attempt
        domain = attempt.domain
        if domain is None or fingerprint(domain, attempt.offered_heuristic()) != charge.fingerprint:
            raise charge.differs()
        search = PartSearch(domain, attempt.offered_heuristic(), problem=charge.problem, **charge.options)
        search.use_fastest_kernel()
    return search


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Wait until no other worker of this user on this machine is in this block, if the system has locks."""
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        yield
        return
    path = os.path.join(gettempdir(), f"bestfirst-workers-{os.getuid()}.lock")  # noqa: PTH118
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
