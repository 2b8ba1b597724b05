"""Our tasks over published data sets, which are imported and never part of VERA: what each asks and what it needs."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_capability import CAPABILITY
from evaluators.benchmarks.published_code import CODE
from evaluators.benchmarks.published_following import FOLLOWING
from evaluators.benchmarks.published_governance import GOVERNANCE
from evaluators.benchmarks.published_judged import JUDGED
from evaluators.benchmarks.published_likelihoods import LIKELIHOODS
from evaluators.benchmarks.published_people import PEOPLE
from evaluators.benchmarks.published_robustness import ROBUSTNESS
from evaluators.benchmarks.published_security import SECURITY

PUBLISHED: tuple[Benchmark, ...] = (
    *CAPABILITY,
    *CODE,
    *FOLLOWING,
    *GOVERNANCE,
    *JUDGED,
    *LIKELIHOODS,
    *PEOPLE,
    *ROBUSTNESS,
    *SECURITY,
)
