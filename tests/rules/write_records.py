#!/usr/bin/env python3
"""Plants faults (tests/cli/planted.py), says what is found, and writes the records of such runs.

    MYXTTS=build/release/myxtts .venv/bin/python tests/rules/write_records.py \\
        [--write tests/rules/records] [--repeats 5] [ID ...]

Exit 1 if a fault was not the first finding, or something was found in a healthy run.
"""

import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from planted import FAULTS, HEALTHY, CannotPlant, found, run  # noqa: E402

MOST_STEPS = 40


def is_right(name, answer):
    return not found(answer) if name in HEALTHY else found(answer)[:1] == [name]


def rounded(value):
    """Six digits, and no word that names a place: a record is about a run, not about a machine."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    assert not isinstance(value, str) or "/" not in value, value
    return float(f"{value:.6g}") if isinstance(value, float) else value


def lines_of(value, depth=0):
    """JSON with a line for every field of a section, every step, stage and signature."""
    indent = " " * (depth + 1)
    if isinstance(value, dict) and depth < 2:
        fields = ",\n".join(f"{indent}{json.dumps(key)}: {lines_of(one, depth + 1)}"
                            for key, one in value.items())
        return "{\n" + fields + "\n" + " " * depth + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(indent + json.dumps(one) for one in value) + "\n" + " " * depth + "]"
    return json.dumps(value)


def record_text(answer):
    record = rounded(answer["record"])
    record["steps"] = record["steps"][:MOST_STEPS]
    return lines_of(record) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Plants faults and says what is found.")
    parser.add_argument("names", nargs="*", help=f"of {' '.join([*FAULTS, *HEALTHY])}; none: all")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--write", type=pathlib.Path, metavar="FOLDER",
                        help="write the record of each run that was judged rightly to FOLDER/ID.json")
    arguments = parser.parse_args()
    wrong = 0
    for name in arguments.names or [*FAULTS, *HEALTHY]:
        prepare = {**FAULTS, **HEALTHY}[name]
        for _ in range(arguments.repeats):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    answer = run(prepare, pathlib.Path(folder))
                except CannotPlant as why:
                    print(f"{name}: skipped, {why}", flush=True)
                    break
            print(f"{name}: {' '.join(found(answer)) or 'nothing'}", flush=True)
            if not is_right(name, answer):
                wrong += 1
            elif arguments.write:
                (arguments.write / f"{name}.json").write_text(record_text(answer))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
