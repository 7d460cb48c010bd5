"""The tree that a search of a game has looked at, recorded and drawn."""
