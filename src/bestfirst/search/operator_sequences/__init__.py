"""Operator sequences that lead to one state: found once, and pruned by an automaton (Taylor & Korf 1993)."""
