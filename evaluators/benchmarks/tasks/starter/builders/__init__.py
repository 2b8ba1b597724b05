"""From sources to items."""
