"""What searches need of the operating system: files, signals, memory, threads."""
