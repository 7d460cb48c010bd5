"""Pattern databases: tables of the exact distances in abstract problems, built, kept on disk, and used as heuristics."""
