"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _endpoints()
    _runs()
    _answers()
    _results()
    _assessments()
    op.create_table(
        "workers",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("heartbeat_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workers"),
    )


def _endpoints() -> None:
    op.create_table(
        "endpoints",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("api_key_ref", sa.Text()),
        sa.Column("max_in_flight", sa.Integer(), nullable=False),
        sa.Column("timeout_s", sa.Float(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("removed_at", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_endpoints"),
    )
    still_there = sa.text("removed_at IS NULL")
    op.create_index(
        "uq_endpoints_name_key",
        "endpoints",
        ["name_key"],
        unique=True,
        sqlite_where=still_there,
        postgresql_where=still_there,
    )
    op.create_table(
        "capabilities",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("endpoint_id", sa.String(), nullable=False),
        sa.Column("probed_at", _MOMENT, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_capabilities"),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name="fk_capabilities_endpoint_id"),
    )
    op.create_index("ix_capabilities_endpoint_id_probed_at", "capabilities", ["endpoint_id", "probed_at"])


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("endpoint_id", sa.String(), nullable=False),
        sa.Column("suite", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("started_at", _MOMENT),
        sa.Column("finished_at", _MOMENT),
        sa.Column("reason", sa.Text()),
        sa.Column("cancel_requested_at", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name="fk_runs_endpoint_id"),
    )
    op.create_index("ix_runs_created_at", "runs", ["created_at"])
    op.create_index("ix_runs_endpoint_id_created_at", "runs", ["endpoint_id", "created_at"])
    op.create_index("ix_runs_identity", "runs", ["identity"])
    op.create_table(
        "benchmark_runs",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("benchmark", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("reused", sa.Integer(), nullable=False),
        sa.Column("errors", sa.Text(), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("method", sa.String()),
        sa.Column("started_at", _MOMENT),
        sa.Column("finished_at", _MOMENT),
        sa.Column("raw_sha256", sa.String()),
        sa.Column("benchmark_version", sa.String()),
        sa.Column("evaluator", sa.String()),
        sa.Column("population", sa.Integer()),
        sa.Column("provenance", sa.Text(), nullable=False),
        sa.Column("asked_from", _MOMENT),
        sa.Column("asked_until", _MOMENT),
        sa.PrimaryKeyConstraint("run_id", "benchmark", name="pk_benchmark_runs"),
        _of_run("benchmark_runs"),
    )


def _answers() -> None:
    op.create_table(
        "answers",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reasoning", sa.Text()),
        sa.Column("finish_reason", sa.Text()),
        sa.Column("prompt_tokens", sa.Integer()),
        sa.Column("completion_tokens", sa.Integer()),
        sa.Column("latency_s", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("answered_at", sa.Float(), nullable=False),
        sa.Column("logprobs", sa.Text()),
        sa.Column("vectors", sa.Text()),
        sa.PrimaryKeyConstraint("run_id", "key", name="pk_answers"),
        _of_run("answers"),
    )
    op.create_table(
        "failures",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("benchmark", sa.String()),
        sa.Column("error_class", sa.String()),
        sa.Column("error", sa.Text()),
        sa.Column("finish_reason", sa.Text()),
        sa.Column("latency_s", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("answered_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "key", name="pk_failures"),
        _of_run("failures"),
    )


def _results() -> None:
    op.create_table(
        "energy",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("benchmark", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("energy_kwh", sa.Float()),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "benchmark", name="pk_energy"),
        _of_benchmark_run("energy"),
    )
    op.create_table(
        "samples",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("benchmark", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Text(), nullable=False),
        sa.Column("score", sa.Float()),
        sa.Column("error", sa.Boolean(), nullable=False),
        sa.Column("empty", sa.Boolean(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("refused", sa.Boolean()),
        sa.Column("parse_ok", sa.Boolean()),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "benchmark", "position", name="pk_samples"),
        sa.UniqueConstraint("run_id", "benchmark", "sample_id", name="uq_samples_run_id_benchmark_sample_id"),
        _of_benchmark_run("samples"),
    )
    op.create_table(
        "measurements",
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("benchmark", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("value", sa.Float()),
        sa.Column("n_scored", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "benchmark", "position", name="pk_measurements"),
        _of_benchmark_run("measurements"),
    )


def _assessments() -> None:
    op.create_table(
        "assessments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("endpoint_key", sa.Text(), nullable=False),
        sa.Column("suite", sa.Text(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_assessments"),
    )
    op.create_index("ix_assessments_endpoint_key_created_at", "assessments", ["endpoint_key", "created_at"])
    op.create_index("ix_assessments_created_at", "assessments", ["created_at"])
    op.create_table(
        "scores",
        sa.Column("assessment_id", sa.String(), nullable=False),
        sa.Column("requirement", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("value", sa.Float()),
        sa.Column("low", sa.Float()),
        sa.Column("high", sa.Float()),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("assessment_id", "requirement", name="pk_scores"),
        sa.ForeignKeyConstraint(
            ["assessment_id"], ["assessments.id"], name="fk_scores_assessment_id", ondelete="CASCADE"
        ),
    )


def _of_run(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=f"fk_{table}_run_id", ondelete="CASCADE")


def _of_benchmark_run(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["run_id", "benchmark"],
        ["benchmark_runs.run_id", "benchmark_runs.benchmark"],
        name=f"fk_{table}_run_id_benchmark",
        ondelete="CASCADE",
    )


def downgrade() -> None:
    for table in (
        "workers",
        "scores",
        "assessments",
        "measurements",
        "samples",
        "energy",
        "failures",
        "answers",
        "benchmark_runs",
        "runs",
        "capabilities",
        "endpoints",
    ):
        op.drop_table(table)
