"""Checks that the rules of a game keep the contract of Game."""
