"""The alpha-beta search with all its techniques: the reference of the compiled one."""
