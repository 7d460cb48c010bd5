"""Whether the rules of a game keep the contract of Game."""
