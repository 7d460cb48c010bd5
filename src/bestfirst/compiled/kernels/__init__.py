"""What is compiled for each domain: the inner loops, each beside its reference in name and order."""
