"""Workers that are processes of this machine: they use several processors, and one that dies takes nothing else with it."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from bestfirst.batches.parcels import packed, unpacked
from bestfirst.portfolio.messages import Lost, Message, Order
from bestfirst.portfolio.team import Team
from bestfirst.system.child_process import environment, how_it_ended, kill_group, leader, module_path, python


class LocalTeam(Team):
    """A process for each member."""

    def __init__(self) -> None:
        self._workers: dict[int, _Process] = {}

    def start(self, beginnings: Sequence[tuple[int, bytes]]) -> None:
        for member, beginning in beginnings:
            self._workers[member] = _Process(beginning)

    def tell(self, member: int, order: Order) -> None:
        if member in self._workers:
            with suppress(OSError):  # it has ended, as the next call of events() reports
                self._workers[member].connection.send_bytes(packed(order))

    def events(self, seconds: float) -> list[tuple[int, Message]]:
        members = {worker.connection: member for member, worker in self._workers.items()}
        if not members:
            return []
        ready = wait(list(members), seconds)
        return [self._event(members[connection]) for connection in ready]  # type: ignore[index]

    def _event(self, member: int) -> tuple[int, Message]:
        worker = self._workers[member]
        try:
            message: Message = unpacked(worker.connection.recv_bytes())
        except (EOFError, OSError):
            del self._workers[member]
            how = how_it_ended(worker.wait())
            return member, Lost(f"{how}, perhaps for lack of memory" if "SIGKILL" in how else how)
        return member, message

    def end(self, member: int) -> None:
        worker = self._workers.pop(member, None)
        if worker is not None:
            worker.kill()

    def close(self) -> None:
        for worker in self._workers.values():
            worker.kill()
        self._workers.clear()


class _Process:
    """A worker and the connection to it: see worker.py."""

    def __init__(self, beginning: bytes) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = leader(
                subprocess.Popen(
                    python("bestfirst.portfolio.worker", str(theirs.fileno())),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env=environment(module_path()),
                    process_group=0,  # Ctrl-C in the terminal is for the portfolio alone; a session would get its own share of time
                )
            )
        self.connection = Connection(ours.detach())
        with suppress(OSError):
            self.connection.send_bytes(beginning)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def wait(self) -> int:
        """The exit code of a process that has closed the connection; it is killed if it does not end within a second."""
        self.connection.close()
        try:
            return self._process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()
            return self._process.wait()

    def kill(self) -> None:
        """End it with all that it has started."""
        self.connection.close()
        kill_group(self._process)
        self._process.wait()
