"""Experiments: a spec says what is run; each run is recorded as it ends, and is never done twice.

bf.experiments.run("mine.toml", workers=2)
results = bf.experiments.Results.read("mine.sqlite")
print(bf.experiments.compare(results, "A*", "IDA*", "seconds").sentence())
bf.experiments.report(results, "mine-report")
"""

from __future__ import annotations

from bestfirst.experiments.exporting import export
from bestfirst.experiments.reporting import report
from bestfirst.experiments.results import Results
from bestfirst.experiments.running import Progress, run
from bestfirst.experiments.statistics import Paired, compare

__all__ = ["Paired", "Progress", "Results", "compare", "export", "report", "run"]
