"""Errors that reach another process, whatever they are."""

from __future__ import annotations

import pickle

from bestfirst.errors import ProblemError, kind_and_text


def sendable(error: Exception) -> Exception:
    """An error as it is, if it can be sent to another process; otherwise its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return ProblemError(f"a worker failed: {kind_and_text(error)}")
    return error
