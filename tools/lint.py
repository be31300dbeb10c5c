#!/usr/bin/env python3
"""Runs clang-tidy on files, several at once, and prints every finding once.

    tools/lint.py CLANG_TIDY BUILD_FOLDER < list-of-files

The build folder has compile_commands.json and openmp/omp.h, which this clang-tidy does not bring along. Where the
build joins several files by including them into one, they are written into one for clang-tidy: LibTorch's headers,
which take most of the time, are read once for eight files. Included they would not do: the analyser goes through what
stands in the file that it is given, and through no other.
A struct of references that is handed to a function is taken for what the function returns; g++ knows better.
Deprecations are those of libstdc++ 12, whose algorithms use what C++17 gave up; g++ reports ours.
A finding in a header comes with every file that includes it; here it is shown the first time only.

What is without a finding is remembered in BUILD_FOLDER/clean.txt, by a hash over it, all of ours that it
includes, the command that compiles it, the checks and the tool: looked at again is only what could have changed.
Exit 1 if there is any finding. On a terminal the last line says how far it is.
"""

import concurrent.futures
import dataclasses
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
    return tuple(dict.fromkeys(place for place in places if place.is_file()))


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
    folders = {pathlib.Path(os.path.relpath(path)).parts[0] for path in reached if path.suffix == ".cpp"}
    checks = [folder / ".clang-tidy" for folder in map(pathlib.Path, [".", *sorted(folders)])]
    digest = hashlib.sha256(tool.encode())
    for path in [*filter(pathlib.Path.is_file, checks), *sorted(reached)]:
        digest.update(f"{path}\0{text_of(path)}\0".encode())
    return digest.hexdigest()


@dataclasses.dataclass
class Unit:
    """What the compiler is given: a file, or several that the build joins."""

    file: str  # as the list of commands has it
    entry: dict
    joined: list[str]  # none: the file stands for itself


def units_in(build: str) -> list[Unit]:
    database = pathlib.Path(build) / "compile_commands.json"
    units = []
    for entry in json.loads(database.read_text()) if database.is_file() else []:
        joined = [str(path) for path in included_by(pathlib.Path(entry["file"])) if path.suffix == ".cpp"]
        units.append(Unit(os.path.relpath(entry["file"]), entry, joined))
    return units


def units_of(files: list[str], build: str) -> list[Unit]:
    """Those that hold these files; one that nothing compiles stands for itself."""
    holding = {}
    for unit in units_in(build):
        holding.update({os.path.relpath(path): unit for path in unit.joined or [unit.file]})
    units = {}
    for file in files:
        unit = holding.get(file, Unit(file, {}, []))
        units[unit.file] = unit
    return list(units.values())


def write_joined(units: list[Unit], folder: pathlib.Path) -> None:
    """Writes each file of joined ones, and how it is compiled, into a folder that clang-tidy is pointed at."""
    folder.mkdir(exist_ok=True)
    entries = []
    for unit in units:
        if not unit.entry:
            continue
        if unit.joined:
            path = place_of(unit, folder)
            path.write_text("".join(map(lined_up, unit.joined)), encoding="utf-8")
            command = unit.entry["command"].replace(unit.entry["file"], str(path))
            command += "".join(f" -iquote{place}" for place in sorted({os.path.dirname(one) for one in unit.joined}))
            entries.append(unit.entry | {"file": str(path), "command": command})
            unit.file = str(path)
        else:
            entries.append(unit.entry)
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def place_of(unit: Unit, folder: pathlib.Path) -> pathlib.Path:
    """Where joined files are written to: with the checks of the folder that they are from."""
    root = pathlib.Path(os.path.relpath(unit.joined[0])).parts[0]
    (folder / root).mkdir(exist_ok=True)
    checks = pathlib.Path(root) / ".clang-tidy"
    if checks.is_file():
        (folder / root / ".clang-tidy").write_text(text_of(checks))
    return folder / root / (unit.file.replace("/", "-") + ".cpp")


def lined_up(path: str) -> str:
    text = text_of(pathlib.Path(path))
    return text if text.endswith("\n") else text + "\n"


def with_own_places(output: str, unit: Unit) -> str:
    """What was said of lines of joined files, of the lines of the files themselves."""
    starts = []
    line = 0
    for path in unit.joined:
        starts.append((line, path))
        line += lined_up(path).count("\n")

    def own(match: re.Match) -> str:
        start, path = max(one for one in starts if one[0] < int(match[1]))
        return f"{path}:{int(match[1]) - start}:"

    return re.sub(re.escape(unit.file) + r":(\d+):", own, output) if starts else output


def version_of(clang_tidy: str) -> str:
    return subprocess.run([clang_tidy, "--version"], capture_output=True, text=True, check=False).stdout


def lint(clang_tidy: str, build: str, unit: Unit) -> tuple[dict[tuple[str, str], str], str]:
    """The findings in a unit, and what went wrong if it could not be read at all."""
    # A fifth of the analyser's usual patience with a function: the rest would go into LibTorch's own.
    extra = ["-Wno-unknown-warning-option", "-Wno-deprecated-declarations", "-Wno-return-stack-address",
             "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=40000", f"-isystem{build}/openmp"]
    command = [clang_tidy, "-p", f"{build}/joined", "--quiet", *(f"--extra-arg={one}" for one in extra), unit.file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = findings_of(with_own_places(done.stdout, unit))
    is_broken = done.returncode != 0 and not found
    return found, f"{unit.file}: clang-tidy failed\n{done.stdout}{done.stderr}" if is_broken else ""


def show_progress(done: int, total: int, started: float) -> None:
    if not sys.stderr.isatty():
        return
    left_s = (time.monotonic() - started) / done * (total - done)
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} compilations, {left_s / 60:.0f} min left ", end=end, file=sys.stderr, flush=True)


def main() -> int:
    clang_tidy, build = sys.argv[1], os.path.abspath(sys.argv[2])
    tool = version_of(clang_tidy)
    units = units_of(sys.stdin.read().split(), build)
    hashes = {unit.file: hash_of(unit.file, tool + unit.entry.get("command", "")) for unit in units}
    memory = pathlib.Path(build) / "clean.txt"
    known = set(memory.read_text().split()) if memory.is_file() else set()
    left = [unit for unit in units if hashes[unit.file] not in known]
    if len(left) < len(units):
        print(f"{len(units) - len(left)} of {len(units)} compilations are as they were when nothing was found in them")
    waiting = [(unit, hashes[unit.file]) for unit in left]
    write_joined(left, pathlib.Path(build) / "joined")
    shown = set()
    is_clean = True
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, memory.open("a") as remembered:
        jobs = {pool.submit(lint, clang_tidy, build, unit): clean for unit, clean in waiting}
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
                print(jobs[job], file=remembered, flush=True)
            show_progress(done, len(waiting), started)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
