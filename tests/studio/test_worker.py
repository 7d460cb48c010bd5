"""The process of a job: a stop is answered at whatever moment it comes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from math import inf
from threading import Thread
from time import sleep
from typing import Any

import pytest

from bestfirst.studio import worker
from bestfirst.studio.jobs import Jobs
from bestfirst.studio.protocol import END, SPENT

LOOK = {"work": "look", "problem": "pancake", "instance": "2 1"}


def test_a_stop_before_the_work_has_begun_leaves_the_process_as_it_is() -> None:
    """While it imports its modules; the next request is done."""
    command = [sys.executable, "-m", "bestfirst.studio.worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for message in (LOOK, {"action": "stop"}):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
        assert [process.stdout.readline() for _ in range(2)] == [b'{"error": "stopped"}\n', END]
        for message in ({"action": "stop"}, LOOK):  # the stop of a request that has ended already
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        assert b"heuristics" in process.stdout.readline()
        assert process.stdout.readline() == END
        process.stdin.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("error", [None, ImportError("half a module")])
def test_what_a_stop_interrupts_is_stopped_whatever_it_says(
    error: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is not used again, since an import may have been interrupted."""

    def work(_request: object, _tell: object) -> None:
        for _ in range(2):
            Thread(target=worker.IN_HAND.stop).start()
        try:
            while True:
                sleep(0.001)
        except KeyboardInterrupt:
            if error is not None:
                raise error from None
            raise

    monkeypatch.setattr(worker, "_work", lambda _name: work)
    messages = BytesIO()
    worker.IN_HAND.begin()
    worker.serve(LOOK, messages.write)
    assert messages.getvalue() == b'{"error": "stopped"}\n' + SPENT
    worker.IN_HAND.stop()
    worker.IN_HAND.begin()
    monkeypatch.undo()
    monkeypatch.setattr(worker, "LARGEST_KEPT", inf)  # the process of tests is larger than that of a studio
    worker.serve(LOOK, messages.write)
    assert messages.getvalue().endswith(END)


def test_a_job_can_be_stopped_before_it_has_a_process() -> None:
    """It does not begin then."""

    async def stopped() -> list[Any]:
        jobs = Jobs()
        try:
            lines = jobs.stream({"work": "search", "problem": "pancake", "instance": "2 1"}, 60.0)
            first = json.loads(await anext(lines))
            assert jobs.stop(first["job"])
            return [json.loads(line) async for line in lines]
        finally:
            await jobs.close()

    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have a loop in this thread
        assert pool.submit(asyncio.run, stopped()).result() == [{"error": "stopped"}]
