"""What an operator may set, all of it through VERA_… variables; read once at an entry point and passed down."""

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.errors import InvalidSettings


class Settings(BaseSettings):
    """Frozen settings. Every field is described in docs/settings.md."""

    model_config = SettingsConfigDict(env_prefix="VERA_", frozen=True, extra="ignore")

    home: Path = Field(
        default_factory=lambda: Path.home() / ".local" / "share" / "vera",
        description="Folder for the database, the model cache and reports.",
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL of the database; a SQLite file vera.db in the home folder when not set.",
    )
    secrets_file: Path | None = Field(
        default=None,
        description='TOML file with one `name = "key"` per line for API keys; must not be readable by others.',
    )
    data_dir: Path | None = Field(
        default=None, description="Folder with imported data sets; the folder data in the home folder when not set."
    )
    tasks_dir: Path | None = Field(default=None, description="Folder with lm-eval task YAML files of your own.")
    policy_file: Path | None = Field(
        default=None,
        description="YAML policy with thresholds per requirement; the example policy when not set.",
    )
    judge: str | None = Field(
        default=None,
        description="Registered model that judges answers where a command names none; nobody when not set.",
    )
    allow_code: bool = Field(
        default=False,
        description="Run programs a model wrote (HumanEval), shut in a sandbox; never without one.",
    )
    offline: bool = Field(
        default=False, description="Never go online for data sets; a missing one is one clear sentence."
    )
    country: str | None = Field(
        default=None,
        pattern="^[A-Z]{3}$",
        description="Three-letter country of the machine for the carbon intensity; CO₂ is not computed without it.",
    )
    host: str = Field(default="127.0.0.1", description="Address the dashboard listens on.")
    port: int = Field(default=8501, ge=1, le=65535, description="Port the dashboard listens on.")
    worker_parallel: int = Field(default=2, ge=1, le=64, description="Runs one worker carries out at the same time.")

    public_url: str | None = Field(
        default=None,
        pattern="^https?://",
        description="Address at which readers reach the dashboard; alerts link to it where it is set.",
    )
    smtp_host: str | None = Field(default=None, description="Mail server for alerts; no e-mail without it.")
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Port of the mail server.")
    smtp_from: str | None = Field(default=None, description="Sender of alerts by e-mail.")
    smtp_tls: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection to the mail server is protected."
    )
    smtp_user: str | None = Field(default=None, description="User at the mail server, where it wants one.")
    smtp_password_ref: str | None = Field(
        default=None,
        pattern="^(env|file):",
        description="Where the mail server's password is found: env:VARIABLE or file:ENTRY of the secrets file.",
    )
    alert_attempts: int = Field(default=6, ge=1, le=20, description="Attempts to deliver an alert before giving up.")
    alert_backoff_s: float = Field(
        default=5.0,
        ge=0.1,
        le=3600,
        description="Seconds before the second attempt; each further wait is four times it.",
    )

    @field_validator("database_url")
    @classmethod
    def _one_name_for_postgres(cls, url: str | None) -> str | None:
        """Many services hand out the older ``postgres://``; the queue and the store must read it alike."""
        return url.replace("postgres://", "postgresql://", 1) if url and url.startswith("postgres://") else url

    @classmethod
    def load(cls) -> Self:
        """Settings of this process; InvalidSettings names the variable and its value."""
        try:
            return cls()
        except ValidationError as error:
            first = error.errors()[0]
            name = "VERA_" + str(first["loc"][0]).upper()
            raise InvalidSettings(f"{name}={first['input']!r} cannot be used: {first['msg']}.") from error

    @property
    def data_folder(self) -> Path:
        """Where imported data sets are."""
        return self.data_dir or self.home / "data"

    @property
    def store_url(self) -> str:
        """URL of VERA's own tables."""
        return self.database_url or f"sqlite:///{self.home / 'vera.db'}"

    @property
    def jobs_url(self) -> str:
        """URL of the job queue's tables: a SQLite file of its own, or the same Postgres database."""
        return self.database_url if self.is_postgres and self.database_url else f"sqlite:///{self.home / 'jobs.db'}"

    @property
    def is_postgres(self) -> bool:
        """Whether the database is a server and not a file."""
        return bool(self.database_url and self.database_url.startswith("postgresql"))

    @property
    def model_cache(self) -> Path:
        """Folder that holds the embedded model once it was fetched."""
        return self.home / "models"
