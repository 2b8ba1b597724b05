"""requirements_map."""
