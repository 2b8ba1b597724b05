"""lm-eval as a library: silent, its warnings collected, and each prompt template compiled once."""

import contextlib
import functools
import logging
from collections.abc import Iterator, Mapping
from typing import Any

import datasets
import lm_eval.api.task
import lm_eval.utils

_LOGGERS = ("lm_eval", "datasets", "huggingface_hub")
_MOST_WARNINGS = 20
#: Said of every task whose items come from files.
_NOISE = "Custom kwargs can be passed"


class _Warnings(logging.Handler):
    """Keeps each warning once, for the provenance of the result."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()[:300]
        if len(self.messages) < _MOST_WARNINGS and message not in self.messages and _NOISE not in message:
            self.messages.append(message)


@contextlib.contextmanager
def quiet() -> Iterator[list[str]]:
    """No progress bars and no log lines of lm-eval and datasets; the list fills with their warnings."""
    handler = _Warnings()
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [(logger.propagate, logger.level) for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    datasets.disable_progress_bars()
    bar, lm_eval.api.task.tqdm = lm_eval.api.task.tqdm, _no_bar
    template, lm_eval.utils.apply_template = lm_eval.utils.apply_template, _rendered
    try:
        yield handler.messages
    finally:
        lm_eval.api.task.tqdm = bar
        lm_eval.utils.apply_template = template
        for logger, (propagate, level) in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate, logger.level = propagate, level


def _no_bar(iterable: Any, **_: Any) -> Any:
    return iterable


def _rendered(template: str, doc: Mapping[str, Any]) -> str:
    """What lm-eval's own function gives; that one compiles the template anew for every item and every use."""
    text: str = _compiled(template).render(**doc)
    return text


@functools.lru_cache(maxsize=256)
def _compiled(template: str) -> Any:
    return lm_eval.utils.env.from_string(template)
