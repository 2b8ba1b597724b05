"""Scans a sample of a training corpus that the operator supplies; asks the model nothing."""
