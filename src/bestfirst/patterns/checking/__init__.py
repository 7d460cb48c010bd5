"""Checks that a pattern database fits its problem."""
