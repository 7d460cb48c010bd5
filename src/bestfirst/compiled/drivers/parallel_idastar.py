"""The driver of IDA* with several threads."""

from __future__ import annotations

from functools import partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bestfirst.compiled.drivers.idastar import ACTIONS, IDAStar, Walk
from bestfirst.compiled.kernels.idastar import EXHAUSTED, FAULTY, FOUND, STOPPED
from bestfirst.compiled.kernels.iterations import PARTS as ITERATION_PARTS
from bestfirst.compiled.kernels.iterations import iterations_slice
from bestfirst.compiled.kernels.parallel_idastar import (
    BUDGET,
    FOUND_JOBS,
    NEXT,
    NO_JOB,
    PLENTY,
    begin_job,
    jobs_slice,
    note_children,
)
from bestfirst.compiled.store.saved_values import MOST, Saved, require
from bestfirst.compiled.store.walks import COUNTS, EXPANDED, LONGEST, Records, write_counts
from bestfirst.domain import Domain, single_step
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.problem import Problem
from bestfirst.search.idastar import Order
from bestfirst.solution import Limits
from bestfirst.system.threads import side_by_side

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, SavedState, Template

NOTHING = np.zeros((1, len(COUNTS)), np.int64)
"""The counts at the start, as a table of one row."""
JOBS_PER_THREAD = 256
"""An iteration is split into this many jobs: they differ in size, and at the end no thread should wait long for the
others."""
MOST_LEVELS = 64
FEWEST_SHARED = 20_000
"""The minimum number of expansions worth sharing: one thread finishes fewer while others would still be starting."""
FEWEST_SPLIT = 30_000
"""After an iteration with this many expansions the next one is split; splitting takes longer than searching a small one."""
RATE_OF_FEWEST = 3e7
"""At a higher rate of expansions per second, iterations are small up to proportionally more expansions."""
CHUNKS_PER_THREAD = 64
"""The number of chunks of a slice's budget: at its end no thread waits longer than one chunk takes."""


class Jobs:
    """The subtrees with roots at one depth of an iteration, in search order.

    roots: nodes, preceded by the roots of the levels above. parents: by root, the index of its parent. depth: of the
    roots. before: by job, the counts of the search when it reaches the job, without those of the jobs
    ahead of it. counts: by job, its own counts, once it is done.
    """

    def __init__(self, roots: Records, parents: Array, depth: int, before: Array) -> None:
        self.roots = roots
        self.parents = parents
        self.depth = depth
        self.before = before
        self.counts = np.zeros_like(before)
        self.shared = np.zeros(3, np.int64)

    def __len__(self) -> int:
        return len(self.before)

    @property
    def are_left(self) -> bool:
        """Whether any job has not yet been taken by a thread."""
        return bool(self.shared[NEXT] < len(self))

    @property
    def done(self) -> Array:
        """The counts of the jobs that are done."""
        total = self.counts.sum(axis=0)
        total[LONGEST] = self.counts[:, LONGEST].max(initial=0)
        return total

    def until(self, jobs: Array) -> Array:
        """The counts of the search when it reaches a job, or each of several; those ahead must be done."""
        ahead = np.zeros_like(self.before)
        np.cumsum(self.counts[:-1], axis=0, out=ahead[1:])
        np.maximum.accumulate(self.counts[:-1, LONGEST], out=ahead[1:, LONGEST])
        return together(self.before[jobs], ahead[jobs])


def together(*counts: Array) -> Array:
    """The sum of counts; for the longest paths, the maximum."""
    total = np.sum(counts, axis=0)
    total[..., LONGEST] = np.max(counts, axis=0)[..., LONGEST]
    return total


class End(NamedTuple):
    """How an iteration ends after its last job; the actions to its last node; and the counts outside the jobs."""

    how: int
    actions: list[int]
    counts: Array


class Worker(Walk):
    """A depth-first search of one job after another.

    end: FOUND or FAULTY, if the search of a job ended so; otherwise STOPPED.
    """

    end = STOPPED

    @property
    def job(self) -> int:
        """The current job; NO_JOB for none."""
        return int(self.record.job)

    def drop(self) -> None:
        """Leave the job."""
        self.record.job = NO_JOB
        self.end = STOPPED

    def begin(self, root: tuple[object, ...]) -> None:
        super().begin(root)
        self.drop()

    def saved(self) -> SavedState:
        return {**super().saved(), "end": self.end, "job": self.job}


