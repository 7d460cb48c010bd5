"""Pattern databases on disk, and the forms of their tables."""
