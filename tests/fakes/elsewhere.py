"""The `vera` command as it would run on another machine, or as another version: `python -m fakes.elsewhere worker`."""

import os
import socket
import sys

from app import cli
from jobs import processes

if host := os.environ.get("PRETENDED_HOST"):
    socket.gethostname = lambda: host
if version := os.environ.get("PRETENDED_VERSION"):
    processes.version = lambda: version

if __name__ == "__main__":
    sys.exit(cli.main(sys.argv[1:]))
