"""Objectives other than the sum of costs: a search of one restates the problem, and translates the answer back."""
