"""Asks the provider's watermark detector whether it tells text of the model from text of people."""
