"""Programs a model wrote, each run in a process of its own that can reach nothing; without isolation none is run."""

from evaluators.sandbox.process import VERSION, Limits, execute, refusal

__all__ = ["VERSION", "Limits", "execute", "refusal"]
