#!/usr/bin/env python3
"""Runs clang-tidy on files, several at once, and prints every finding once.

    tools/lint.py CLANG_TIDY BUILD_FOLDER < list-of-files

The build folder has compile_commands.json and openmp/omp.h, which this clang-tidy does not bring along.
A struct of references that is handed to a function is taken for what the function returns; g++ knows better.
Deprecations are those of libstdc++ 12, whose algorithms use what C++17 gave up; g++ reports ours.
A finding in a header comes with every file that includes it; here it is shown the first time only.

Files without a finding are remembered in BUILD_FOLDER/clean.txt, by a hash over them, all of ours that they
include, the command that compiles them, the checks and the tool: looked at again is only what could have changed.
Exit 1 if there is any finding. On a terminal the last line says how far it is.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FINDING = re.compile(r"^(?P<place>/\S+:\d+:\d+): (error|warning): .*\[(?P<check>[^\]]+)\]$")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROOTS = [pathlib.Path(name) for name in ("src", "tests", "bench", ".")]


def findings_of(output: str) -> dict[tuple[str, str], str]:
    """The findings in clang-tidy's output with the lines that explain them, by place and check."""
    found = {}
    key = None
    for line in output.splitlines():
        match = FINDING.match(line)
        if match:
            key = (match["place"], match["check"])
            found[key] = line
        elif key:
            found[key] += "\n" + line
    return found


@functools.cache
def text_of(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@functools.cache
def included_by(path: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """Files of ours that a file names, wherever the compiler could look for them."""
    named = INCLUDE.findall(text_of(path))
    places = [root / name for name in named for root in [path.parent, *ROOTS]]
    return tuple(place for place in places if place.is_file())


def hash_of(file: str, tool: str) -> str:
    """Of everything that decides what is found in a file."""
    reached = set()
    waiting = [pathlib.Path(file)]
    while waiting:
        path = waiting.pop()
        if path in reached or not path.is_file():
            continue
        reached.add(path)
        waiting.extend(included_by(path))
    checks = pathlib.Path(".clang-tidy")
    digest = hashlib.sha256(tool.encode())
    for path in [checks, *sorted(reached)] if checks.is_file() else sorted(reached):
        digest.update(f"{path}\0{text_of(path)}\0".encode())
    return digest.hexdigest()


def commands_in(build: str) -> dict[str, str]:
    """How each file is compiled, by its name from here."""
    database = pathlib.Path(build) / "compile_commands.json"
    entries = json.loads(database.read_text()) if database.is_file() else []
    return {os.path.relpath(entry["file"]): entry["command"] for entry in entries}


def version_of(clang_tidy: str) -> str:
    return subprocess.run([clang_tidy, "--version"], capture_output=True, text=True, check=False).stdout


def lint(clang_tidy: str, build: str, file: str) -> tuple[dict[tuple[str, str], str], str]:
    """The findings in a file, and what went wrong if it could not be read at all."""
    extra = ["-Wno-unknown-warning-option", "-Wno-deprecated-declarations",
             "-Wno-return-stack-address", f"-isystem{build}/openmp"]
    command = [clang_tidy, "-p", build, "--quiet", *(f"--extra-arg={one}" for one in extra), file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = findings_of(done.stdout)
    is_broken = done.returncode != 0 and not found
    return found, f"{file}: clang-tidy failed\n{done.stdout}{done.stderr}" if is_broken else ""


def show_progress(done: int, total: int, started: float) -> None:
    if not sys.stderr.isatty():
        return
    left_s = (time.monotonic() - started) / done * (total - done)
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} files, {left_s / 60:.0f} min left ", end=end, file=sys.stderr, flush=True)


def main() -> int:
    clang_tidy, build = sys.argv[1], os.path.abspath(sys.argv[2])
    tool = version_of(clang_tidy)
    commands = commands_in(build)
    hashes = {file: hash_of(file, tool + commands.get(file, "")) for file in sys.stdin.read().split()}
    memory = pathlib.Path(build) / "clean.txt"
    known = set(memory.read_text().split()) if memory.is_file() else set()
    files = [file for file in hashes if hashes[file] not in known]
    if len(files) < len(hashes):
        print(f"{len(hashes) - len(files)} files are as they were when nothing was found in them")
    shown = set()
    is_clean = True
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, memory.open("a") as remembered:
        jobs = {pool.submit(lint, clang_tidy, build, file): file for file in files}
        for done, job in enumerate(concurrent.futures.as_completed(jobs), start=1):
            found, failure = job.result()
            for key, text in found.items():
                if key not in shown:
                    print(text, flush=True)
            shown.update(found)
            if failure:
                print(failure, flush=True)
            if found or failure:
                is_clean = False
            else:
                print(hashes[jobs[job]], file=remembered, flush=True)
            show_progress(done, len(files), started)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
