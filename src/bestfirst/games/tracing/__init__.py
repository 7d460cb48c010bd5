"""The tree of a game search, recorded and drawn."""
