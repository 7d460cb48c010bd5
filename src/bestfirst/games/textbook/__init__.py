"""The textbook algorithms, one short module each."""
