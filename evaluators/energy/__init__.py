"""energy."""
