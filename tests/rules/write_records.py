#!/usr/bin/env python3
"""Injects faults (tests/cli/fault_cases.py), prints the findings, and writes the records of such runs.

    MYXTTS=build/release/myxtts .venv/bin/python tests/rules/write_records.py \\
        [--write tests/rules/records] [--repeats 5] [ID ...]

Exit code 1 if an injected fault is not the first finding or a healthy run has findings.
"""

import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from fault_cases import FAULTS, HEALTHY, CannotInject, finding_ids, run  # noqa: E402

MAX_STEPS = 40


def is_expected(name, result):
    return not finding_ids(result) if name in HEALTHY else finding_ids(result)[:1] == [name]


def rounded(value):
    """Rounds numbers to six digits; asserts that no string is a path of this machine."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    assert not isinstance(value, str) or "/" not in value, value
    return float(f"{value:.6g}") if isinstance(value, float) else value


def lines_of(value, depth=0):
    """Formats JSON with one line per field of a section, step, stage and signature."""
    indent = " " * (depth + 1)
    if isinstance(value, dict) and depth < 2:
        fields = ",\n".join(f"{indent}{json.dumps(key)}: {lines_of(one, depth + 1)}"
                            for key, one in value.items())
        return "{\n" + fields + "\n" + " " * depth + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(indent + json.dumps(one) for one in value) + "\n" + " " * depth + "]"
    return json.dumps(value)


def record_text(result):
    record = rounded(result["record"])
    record["steps"] = record["steps"][:MAX_STEPS]
    return lines_of(record) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Inject faults and print the findings.")
    parser.add_argument("names", nargs="*", help=f"runs: {' '.join([*FAULTS, *HEALTHY])}; default: all")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--write", type=pathlib.Path, metavar="FOLDER",
                        help="write the record of each run with the expected findings to FOLDER/ID.json")
    arguments = parser.parse_args()
    wrong = 0
    for name in arguments.names or [*FAULTS, *HEALTHY]:
        prepare = {**FAULTS, **HEALTHY}[name]
        for _ in range(arguments.repeats):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    result = run(prepare, pathlib.Path(folder))
                except CannotInject as reason:
                    print(f"{name}: skipped, {reason}", flush=True)
                    break
            print(f"{name}: {' '.join(finding_ids(result)) or 'nothing'}", flush=True)
            if not is_expected(name, result):
                wrong += 1
            elif arguments.write:
                (arguments.write / f"{name}.json").write_text(record_text(result))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
