"""Pattern databases on disk, and the formats of their tables."""
