"""The compiled engine for planning tasks: one set of kernels for all tasks, in which everything about a task is data."""
