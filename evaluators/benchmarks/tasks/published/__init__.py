"""Task files over published data sets."""
