"""The algorithms of the textbooks, one short module each."""
