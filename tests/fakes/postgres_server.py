"""A real PostgreSQL server of the tests' own: Debian's binaries, a temporary folder, no network port."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class ServerMissing(Exception):
    """No PostgreSQL server can be started here; the message says why."""


def _binaries() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    raise ServerMissing("the PostgreSQL server binaries are missing (apt-get install postgresql)")


def _as_server_user() -> list[str]:
    """PostgreSQL refuses to run as root; Debian's package brings the user postgres."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam("postgres")
    except KeyError as error:
        raise ServerMissing("PostgreSQL does not run as root and there is no user postgres") from error
    return ["runuser", "-u", "postgres", "--"]


@contextmanager
def serving() -> Iterator[str]:
    """URL of a fresh server without databases of its own besides ``postgres``; stopped and removed afterwards."""
    binaries, user = _binaries(), _as_server_user()
    with tempfile.TemporaryDirectory(prefix="vera-postgres-") as name:
        folder = Path(name)
        if user:
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
        data, log = folder / "data", folder / "log"
        _run([*user, binaries / "initdb", "-D", data, "-U", "vera", "-A", "trust", "-E", "UTF8", "--no-sync"], folder)
        # without fsync, which guards against a power cut only and makes new databases slow
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c max_connections=60 -c fsync=off"
        _run([*user, binaries / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start"], folder)
        try:
            yield f"postgresql://vera@/postgres?host={folder}"
        finally:
            _run([*user, binaries / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"], folder)


@contextmanager
def stopped(url: str) -> Iterator[None]:
    """The server of this URL killed, and started again at the end of the block."""
    binaries, user, folder = _binaries(), _as_server_user(), Path(url.rpartition("host=")[2])
    control: list[str | Path] = [*user, binaries / "pg_ctl", "-D", folder / "data", "-w"]
    _run([*control, "-m", "immediate", "stop"], folder)
    try:
        yield
    finally:
        # it keeps the options it was started with
        options = (folder / "data" / "postmaster.opts").read_text().split(maxsplit=1)[1].replace('"', "")
        settings = options.partition("-c ")[2]
        _run([*control, "-l", folder / "log", "-o", f"-c {settings.strip()}", "start"], folder)


def _run(command: list[str | Path], folder: Path) -> None:
    # pg_ctl leaves the server with its output; a pipe would stay open for as long as the server runs
    with (folder.parent / f"{folder.name}.out").open("w+") as output:
        Path(output.name).unlink()
        done = subprocess.run(command, cwd="/", stdout=output, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            output.seek(0)
            raise ServerMissing(f"PostgreSQL did not start: {output.read()[-500:]}")
