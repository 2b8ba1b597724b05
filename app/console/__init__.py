"""The `vera` command line: commands that call a verb of `jobs` and print what it returns.

Modules here import what a command needs inside the command, so that `vera --help` is there at once.
"""
