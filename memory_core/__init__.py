"""The memory core: seven layers, one evidence report, and no knowledge of the archive."""
