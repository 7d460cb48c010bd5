"""What several puzzles use: numbers of permutations, abstract domains of permutation puzzles, names of patterns, the cube."""
