"""Body of the process in which one program of a model runs: shuts itself in, runs it, and tells how that ended.

Started as a script by an interpreter that sees no packages; needs nothing but the standard library. What shuts it in
needs no privilege: Landlock (kernel 5.13) leaves it one folder to write into and the interpreter's own files to read,
and a filter of system calls leaves it neither network nor further processes. Each step that fails ends the process
before the program is looked at.
"""

import ctypes
import json
import os
import platform
import resource
import signal
import struct
import sys
from pathlib import Path
from typing import Any

_LIBC = ctypes.CDLL(None, use_errno=True)
#: What stands before a verdict on a program that was run.
_SHUT_IN = b"shut in\n"
#: The same on every architecture.
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
#: Write, read, list, remove, and make files and folders.
_USE = sum(1 << bit for bit in (1, 2, 3, 4, 5, 7, 8))
_TRUNCATE = 1 << 14
#: Rights to files that a version of Landlock knows; what is known and not given is refused.
_KNOWN = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}

#: Name → number on x86-64 and on 64-bit ARM; what an interpreter needs that computes and reads its own library.
_CALLS: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None), "arch_prctl": (158, None), "brk": (12, 214), "chdir": (80, 49), "clock_getres": (229, 114),
    "clock_gettime": (228, 113), "clock_nanosleep": (230, 115), "close": (3, 57), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "exit": (60, 93), "exit_group": (231, 94), "faccessat": (269, 48), "faccessat2": (439, 439),
    "fstat": (5, 80), "fsync": (74, 82), "ftruncate": (77, 46), "futex": (202, 98), "getcwd": (79, 17),
    "getdents64": (217, 61), "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176), "getpid": (39, 172),
    "getppid": (110, 173), "getrandom": (318, 278), "getrusage": (98, 165), "gettid": (186, 178),
    "gettimeofday": (96, 169), "getuid": (102, 174), "lseek": (8, 62), "lstat": (6, None), "madvise": (28, 233),
    "mkdir": (83, None), "mkdirat": (258, 34), "mmap": (9, 222), "mprotect": (10, 226), "mremap": (25, 216),
    "munmap": (11, 215), "nanosleep": (35, 101), "newfstatat": (262, 79), "open": (2, None), "openat": (257, 56),
    "pipe": (22, None), "pipe2": (293, 59), "poll": (7, None), "ppoll": (271, 73), "pread64": (17, 67),
    "pselect6": (270, 72), "pwrite64": (18, 68), "read": (0, 63), "readlink": (89, None), "readlinkat": (267, 78),
    "readv": (19, 65), "rename": (82, None), "renameat": (264, 38), "restart_syscall": (219, 128),
    "rmdir": (84, None), "rseq": (334, 293), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "sched_getaffinity": (204, 123), "sched_yield": (24, 124), "select": (23, None),
    "set_robust_list": (273, 99), "set_tid_address": (218, 96), "sigaltstack": (131, 132), "stat": (4, None),
    "statx": (332, 291), "sysinfo": (99, 179), "times": (100, 153), "umask": (95, 166), "uname": (63, 160),
    "unlink": (87, None), "unlinkat": (263, 35), "write": (1, 64), "writev": (20, 66),
}  # fmt: skip
#: Calls of which only some uses are harmless: numbers, place of the argument, its values.
_TERMINAL = (0x5401, 0x5450, 0x5451)  # whether a file is a terminal; whether it is kept over a new program
_COPIES = (0, 1, 2, 3, 1030)  # copying and asking about a file; not making it send signals
_ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06


def _checked(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), what)
    return result


def _control(option: int, *values: int, what: str) -> None:
    """Prctl with all of its five arguments as wide as the kernel reads them."""
    given = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    _checked(_LIBC.prctl(option, *given), what)


