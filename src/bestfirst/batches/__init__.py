"""Batches: many problems, or positions of games, on all cores of a machine or on a Ray cluster."""
