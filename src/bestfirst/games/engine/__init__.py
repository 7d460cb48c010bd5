"""The alpha-beta search with all its techniques: the reference for the compiled engine."""
