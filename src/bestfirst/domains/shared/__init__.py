"""Code that several puzzles share: ranks of permutations, abstract permutation puzzles, names of patterns, cube geometry."""
