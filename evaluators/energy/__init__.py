"""Energy of the machine a benchmark runs on, as codecarbon tells it."""
