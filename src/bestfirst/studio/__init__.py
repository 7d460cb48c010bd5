"""The studio: a local server and a page on which to search, to play and to compare, without a line of code."""
