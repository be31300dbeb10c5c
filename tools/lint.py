#!/usr/bin/env python3
"""Runs clang-tidy on files, several at once, and prints every finding once.

    tools/lint.py CLANG_TIDY BUILD_FOLDER < list-of-files

The build folder has compile_commands.json and openmp/omp.h, which this clang-tidy does not bring along.
A struct of references that is handed to a function is taken for what the function returns; g++ knows better.
Deprecations are those of libstdc++ 12, whose algorithms use what C++17 gave up; g++ reports ours.
A finding in a header comes with every file that includes it; here it is shown the first time only.
Exit 1 if there is any. On a terminal the last line says how far it is.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import time

FINDING = re.compile(r"^(?P<place>/\S+:\d+:\d+): (error|warning): .*\[(?P<check>[^\]]+)\]$")


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
    files = sys.stdin.read().split()
    shown = set()
    is_clean = True
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(lint, clang_tidy, build, file) for file in files]
        for done, job in enumerate(concurrent.futures.as_completed(jobs), start=1):
            found, failure = job.result()
            for key, text in found.items():
                if key not in shown:
                    print(text, flush=True)
            shown.update(found)
            if failure:
                print(failure, flush=True)
            is_clean = is_clean and not found and not failure
            show_progress(done, len(files), started)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
