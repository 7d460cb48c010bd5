"""Writes all runs of an experiment as CSV or Parquet, for other programs."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from bestfirst.errors import InputError
from bestfirst.experiments.extra import needing
from bestfirst.experiments.results import Results
from bestfirst.experiments.rows import ABOUT, MOST, OUTCOME, as_text
from bestfirst.experiments.task import Task
from bestfirst.system.atomic import write_atomically

OF_TASK = {
    "id": "TEXT",
    "problem": "TEXT",
    "domain": "TEXT",
    "number": "INTEGER",
    "name": "TEXT",
    "instance": "TEXT",
    "options": "TEXT",
    "configuration": "TEXT",
    "algorithm": "TEXT",
    "choices": "TEXT",
    "settings": "TEXT",
    "depth": "INTEGER",
    "limits": "TEXT",
    "seed": "INTEGER",
    "repetition": "INTEGER",
}
"""The columns that say what was run, with their SQL types; options, choices and limits are JSON."""
COLUMNS: dict[str, str] = {**OF_TASK, **{name: kind for name, (kind, _) in {**OUTCOME, **ABOUT}.items()}}
SUFFIXES = (".csv", ".parquet")


def export(results: Results, path: str | Path) -> None:
    """Write a row for each recorded run. path: its suffix, .csv or .parquet, selects the format.

    Raises InputError for another suffix.
    """
    target = Path(path)
    if target.suffix not in SUFFIXES:
        raise InputError(f"the file is {str(path)!r}; its name must end with {' or '.join(SUFFIXES)}")
    rows = [_flat(task, row) for task, row in results.runs]
    write_atomically(target, _as_csv(rows) if target.suffix == ".csv" else partial(_write_parquet, rows))


def _flat(task: Task, row: Any) -> dict[str, Any]:
    """A run as one row of numbers and texts."""
    given = {"id": task.digest, "domain": task.maker}
    known = {name: given.get(name, getattr(task, name, None)) for name in OF_TASK}
    both = {**known, **{name: row[name] for name in COLUMNS if name not in OF_TASK}}
    return {name: json.dumps(value) if isinstance(value, dict | list) else as_text(value) for name, value in both.items()}


def _as_csv(rows: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_parquet(rows: list[dict[str, Any]], file: BinaryIO) -> None:
    with needing("pyarrow"):
        import pyarrow  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    types = {"TEXT": pyarrow.string(), "INTEGER": pyarrow.int64(), "REAL": pyarrow.float64()}
    kinds = {name: "TEXT" if _holds_large(rows, name) else kind for name, kind in COLUMNS.items()}
    texts = [name for name, kind in kinds.items() if kind != COLUMNS[name]]
    shown = [{**row, **{name: None if row[name] is None else str(row[name]) for name in texts}} for row in rows]
    schema = pyarrow.schema([(name, types[kind]) for name, kind in kinds.items()])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(shown, schema=schema), file)


def _holds_large(rows: list[dict[str, Any]], name: str) -> bool:
    """Whether a column has a whole number that the numbers of Parquet do not hold exactly; it is then one of texts."""
    return any(isinstance(row[name], int) and abs(row[name]) > MOST for row in rows)
