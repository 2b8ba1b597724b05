"""Metrics of programs a model wrote, each with its formula, its source and an example."""

import math
from fractions import Fraction


def pass_at_k(n: int, c: int, k: int) -> float:
    """Chance that one of k programs drawn from n, of which c passed, passes: 1 - C(n-c, k)/C(n, k).

    The unbiased estimator of pass@k (Chen et al. 2021, arXiv:2107.03374, §2.1).

    >>> pass_at_k(5, 2, 1), pass_at_k(5, 2, 3), pass_at_k(10, 0, 5)
    (0.4, 0.9, 0.0)
    """
    if not 0 <= c <= n or not 1 <= k <= n:
        raise ValueError(f"pass@k needs 0 <= c <= n and 1 <= k <= n, got n={n}, c={c}, k={k}")
    return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))
