"""One client for every OpenAI-compatible server: questions, log-probabilities, and a probe of what it can do."""
