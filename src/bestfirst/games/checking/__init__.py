"""Checks that the rules of a game obey the contract of Game."""
