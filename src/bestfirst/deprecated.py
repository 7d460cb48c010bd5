"""Names that were replaced: they work for one more version, with a warning that names the new one."""

from __future__ import annotations

import warnings


def warn_deprecated(name: str, instead: str, *, stacklevel: int = 2) -> None:
    """Warn the caller's caller that a name is deprecated."""
    warnings.warn(f"{name} is deprecated; use {instead}", DeprecationWarning, stacklevel=stacklevel + 1)
