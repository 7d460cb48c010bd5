"""The n-queens puzzle: n queens on an n x n board, none of which attacks another."""

from __future__ import annotations

from bestfirst.domains.n_queens.problem import NQueens

__all__ = ["NQueens"]
