#!/usr/bin/env python3
"""Runs clang-tidy on files in parallel and prints every finding once.

    tools/lint.py CLANG_TIDY BUILD_FOLDER < list-of-files

The build folder has compile_commands.json, and openmp/omp.h, which the clang-tidy of PyPI lacks. Files of a unity
build are concatenated into one file, so that LibTorch's headers, which take most of the time, are parsed once for
eight files. Including them instead does not work: the analyser checks only the main file.
Two warnings are disabled: -Wreturn-stack-address has false positives for structs of references, which g++ does not
have, and -Wdeprecated-declarations reports libstdc++ 12; g++ reports deprecations of our code.
A finding in a header is reported with every file that includes it; only the first report is printed.

Files without findings are cached in BUILD_FOLDER/clean.txt by a hash of the file, our headers that it includes, its
compile command, the checks and the version of the tool. Exit code 1 if there is a finding. A terminal shows progress.
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

FINDING = re.compile(r"^(?P<position>/\S+:\d+:\d+): (error|warning): .*\[(?P<check>[^\]]+)\]$")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROOTS = [pathlib.Path(name) for name in ("src", "tests", "bench", ".")]


def findings_of(output: str) -> dict[tuple[str, str], str]:
    """Returns the findings in the output of clang-tidy, with their notes, by position and check."""
    found = {}
    key = None
    for line in output.splitlines():
        match = FINDING.match(line)
        if match:
            key = (match["position"], match["check"])
            found[key] = line
        elif key:
            found[key] += "\n" + line
    return found


@functools.cache
def text_of(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@functools.cache
def included_by(path: pathlib.Path) -> tuple[pathlib.Path, ...]:
    """Returns our files that a file includes, from all include folders."""
    names = INCLUDE.findall(text_of(path))
    candidates = [root / name for name in names for root in [path.parent, *ROOTS]]
    return tuple(dict.fromkeys(path for path in candidates if path.is_file()))


def hash_of(file: str, tool: str) -> str:
    """Returns the hash of everything that affects the findings of a file."""
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
    """A translation unit: one file, or several files of a unity build."""

    file: str  # as in compile_commands.json
    entry: dict
    joined: list[str]  # the files of a unity build; empty otherwise


def units_in(build: str) -> list[Unit]:
    database = pathlib.Path(build) / "compile_commands.json"
    units = []
    for entry in json.loads(database.read_text()) if database.is_file() else []:
        joined = [str(path) for path in included_by(pathlib.Path(entry["file"])) if path.suffix == ".cpp"]
        units.append(Unit(os.path.relpath(entry["file"]), entry, joined))
    return units


def units_of(files: list[str], build: str) -> list[Unit]:
    """Returns the translation units of the files. A file that no unit compiles is a unit of its own."""
    unit_of = {}
    for unit in units_in(build):
        unit_of.update({os.path.relpath(path): unit for path in unit.joined or [unit.file]})
    units = {}
    for file in files:
        unit = unit_of.get(file, Unit(file, {}, []))
        units[unit.file] = unit
    return list(units.values())


def write_joined(units: list[Unit], folder: pathlib.Path) -> None:
    """Writes the concatenated files and a compile_commands.json for them into a folder for clang-tidy."""
    folder.mkdir(exist_ok=True)
    entries = []
    for unit in units:
        if not unit.entry:
            continue
        if unit.joined:
            path = joined_path(unit, folder)
            path.write_text("".join(map(text_with_newline, unit.joined)), encoding="utf-8")
            command = unit.entry["command"].replace(unit.entry["file"], str(path))
            command += "".join(f" -iquote{path}" for path in sorted({os.path.dirname(one) for one in unit.joined}))
            entries.append(unit.entry | {"file": str(path), "command": command})
            unit.file = str(path)
        else:
            entries.append(unit.entry)
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def joined_path(unit: Unit, folder: pathlib.Path) -> pathlib.Path:
    """Returns the path of a concatenated file. Copies the .clang-tidy of its source folder next to it."""
    root = pathlib.Path(os.path.relpath(unit.joined[0])).parts[0]
    (folder / root).mkdir(exist_ok=True)
    checks = pathlib.Path(root) / ".clang-tidy"
    if checks.is_file():
        (folder / root / ".clang-tidy").write_text(text_of(checks))
    return folder / root / (unit.file.replace("/", "-") + ".cpp")


def text_with_newline(path: str) -> str:
    text = text_of(pathlib.Path(path))
    return text if text.endswith("\n") else text + "\n"


def with_source_positions(output: str, unit: Unit) -> str:
    """Replaces positions in the concatenated file by positions in the source files."""
    starts = []
    line = 0
    for path in unit.joined:
        starts.append((line, path))
        line += text_with_newline(path).count("\n")

    def source_position(match: re.Match) -> str:
        start, path = max(one for one in starts if one[0] < int(match[1]))
        return f"{path}:{int(match[1]) - start}:"

    return re.sub(re.escape(unit.file) + r":(\d+):", source_position, output) if starts else output


def version_of(clang_tidy: str) -> str:
    return subprocess.run([clang_tidy, "--version"], capture_output=True, text=True, check=False).stdout


def lint(clang_tidy: str, build: str, unit: Unit) -> tuple[dict[tuple[str, str], str], str]:
    """Returns the findings in a unit, and an error message if clang-tidy failed."""
    # max-nodes is a fifth of the default of the analyser: the rest would be spent inside LibTorch.
    extra = ["-Wno-unknown-warning-option", "-Wno-deprecated-declarations", "-Wno-return-stack-address",
             "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=40000", f"-isystem{build}/openmp"]
    command = [clang_tidy, "-p", f"{build}/joined", "--quiet", *(f"--extra-arg={one}" for one in extra), unit.file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = findings_of(with_source_positions(done.stdout, unit))
    is_broken = done.returncode != 0 and not found
    return found, f"{unit.file}: clang-tidy failed\n{done.stdout}{done.stderr}" if is_broken else ""


def show_progress(done: int, total: int, started: float) -> None:
    if not sys.stderr.isatty():
        return
    left_s = (time.monotonic() - started) / done * (total - done)
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} translation units, {left_s / 60:.0f} min left ", end=end, file=sys.stderr, flush=True)


def main() -> int:
    clang_tidy, build = sys.argv[1], os.path.abspath(sys.argv[2])
    tool = version_of(clang_tidy)
    units = units_of(sys.stdin.read().split(), build)
    hashes = {unit.file: hash_of(unit.file, tool + unit.entry.get("command", "")) for unit in units}
    cache = pathlib.Path(build) / "clean.txt"
    known = set(cache.read_text().split()) if cache.is_file() else set()
    left = [unit for unit in units if hashes[unit.file] not in known]
    if len(left) < len(units):
        print(f"{len(units) - len(left)} of {len(units)} translation units are unchanged and clean")
    waiting = [(unit, hashes[unit.file]) for unit in left]
    write_joined(left, pathlib.Path(build) / "joined")
    shown = set()
    is_clean = True
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, cache.open("a") as clean_hashes:
        jobs = {pool.submit(lint, clang_tidy, build, unit): digest for unit, digest in waiting}
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
                print(jobs[job], file=clean_hashes, flush=True)
            show_progress(done, len(waiting), started)
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
