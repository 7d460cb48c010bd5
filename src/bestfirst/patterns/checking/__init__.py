"""Whether a pattern database says what is true of a problem."""
