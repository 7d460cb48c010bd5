"""Duplicate operator sequences: found once, and pruned by an automaton (Taylor & Korf 1993)."""