def limit(job: dict[str, Any]) -> None:
    """Bound computing time, memory, sizes and numbers of files, and processes."""
    for kind, most in (
        (resource.RLIMIT_CPU, job["cpu_s"]),
        (resource.RLIMIT_AS, job["memory_bytes"]),
        (resource.RLIMIT_FSIZE, job["file_bytes"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, 1),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def leave_files(job: dict[str, Any]) -> None:
    """Nothing but the job's folder can be written from here on, and nothing but it and what is listed be read."""
    version = _checked(_LIBC.syscall(_LANDLOCK_CREATE, None, 0, 1), "the kernel has no Landlock")
    handled = (1 << _KNOWN[min(version, max(_KNOWN))]) - 1
    attributes = struct.pack("QQQ", handled, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _checked(_LIBC.syscall(_LANDLOCK_CREATE, attributes, size, 0), "Landlock")
    for path in job["readable"]:
        _allow(ruleset, path, _READ_FILE | _READ_DIR if Path(path).is_dir() else _READ_FILE)
    _allow(ruleset, job["folder"], (_USE | _TRUNCATE) & handled)
    _checked(_LIBC.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "Landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:  # a system need not have every folder of libraries
        return
    _checked(_LIBC.syscall(_LANDLOCK_ADD, ruleset, 1, struct.pack("=Qi", rights, place), 0), f"Landlock on {path}")
    os.close(place)


def leave_system() -> None:
    """From here on every system call that is not listed fails, and one of another architecture ends the process."""
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise OSError(0, f"there is no list of system calls for {machine}")
    program = _filter(*_ARCHITECTURES[machine])
    text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    header = ctypes.create_string_buffer(struct.pack("HL", len(program), ctypes.addressof(text)))
    _control(_PR_SET_SECCOMP, 2, ctypes.addressof(header), what="the filter of system calls")


def _filter(architecture: int, column: int) -> list[tuple[int, int, int, int]]:
    """A program of the kernel's packet filter over the number and the arguments of a system call."""
    steps = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    some = (((16, 29), 1, _TERMINAL), ((72, 25), 1, _COPIES), ((234, 131), 0, (os.getpid(),)))
    for numbers, place, values in some:
        steps += [(_EQUAL, 0, 2 + 2 * len(values), numbers[column]), (_LOAD, 0, 0, 16 + 8 * place)]
        for value in values:
            steps += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
        steps.append((_RETURN, 0, 0, _REFUSE))
    for listed in _CALLS.values():
        if (number := listed[column]) is not None:
            steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    return [*steps, (_RETURN, 0, 0, _REFUSE)]


def run(program: str) -> dict[str, str]:
    """Run the program; passed where it came to its end."""
    try:
        exec(compile(program, "<answer>", "exec"), {"__name__": "answer"})  # noqa: S102 - what this process is for
    except PermissionError as error:
        return {"outcome": "refused", "detail": _described(error)}
    except BaseException as error:  # noqa: BLE001 - whatever a program raises, its own exit included
        return {"outcome": "failed", "detail": _described(error)}
    return {"outcome": "passed", "detail": ""}


def _described(error: BaseException) -> str:
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - an exception of the program's own may not be able to say anything
        said = ""
    return f"{type(error).__name__}: {said}"[:200] if said else type(error).__name__


def main() -> None:
    """Read the job, shut the process in, run, tell."""
    job = json.loads(sys.stdin.buffer.read())
    told = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)
    try:
        os.chdir(job["folder"])
        _control(_PR_SET_PDEATHSIG, signal.SIGKILL, what="ending with its parent")
        _control(_PR_SET_DUMPABLE, 0, what="hiding its memory")
        _control(_PR_SET_NO_NEW_PRIVS, 1, what="giving up privileges")
        limit(job)
        leave_files(job)
        leave_system()
    except (OSError, ValueError) as error:
        verdict = {"outcome": "unsafe", "detail": _described(error)}
    else:
        # said before the program is looked at, which could say later that it was never shut in
        os.write(told, _SHUT_IN)
        verdict = run(job["program"])
    os.write(told, json.dumps({**verdict, "word": job["word"]}).encode())
    os._exit(0)  # nothing the program registered for the end runs


if __name__ == "__main__":
    main()
