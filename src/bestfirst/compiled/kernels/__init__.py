"""Kernels, compiled for each domain: the inner loops, each with the name and order of its reference."""
