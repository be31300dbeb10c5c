#!/usr/bin/env python3
"""Checks commit messages. Prints one line per fault; exit 1 if there is one.

    tools/check_commits.py RANGE      such as origin/main..HEAD

A subject has at most 72 characters and no full stop at its end. An empty line and a body with the reason follow.
"""

import subprocess
import sys

MAX_CHARACTERS = 72


def faults(commit, message):
    lines = message.rstrip("\n").split("\n")
    subject = lines[0]
    place = f"{commit[:10]} '{subject}'"
    if len(subject) > MAX_CHARACTERS:
        yield f"{place}: {len(subject)} characters, at most {MAX_CHARACTERS}; move details to the body"
    if subject.endswith("."):
        yield f"{place}: ends with a full stop"
    if len(lines) > 1 and lines[1].strip():
        yield f"{place}: the second line is not empty"
    if not any(line.strip() for line in lines[2:]):
        yield f"{place}: no body; add the reason for the change and the evidence for it"


def messages(commits):
    """Yields pairs of a commit and its message. Skips merge commits."""
    output = subprocess.run(
        ["git", "log", "--no-merges", "--format=%H%n%B%x00", commits],
        check=True, capture_output=True, text=True).stdout
    for entry in output.split("\0"):
        if entry.strip():
            commit, message = entry.lstrip("\n").split("\n", 1)
            yield commit, message


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = [fault for commit, message in messages(arguments[0]) for fault in faults(commit, message)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
