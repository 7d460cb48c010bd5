"""Errors in a user's own file, with the file, the line and its source as data, and no line of bestfirst."""

from __future__ import annotations

import inspect
import linecache
import os
import re
import select
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any

from bestfirst.errors import BestfirstError, CostError, HeuristicError, InputError, ProblemError, ScoreError, kind_and_text
from bestfirst.hidden_modules import same_name

ROOTS: set[Path] = set()
"""The directories, and the modules outside packages, whose code is the user's (own_files.py)."""
_NAME = __name__.partition(".")[0]
_NOT_OWN = [str(Path(__file__).parent), *(sysconfig.get_path(which) for which in ("stdlib", "platstdlib"))]
_INSTALLED = {"site-packages", "dist-packages"}
_UNFORESEEN = (TypeError, AttributeError, ValueError, LookupError, ArithmeticError, AssertionError, RecursionError)
"""Errors in the code of bestfirst that a value of a wrong type causes, where nothing checks it."""
_PLACE = re.compile(r" \([^()]*:\d+, in [\w<>]+\)$")
"""The place at the end of a message of raised.py."""


class OwnFileError(InputError):
    """The code of a user's file failed. file: its path; line: from 1, None if unknown; source: that line; why: the error."""

    def __init__(self, file: str, line: int | None, source: str, why: str) -> None:
        place = _shown(file) if line is None else f"{_shown(file)}:{line}"
        super().__init__(f"{place}: {why}" + (f"\n    {source}" if source else ""))
        self.file, self.line, self.source, self.why = file, line, source, why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.line, self.source, self.why)


def own_error(error: BaseException) -> OwnFileError | None:
    """What to report about an error in the user's code, with its last line; None if that code was not involved."""
    if isinstance(error, OwnFileError):
        return error
    if isinstance(error, SyntaxError) and error.filename and is_own(error.filename):
        why = f"{type(error).__name__}: {error.msg}"
        return OwnFileError(error.filename, error.lineno or None, (error.text or "").strip(), why)
    calls = own_calls(error)
    return failed_at(*calls[-1], kind_and_text(error) + same_name(error)) if calls else None


def own_calls(error: BaseException) -> list[tuple[FrameType, int]]:
    """The calls of the user's code that an error has left, the outermost first, each with its line."""
    return [(frame, line) for frame, line in walk_tb(error.__traceback__) if is_own_call(frame)]


def is_raised_by_own(error: BaseException) -> bool:
    """Whether the user's code itself raises an error, rather than something that it calls."""
    files = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    return bool(files) and is_own(files[-1])


def is_own(file: str, roots: Iterable[Path] = ROOTS) -> bool:
    """Whether a source file is the user's: not part of bestfirst, of Python, or of an installed package. roots: see ROOTS."""
    file = str(Path(file))  # strings are compared below, because all modules and all frames are asked about
    for root in map(str, roots):
        if file == root:
            return True
        if _is_below(file, root) and not _INSTALLED & set(Path(file[len(root) :]).parts):
            return not any(_is_below(file, place) for place in _NOT_OWN)
    return False


def is_own_call(frame: FrameType) -> bool:
    """Whether a call runs the user's code. The script that started the program, which may lie next to it, does not count."""
    return frame.f_globals.get("__name__") != "__main__" and is_own(frame.f_code.co_filename)


def _is_below(file: str, directory: str) -> bool:
    return file.startswith(directory if directory.endswith(os.sep) else directory + os.sep)


@contextmanager
def own_errors(of: Any = None) -> Iterator[None]:
    """Raise OwnFileError instead of an error that the user's code caused. of: the user's class or object, if it is known.

    An error of bestfirst that the code itself raises, and an error of the system, such as a closed pipe, stays as it is.
    """
    try:
        yield
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        found = _told(error, of)
        if found is None or found is error:
            raise
        raise found from error


def _told(error: BaseException, of: Any) -> OwnFileError | None:
    if isinstance(error, BrokenPipeError) and _has_no_reader():
        return None
    if not isinstance(error, Exception) and type(error).__module__.startswith(f"{_NAME}."):  # it stops the code
        return None
    found = own_error(error)
    if isinstance(error, SystemExit) and found is not None:
        is_at_top = not error.__traceback__ or all(call.f_code.co_name == "<module>" for call, _ in own_calls(error))
        remedy = (
            "put code that should not run here under if __name__ == '__main__'" if is_at_top else "raise an error instead"
        )
        why = f"{found.why} ends Python; {remedy}"
        return OwnFileError(found.file, found.line, found.source, why)
    if isinstance(error, BestfirstError) and is_raised_by_own(error):
        return None
    if found is None and of is not None:
        if isinstance(error, ProblemError | NotImplementedError):
            return _of_contract(error, of)
        if isinstance(error, _UNFORESEEN) and not isinstance(error, BestfirstError):
            return _of_class(
                of, f"a method returned a value that bestfirst cannot use, or bestfirst has a bug: {kind_and_text(error)}"
            )
    return found


def _has_no_reader() -> bool:
    """Whether nobody reads the output any more."""
    if not hasattr(select, "poll"):  # as on Windows, where this cannot be known
        return True
    try:
        watched = select.poll()
        watched.register(sys.stdout.fileno(), 0)
        return any(events & select.POLLERR for _, events in watched.poll(0))
    except (AttributeError, OSError, ValueError):  # the output is not a file
        return False


def _of_contract(error: Exception, of: Any) -> OwnFileError | None:
    """The error for code that broke the contract of a class: with the line that raised it, or else that of the member."""
    why = _PLACE.sub("", str(error))
    if hasattr(error, "file") and hasattr(error, "line"):  # its message begins with them
        return OwnFileError(error.file, error.line, _source(error.file, error.line), why.partition(f"{error.line}: ")[2])
    cause = None if error.__cause__ is None else own_error(error.__cause__)
    if cause is not None:
        return OwnFileError(cause.file, cause.line, cause.source, why)
    kind = of if isinstance(of, type) else type(of)
    for name in _members_named_by(error):
        member: Any = getattr(kind, name, None)
        code = getattr(inspect.unwrap(member), "__code__", None)
        if code is not None and is_own(code.co_filename):
            return OwnFileError(code.co_filename, code.co_firstlineno, _source(code.co_filename, code.co_firstlineno), why)
    return _of_class(kind, why)


def _of_class(of: Any, why: str) -> OwnFileError | None:
    """The error for a user's class, or for the class of an object, at the first line of the class."""
    kind = of if isinstance(of, type) else type(of)
    try:
        file, line = inspect.getsourcefile(kind) or "", inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        return None
    return OwnFileError(file, line, _source(file, line), why) if is_own(file) else None


def _members_named_by(error: Exception) -> list[str]:
    """The members of a class that an error may be about."""
    if isinstance(error, CostError):
        return ["step", "successors"]
    if isinstance(error, HeuristicError):
        return [error.name.replace("-", "_")]
    if isinstance(error, ScoreError):
        return [error.member]
    return re.findall(r"^(?:\w+\.)?(\w+)[( ]", str(error))


def failed_at(frame: FrameType, line: int, why: str) -> OwnFileError:
    """The error for a line of the user's code."""
    code: CodeType = frame.f_code
    where = "" if code.co_name == "<module>" else f"in {code.co_qualname}: "
    return OwnFileError(code.co_filename, line, _source(code.co_filename, line), where + why)


def _source(file: str, line: int) -> str:
    return linecache.getline(file, line).strip()


def _shown(file: str) -> str:
    """A path as the user would write it: relative to the working directory if it is below it."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (OSError, ValueError):
        return file
