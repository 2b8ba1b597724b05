"""Answers of a run as they come, and the requests that failed."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Engine, RowMapping, exists, func, select

from db.connection import Connected
from db.tables import ANSWERS, FAILURES
from domain.answers import Answer, AnswerStore, ErrorClass, Outcome, TokenLogprob

#: Keys per query, below the number of parameters a SQLite or PostgreSQL statement may have.
_KEYS_PER_QUERY = 2000

_SHARED = ("key", "finish_reason", "latency_s", "attempts", "answered_at")
_FIELDS = (*_SHARED, "text", "reasoning", "prompt_tokens", "completion_tokens")
_FAILURE_FIELDS = (*_SHARED, "error")


class RunAnswers(Connected):
    """The answers of one run; an ``AnswerStore`` that any thread may use."""

    def __init__(self, engine: Engine, run_id: str, benchmark: str | None) -> None:
        super().__init__(engine)
        self._run_id = run_id
        self._benchmark = benchmark
        self._upsert_answers = self._upsert(ANSWERS)
        self._upsert_failures = self._upsert(FAILURES, add=frozenset({"count", "attempts"}))

    def known(self, keys: Sequence[str]) -> dict[str, Answer]:
        """The stored answers among these keys."""
        found: dict[str, Answer] = {}
        with self._reading() as connection:
            for some in _chunks(keys, _KEYS_PER_QUERY):
                wanted = select(ANSWERS).where(ANSWERS.c.run_id == self._run_id, ANSWERS.c.key.in_(some))
                for row in connection.execute(wanted).mappings():
                    found[row["key"]] = _answer(row)
        return found

    def put(self, answers: Sequence[Answer]) -> None:
        """Keep answers in one transaction; an ERROR is refused, for it must be asked again."""
        rows = []
        for answer in answers:
            if not answer.is_answer:
                raise ValueError(f"the request {answer.key} failed ({answer.error_class}) and has no answer to keep")
            rows.append(self._row(answer, _FIELDS))
            rows[-1]["logprobs"] = [[t.token, t.logprob, t.top] for t in answer.logprobs] or None
            rows[-1]["vectors"] = answer.vectors or None
            rows[-1]["outcome"] = answer.outcome
        self._write(self._upsert_answers, rows)

    def failed(self, answers: Sequence[Answer]) -> None:
        """Keep the latest failure of each request, with how often it failed."""
        rows = []
        for answer in answers:
            rows.append(self._row(answer, _FAILURE_FIELDS))
            rows[-1] |= {"error_class": answer.error_class, "benchmark": self._benchmark, "count": 1}
        self._write(self._upsert_failures, rows)

    def _row(self, answer: Answer, fields: Sequence[str]) -> dict[str, Any]:
        row = {name: getattr(answer, name) for name in fields}
        row["run_id"] = self._run_id
        return row

    def _write(self, statement: Any, rows: list[dict[str, Any]]) -> None:
        if not rows:
            return
        # two writers that touch the same keys in the same order cannot wait for each other
        rows.sort(key=lambda row: row["key"])
        with self._writing() as connection:
            connection.execute(statement, rows)


class Answers(Connected):
    """The Store's part on answers."""

    def answers(self, run_id: str, benchmark: str | None = None) -> AnswerStore:
        """Where the answers of a run are kept; ``benchmark`` is noted with its failures."""
        return RunAnswers(self._engine, run_id, benchmark)

    def answer_count(self, run_id: str) -> int:
        """Answers kept of a run."""
        wanted = select(func.count()).select_from(ANSWERS).where(ANSWERS.c.run_id == run_id)
        with self._reading() as connection:
            return connection.scalar(wanted) or 0

    def answer_rate(self, run_id: str, *, now: float, window_s: float = 60.0) -> float | None:
        """Answers of a run per second in the last minute (Unix time ``now``); None where there were none."""
        recent = (ANSWERS.c.run_id == run_id, ANSWERS.c.answered_at > now - window_s)
        wanted = select(func.count(), func.min(ANSWERS.c.answered_at)).where(*recent)
        with self._reading() as connection:
            count, first = connection.execute(wanted).one()
        return count / max(now - first, 1.0) if count else None

    def failures(self, run_id: str, benchmark: str | None = None, limit: int = 50) -> list[Answer]:
        """Requests that failed and have no answer since, latest first; ``attempts`` counts all times together."""
        answered = exists().where(ANSWERS.c.run_id == FAILURES.c.run_id, ANSWERS.c.key == FAILURES.c.key)
        wanted = select(FAILURES).where(FAILURES.c.run_id == run_id, ~answered)
        if benchmark is not None:
            wanted = wanted.where(FAILURES.c.benchmark == benchmark)
        wanted = wanted.order_by(FAILURES.c.answered_at.desc(), FAILURES.c.key).limit(limit)
        with self._reading() as connection:
            return [_failure(row) for row in connection.execute(wanted).mappings()]


def _chunks(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _answer(row: RowMapping) -> Answer:
    values = {name: row[name] for name in _FIELDS}
    tokens = tuple(
        [TokenLogprob(token, logprob, tuple([(t, p) for t, p in top])) for token, logprob, top in row["logprobs"] or ()]
    )
    vectors = tuple([tuple(vector) for vector in row["vectors"] or ()])
    return Answer(**values, outcome=Outcome(row["outcome"]), logprobs=tokens, vectors=vectors)


def _failure(row: RowMapping) -> Answer:
    values = {name: row[name] for name in _FAILURE_FIELDS}
    kind = None if row["error_class"] is None else ErrorClass(row["error_class"])
    return Answer(**values, outcome=Outcome.ERROR, error_class=kind)
