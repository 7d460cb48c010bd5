"""Whole spaces, compiled: all states, all distances, all positions."""
