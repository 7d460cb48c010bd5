"""What runs a kernel from Python: slices, limits, growth, paths, faults and checkpoints."""
