"""Imported once by the process from which benchmark processes are forked, so that none of them pays for it.

Importing lm-eval takes some seconds and looking for the machine's energy counters three; a fork takes milliseconds.
"""

import contextlib
import gc

import evaluators
from db import store
from domain.errors import UserError
from evaluators.energy import meter
from jobs import child

#: Named, so that nobody removes an import whose only purpose is to be loaded.
LOADED = (store, child)

# What cannot be imported is no reason to start no process: the benchmark that needs it says so in its result.
with contextlib.suppress(UserError):
    evaluators.warm()
meter.warm()
# What was loaded lives as long as the process: no collection of a benchmark's own garbage has to look through it.
gc.collect()
gc.freeze()
