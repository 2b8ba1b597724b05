"""Task definitions and their items."""
