"""Operating system services for searches: files, signals, memory, threads."""
