"""Drivers, which run kernels from Python: slices, limits, growth, paths, faults and checkpoints."""
