"""The compiled heuristics of tasks, one per file: the twins of planning/heuristics/ (see evaluation.py)."""
