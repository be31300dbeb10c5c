#!/usr/bin/env python3
"""Writes tests/golden/demo_lengths.txt: symbols and frames of every utterance of the demo corpus.

    build/release/myxtts corpus demo --out demo_corpus
    python3 tools/golden/make_demo_lengths.py build/release/myxtts demo_corpus

One line per training utterance. Computed with flite 2.2 and espeak-ng 1.51; durations differ slightly
in other versions.
"""

import json
import pathlib
import subprocess
import sys

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "demo_lengths.txt"


def run_json(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    program, corpus = sys.argv[1], pathlib.Path(sys.argv[2]) / "train"
    lines = []
    for row in (corpus / "metadata.csv").read_text().splitlines():
        name, _, text = row.split("|")
        symbols = run_json(program, "text", text, "--json")["count"]
        frames = run_json(program, "audio", corpus / "wavs" / f"{name}.wav", "--json")["mel_frames"]
        lines.append(f"{symbols} {frames}\n")
    GOLDEN.write_text("".join(lines))


main()
