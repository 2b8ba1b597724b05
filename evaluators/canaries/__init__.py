"""Invented people an operator plants in what a model is trained on, and whether the model gives their data away."""
