"""Building pattern databases."""
