"""The kernels of searches of tasks: templates whose parts include the evaluation of a heuristic."""