class ParallelIDAStar(IDAStar):
    """IDA* on a domain with several threads, in slices."""

    _kernel: Template = staticmethod(jobs_slice)
    _own_parts: tuple[Template, ...] = (*ITERATION_PARTS, iterations_slice, write_counts, begin_job, note_children)

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        threads: int,
        order: Order = "given",
        prune: int = 0,
        prune_from: int = 0,
        problem: Problem | None = None,
    ) -> None:
        self._threads = threads
        self._rate = 0.0  # the highest rate of a thread so far
        super().__init__(domain, heuristic, order=order, prune=prune, prune_from=prune_from, problem=problem)

    def _make_walks(self) -> None:
        self._splitter, *self._workers = (self._new_walk(Worker) for _ in range(1 + self._threads))
        self._start_with(NOTHING[:0])

    def _begin(self, root: tuple[object, ...]) -> None:
        for worker in (self._splitter, *self._workers):
            worker.begin(root)
        self._start_with(NOTHING)

    @property
    def bytes(self) -> int:
        return sum(worker.bytes for worker in (self._splitter, *self._workers))

    def _is_worthwhile(self) -> bool:
        return any(worker.is_worthwhile for worker in (self._splitter, *self._workers))

    @property
    def _is_small(self) -> bool:
        """Whether the iteration is likely to be small, judging by the one before."""
        rounds = self.stats.iterations
        return len(rounds) > 1 and rounds[-2].expanded < self._fewest_split

    @property
    def _fewest_split(self) -> int:
        """The expansions of an iteration after which the next one is split: more if the search is fast."""
        return int(FEWEST_SPLIT * max(1.0, self._rate / RATE_OF_FEWEST))

    @property
    def _may_go_on(self) -> bool:
        """Whether one worker may go on to the next iterations: it has one job, all of an iteration that is not split."""
        jobs = self._jobs
        return len(jobs) == 1 and jobs.depth == 0 and not len(self._deeper) and super()._may_go_on

    def _start_with(self, before: Array) -> None:
        """Start with one job, the search from its root, or with none. before: as in Jobs."""
        self._end = End(EXHAUSTED, [], NOTHING[0])
        self._falls: list[list[int]] = []
        roots = np.zeros(len(before), self._node_type)
        self._set_jobs(Jobs(roots, np.zeros(len(before), np.int64), 0, before))

    def _set_jobs(self, jobs: Jobs) -> None:
        """Continue with these jobs; and make room for those of the next level, if they are too few."""
        self._jobs = jobs
        are_few = len(jobs) < JOBS_PER_THREAD * self._threads and jobs.depth < MOST_LEVELS and not self._is_small
        rows = len(jobs) * self._domain.max_actions if are_few else 0
        self._deeper = np.empty(rows, self._node_type)
        self._noted = np.empty((rows, 1 + len(COUNTS)), np.int64)
        for worker in (self._splitter, *self._workers):
            worker.make_room_for(jobs.depth + 1)

    def _search(self, budget: int) -> int:
        while len(self._deeper):
            how, budget = self._split(budget)
            if how == STOPPED:
                return STOPPED
        return self._work(budget)

    @property
    def _first_walk(self) -> Walk:
        return self._workers[0]

    def _arguments(self, worker: Walk, chunk: int) -> tuple[object, ...]:
        """The arguments of the kernel after the data."""
        jobs = self._jobs
        return (
            self._inverses,
            self._automaton,
            worker.records,
            worker.stack,
            worker.path,
            jobs.roots,
            jobs.parents,
            jobs.counts,
            self._deeper,
            self._noted,
            jobs.shared,
            jobs.depth,
            self._ended if self._may_go_on else self._ended[:0],
            self._fewest_split,
            chunk,
        )

    def _run(self, worker: Worker, chunk: int) -> tuple[int, float]:
        """Run jobs in one worker; return how that ended, and the lowest f beyond the bound."""
        self._set_bounds(worker)
        how = self._compiled.run(self._compiled.data, *self._arguments(worker, chunk))
        return how, self._totals.number(worker.record.next_bound)

    def _split(self, budget: int) -> tuple[int, int]:
        """Expand the roots of the jobs, so that their children become the jobs; return how that ended, and the rest of the
        budget."""
        jobs, worker = self._jobs, self._splitter
        jobs.shared[BUDGET] = budget
        how, self._next_bound = self._run(worker, chunk=1)
        how = self._looked_after(worker, how)
        left = int(jobs.shared[BUDGET])
        if how == STOPPED:
            return STOPPED, left
        if how == EXHAUSTED:
            self._end = self._end._replace(counts=together(self._end.counts, jobs.done))
        else:
            self._end = End(how, worker.actions(), together(jobs.until(worker.job), worker.counts))
            left += PLENTY
        worker.drop()
        if worker.first_fall:
            self._falls.append(worker.first_fall)
            worker.first_fall = []
            worker.record.fall_depth = 0
        found = int(jobs.shared[FOUND_JOBS])
        noted = self._noted[:found]
        roots = np.concatenate([jobs.roots, self._deeper[:found]])
        parents = np.concatenate([jobs.parents, len(jobs.roots) - len(jobs) + noted[:, 0]])
        self._set_jobs(Jobs(roots, parents, jobs.depth + 1, together(jobs.until(noted[:, 0]), noted[:, 1:])))
        return how, left

    def _work(self, budget: int) -> int:
        """Run the jobs in all threads; return how the iteration ended, or STOPPED if it is unfinished."""
        jobs = self._jobs
        if self._faster.is_worth_asking(self.stats.expanded):
            self._compiled = self._faster.instead_of(self._compiled, self._arguments(self._first_walk, 0))
        jobs.shared[BUDGET] = budget
        busy = [worker for worker in self._workers if worker.end == STOPPED and (worker.job != NO_JOB or jobs.are_left)]
        if budget < FEWEST_SHARED or len(jobs) == 1:
            busy = busy[:1]
        if busy:
            chunk = max(1, budget if len(busy) == 1 else budget // (CHUNKS_PER_THREAD * self._threads))
            started = perf_counter()
            results = side_by_side([partial(self._run, worker, chunk) for worker in busy])
            used = budget - int(jobs.shared[BUDGET])
            if used <= budget:  # otherwise the search ends
                self._rate = max(self._rate, used / len(busy) / max(1e-9, perf_counter() - started))
            if self._may_go_on:
                self._enter_later_rounds(busy[0])
            self._next_bound = min(next_bound for _how, next_bound in results)
            for worker, (how, _next_bound) in zip(busy, results, strict=True):
                if self._looked_after(worker, how) in (FOUND, FAULTY):
                    worker.end = how
        first = min((worker for worker in self._workers if worker.end != STOPPED), key=lambda one: one.job, default=None)
        if first is not None:
            for worker in self._workers:
                if worker.job > first.job:
                    worker.drop()
        if jobs.are_left or any(worker.job != NO_JOB and worker.end == STOPPED for worker in self._workers):
            return STOPPED
        if first is None:
            self._end = self._end._replace(counts=together(self._end.counts, jobs.done))
        else:
            self._end = End(first.end, first.actions(), together(jobs.until(first.job), first.counts))
            first.drop()
        self._set_jobs(Jobs(jobs.roots[:0], jobs.parents[:0], jobs.depth, NOTHING[:0]))
        return self._end.how

    def _counts(self) -> Array:
        """Within an iteration, all counts, including those of jobs that may turn out to come after its end."""
        under_way = (worker.counts for worker in (self._splitter, *self._workers) if worker.job != NO_JOB)
        return together(self._end.counts, self._jobs.done, *under_way)

    def _actions(self) -> list[int]:
        return self._end.actions

    def _stands_at(self) -> list[int] | None:
        """Within an iteration, threads stand at several nodes."""
        return self._end.actions if self.goal is not None and self.goal.depth else None

    def _first_fall(self) -> list[int]:
        falls = [*self._falls, *(worker.first_fall for worker in (self._splitter, *self._workers))]
        return min((fall for fall in falls if fall), key=self._place_in_order)

    def saved(self) -> SavedState:
        jobs = self._jobs
        return {
            "round": self._saved_round(),
            "is_split": bool(len(self._deeper)),
            "workers": [worker.saved() for worker in (self._splitter, *self._workers)],
            "came": jobs.roots["action"].astype(np.int64),
            "parents": jobs.parents,
            "depth": jobs.depth,
            "before": jobs.before,
            "counts": jobs.counts,
            "next": min(int(jobs.shared[NEXT]), len(jobs)),
            "outside": self._end.counts,
            "falls": self._falls,
        }

    def restore(self, saved: Saved) -> None:
        """If the iteration was still being split, that is repeated, since it does not take long."""
        if self.ended:
            require(self.goal is not None or self.bound == inf, "its end is missing")
            return
        self._restore_round(saved.part("round"))
        if saved.flag("is_split"):
            expanded = self.stats.expanded
            self._show()
            missing = expanded - self.stats.expanded
            require(
                0 <= missing <= MOST_LEVELS * JOBS_PER_THREAD * self._threads,
                "splitting its iteration took too many expansions",
            )
            self.run(Limits(expansions=missing), None)
            require(self.stats.expanded == expanded, "it does not record the progress of the search")
            return
        jobs, ways = self._restored_jobs(saved)
        counts = saved.array("outside", np.int64, len(COUNTS), most=MOST)
        self._end = End(EXHAUSTED, [], counts)
        self._falls = [Saved({"fall": fall}).wholes("fall", self._domain.max_actions - 1) for fall in saved.items("falls")]
        for fall in self._falls:
            self._checked_nodes(fall)
        self._set_jobs(jobs)
        self._deeper, self._noted = self._deeper[:0], self._noted[:0]
        parts = saved.parts("workers", 1 + len(self._workers))
        for worker, part in zip(self._workers, parts[1:], strict=True):
            self._restore_worker(worker, part, ways)
        at_work = [worker.job for worker in self._workers if worker.job != NO_JOB]
        require(len(set(at_work)) == len(at_work), "two threads have the same job")
        is_done = jobs.counts[:, EXPANDED] > 0
        is_done[at_work] = True
        is_found = any(worker.end != STOPPED for worker in self._workers)
        require(is_found or is_done[: int(jobs.shared[NEXT])].all(), "a finished job was never searched")
        self._check_falls(any([*self._falls, *(worker.first_fall for worker in self._workers)]))
        counted = self._before[0] + int(self._counts()[EXPANDED])
        require(counted == self.stats.expanded, f"it has expanded {counted} nodes, not {self.stats.expanded}")

    def _restored_jobs(self, saved: Saved) -> tuple[Jobs, list[list[int]]]:
        """The jobs, whose rows follow from the actions that led to them; and these actions, by job."""
        size, depth = saved.length("parents"), saved.whole("depth", 0, MOST_LEVELS)
        came, parents = saved.array("came", np.int64, size), saved.array("parents", np.int64, size)
        before = saved.array("before", np.int64, saved.rows("before"), len(COUNTS), most=MOST)
        require(len(before) <= size, "it has more jobs than roots")
        roots = np.zeros(size, self._node_type)
        nodes = [self._root]
        ways: list[list[int]] = [[]]
        for place in range(1, size):
            parent, action = int(parents[place]), int(came[place]) & ACTIONS
            require(parent < place and action < self._domain.max_actions, f"the parent of root {place} does not precede it")
            node = nodes[parent]
            require(single_step(self._domain)(node.state, action)[0], f"root {place} is not a child of its parent")
            nodes.append(self._child(node, action))
            ways.append([*ways[parent], action])
            roots[place] = self._row(nodes[-1], action)
        jobs = Jobs(roots, parents, depth, before)
        require(all(node.depth == depth for node in nodes[size - len(jobs) :]), "a job is at the wrong depth")
        jobs.counts = saved.array("counts", np.int64, len(jobs), len(COUNTS), most=MOST)
        jobs.shared[NEXT] = saved.whole("next", 0, len(jobs))
        return jobs, ways[size - len(jobs) :]

    def _restore_worker(self, worker: Worker, saved: Saved, ways: list[list[int]]) -> None:
        job, end = saved.whole("job", NO_JOB, len(ways) - 1), saved.whole("end")
        require(end in (STOPPED, FOUND, FAULTY), "the outcome of a thread is invalid")
        worker.drop()
        if job == NO_JOB:
            return
        require(saved.wholes("actions")[: len(ways[job])] == ways[job], "the path of a thread is outside its job")
        self._restore_walk(worker, saved, self._jobs.depth)
        worker.record.job, worker.end = job, end
