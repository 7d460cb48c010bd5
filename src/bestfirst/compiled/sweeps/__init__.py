"""Sweeps over whole spaces, compiled: all states, all distances, all positions."""
