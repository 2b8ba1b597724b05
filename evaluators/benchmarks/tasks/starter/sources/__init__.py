"""What the items of the starter suite are made of."""
