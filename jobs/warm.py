"""Imported once by the process from which benchmark processes are forked, so that none of them pays for it.

Importing lm-eval takes some seconds and looking for the machine's energy counters three; a fork takes milliseconds.
"""

import evaluators
from db import store
from evaluators.energy import meter
from jobs import child

#: Named, so that nobody removes an import whose only purpose is to be loaded.
LOADED = (store, child)

evaluators.warm()
meter.warm()
