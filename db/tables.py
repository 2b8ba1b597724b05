"""The tables. Columns hold what is filtered, sorted or counted; the record itself is JSON beside them.

A change here needs a migration in ``db/migrations/versions``; a test compares the two.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from db.columns import AnyText, JsonText, UtcDateTime

#: Fixed names, so that a later migration can name what it changes.
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ENDPOINTS = Table(
    "endpoints",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    #: The name without case and accents; unique among the models that were not removed.
    Column("name_key", Text, nullable=False),
    Column("base_url", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("api_key_ref", Text),
    Column("max_in_flight", Integer, nullable=False),
    Column("timeout_s", Float, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    #: Runs of a removed model stay readable, therefore it is marked and not deleted.
    Column("removed_at", UtcDateTime),
    Column("requests_per_minute", Integer),
    #: None for the queue that every worker serves.
    Column("queue", String),
)
Index(
    "uq_endpoints_name_key",
    ENDPOINTS.c.name_key,
    unique=True,
    sqlite_where=ENDPOINTS.c.removed_at.is_(None),
    postgresql_where=ENDPOINTS.c.removed_at.is_(None),
)

CAPABILITIES = Table(
    "capabilities",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("endpoint_id", ForeignKey("endpoints.id"), nullable=False),
    Column("probed_at", UtcDateTime, nullable=False),
    Column("body", JsonText, nullable=False),
    Index(None, "endpoint_id", "probed_at"),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", String, primary_key=True),
    Column("endpoint_id", ForeignKey("endpoints.id"), nullable=False),
    Column("suite", Text, nullable=False),
    Column("identity", String, nullable=False),
    Column("spec", JsonText, nullable=False),
    Column("state", String, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("finished_at", UtcDateTime),
    Column("reason", AnyText),
    #: When it was asked to be cancelled or to pause; the state says which.
    Column("cancel_requested_at", UtcDateTime),
    #: None where nobody chose one.
    Column("priority", String),
    Index(None, "created_at"),
    Index(None, "endpoint_id", "created_at"),
    Index(None, "identity"),
)

BENCHMARK_RUNS = Table(
    "benchmark_runs",
    METADATA,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("benchmark", String, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("reused", Integer, nullable=False),
    Column("errors", JsonText, nullable=False),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("completion_tokens", BigInteger, nullable=False),
    Column("reason", AnyText),
    Column("method", String),
    Column("started_at", UtcDateTime),
    Column("finished_at", UtcDateTime),
    # of the raw result, once there is one
    Column("raw_sha256", String),
    Column("benchmark_version", String),
    Column("evaluator", String),
    Column("population", Integer),
    Column("provenance", JsonText, nullable=False),
    Column("asked_from", UtcDateTime),
    Column("asked_until", UtcDateTime),
)


def _of_benchmark_run() -> ForeignKeyConstraint:
    """Rows that belong to one benchmark of one run and go with it."""
    return ForeignKeyConstraint(
        ["run_id", "benchmark"], ["benchmark_runs.run_id", "benchmark_runs.benchmark"], ondelete="CASCADE"
    )


ENERGY = Table(
    "energy",
    METADATA,
    Column("run_id", String, primary_key=True),
    Column("benchmark", String, primary_key=True),
    Column("level", String, nullable=False),
    Column("scope", String, nullable=False),
    Column("energy_kwh", Float),
    Column("body", JsonText, nullable=False),
    _of_benchmark_run(),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String, primary_key=True),
    Column("outcome", String, nullable=False),
    Column("text", AnyText, nullable=False),
    Column("reasoning", AnyText),
    Column("finish_reason", AnyText),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("latency_s", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("answered_at", Float, nullable=False),
    #: ``[[token, logprob, [[token, logprob], …]], …]``
    Column("logprobs", JsonText),
    Column("vectors", JsonText),
)

FAILURES = Table(
    "failures",
    METADATA,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String, primary_key=True),
    #: None where the writer did not say.
    Column("benchmark", String),
    Column("error_class", String),
    Column("error", AnyText),
    Column("finish_reason", AnyText),
    Column("latency_s", Float, nullable=False),
    #: Of all times together; ``count`` is how often the request failed for good.
    Column("attempts", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    Column("answered_at", Float, nullable=False),
)

SAMPLES = Table(
    "samples",
    METADATA,
    Column("run_id", String, primary_key=True),
    Column("benchmark", String, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("sample_id", AnyText, nullable=False),
    #: First of the item's metrics, the one its benchmark leads with; None where the item could not be scored.
    Column("score", Float),
    Column("error", Boolean, nullable=False),
    Column("empty", Boolean, nullable=False),
    Column("truncated", Boolean, nullable=False),
    Column("refused", Boolean),
    Column("parse_ok", Boolean),
    #: Questions, answers and target without case and accents.
    Column("search_text", Text, nullable=False),
    Column("body", JsonText, nullable=False),
    UniqueConstraint("run_id", "benchmark", "sample_id"),
    _of_benchmark_run(),
)

MEASUREMENTS = Table(
    "measurements",
    METADATA,
    Column("run_id", String, primary_key=True),
    Column("benchmark", String, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("metric", String, nullable=False),
    Column("value", Float),
    Column("n_scored", Integer, nullable=False),
    Column("body", JsonText, nullable=False),
    _of_benchmark_run(),
)

ASSESSMENTS = Table(
    "assessments",
    METADATA,
    Column("id", String, primary_key=True),
    Column("endpoint_key", Text, nullable=False),
    Column("suite", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("sha256", String, nullable=False),
    Column("body", JsonText, nullable=False),
    #: Items that were asked for it.
    Column("n_items", Integer),
    #: What an assessment must share with another to be a fuller or a smaller one of the same: map and weights.
    Column("basis", Text),
    Index(None, "endpoint_key", "created_at"),
    Index(None, "created_at"),
)

SCORES = Table(
    "scores",
    METADATA,
    Column("assessment_id", ForeignKey("assessments.id", ondelete="CASCADE"), primary_key=True),
    Column("requirement", String, primary_key=True),
    Column("status", String, nullable=False),
    Column("value", Float),
    Column("low", Float),
    Column("high", Float),
    Column("verdict", String, nullable=False),
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("id", String, primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("version", String, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("heartbeat_at", UtcDateTime, nullable=False),
    #: Names of the queues it serves with commas between; None for all of them.
    Column("queues", Text),
)

SCHEDULES = Table(
    "schedules",
    METADATA,
    Column("id", String, primary_key=True),
    #: The name without case and accents.
    Column("name_key", Text, nullable=False),
    Column("endpoint_id", ForeignKey("endpoints.id"), nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("body", JsonText, nullable=False),
    UniqueConstraint("name_key"),
)

FIRINGS = Table(
    "firings",
    METADATA,
    Column("schedule_id", ForeignKey("schedules.id", ondelete="CASCADE"), primary_key=True),
    Column("due_at", UtcDateTime, primary_key=True),
    Column("state", String, nullable=False),
    #: Not a foreign key: that a run was started is a fact also where old runs are removed.
    Column("run_id", String),
    Column("settled_at", UtcDateTime),
    Column("body", JsonText, nullable=False),
    Index(None, "state", "settled_at"),
)

#: Kept when their schedule is removed: what somebody was told stays on record.
ALERTS = Table(
    "alerts",
    METADATA,
    Column("id", String, primary_key=True),
    Column("schedule_id", String, nullable=False),
    Column("state", String, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("body", JsonText, nullable=False),
    Index(None, "schedule_id", "created_at"),
    Index(None, "state"),
)
