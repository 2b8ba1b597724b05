"""Entry point of the `vera` command: the list of commands, and the one place where an error becomes text."""

import errno
import sqlite3
import sys
from typing import TYPE_CHECKING

import typer

from app.console import (
    canaries,
    corpus,
    data,
    database,
    demo,
    evaluations,
    history,
    imports,
    judges,
    models,
    schedules,
    service,
)
from domain.errors import RunFailed, UserError, VeraError

if TYPE_CHECKING:
    from collections.abc import Sequence

OK, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="vera",
    help="Evaluate served language models against the twelve measurable requirements of COMPL-AI.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(models.commands, name="models")
app.add_typer(judges.commands, name="judges")
app.command("suites")(evaluations.suites)
app.command("evaluate")(evaluations.evaluate)
app.command("runs")(history.runs)
app.command("show")(history.show)
app.command("pause")(history.pause)
app.command("resume")(history.resume)
app.command("retry")(history.retry)
app.command("cancel")(history.cancel)
app.command("rescore")(history.rescore)
app.command("report")(history.report)
app.command("compare")(schedules.compare)
app.add_typer(schedules.commands, name="schedule")
app.add_typer(data.commands, name="data")
app.add_typer(corpus.commands, name="corpus")
app.add_typer(canaries.commands, name="canaries")
app.add_typer(imports.commands, name="import")
app.add_typer(database.commands, name="db")
app.command("worker")(service.worker)
app.command("serve")(service.serve)
app.command("demo")(demo.demo)
app.add_typer(demo.commands, name="demo-model")
app.command("version")(service.version)


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run one command; its exit code: 0, 1 (the run failed), 2 (the input cannot be used), 130 (Ctrl-C)."""
    try:
        return app(args=arguments, standalone_mode=False) or OK
    except typer.TyperException as error:
        return _say(error.format_message(), error.exit_code)
    except typer.Abort:
        return _say("Stopped.", INTERRUPTED)
    except RunFailed as error:
        return _say(error.sentence, FAILED)
    except UserError as error:
        return _say(error.sentence, BAD_INPUT)
    except VeraError as error:
        return _say(error.sentence, FAILED)
    except Exception as error:  # noqa: BLE001 - nobody at a terminal is shown a traceback
        return _say(_unforeseen(error), FAILED)


def _say(sentence: str, code: int) -> int:
    print(f"vera: {sentence}", file=sys.stderr)
    return code


def _unforeseen(error: Exception) -> str:
    """What an error that nobody foresaw comes down to; its traceback goes to the log."""
    if _is_disk_full(error):
        return "The disk is full; free some space and run the same command again: what was answered is kept."
    from domain.settings import Settings  # noqa: PLC0415 - only when something broke
    from jobs import logs  # noqa: PLC0415 - as above

    try:
        file = logs.record_failure(Settings.load(), "none", "command line", error)
    except (OSError, VeraError):
        return f"An error of VERA's own ({type(error).__name__}: {logs.first_line(error)}), which could not be logged."
    return f"An error of VERA's own ({type(error).__name__}: {logs.first_line(error)}); the details are in {file}."


def _is_disk_full(error: BaseException | None) -> bool:
    while error is not None:
        origin = getattr(error, "orig", error)
        if isinstance(origin, sqlite3.Error) and getattr(origin, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:
            return True
        if isinstance(origin, OSError) and origin.errno == errno.ENOSPC:
            return True
        error = error.__cause__
    return False


if __name__ == "__main__":
    sys.exit(main())
