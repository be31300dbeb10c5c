#!/usr/bin/env python3
"""Predicts the mean opinion score (MOS) of recordings with DNSMOS: 1 is bad, 5 is excellent.

judge_mos.py --text FILE --wavs DIR [--max-files N]

DIR has *.wav, as `myxtts speak` and `myxtts evaluate` write them. FILE is ignored; every judge gets it. Every
recording is mixed to mono, resampled to 16 kHz and padded with 0.3 s of silence on both sides. --max-files N
scores N files, evenly distributed over the sorted list.

A line per file goes to standard error, one JSON object to standard output:

  {"score": 3.18, "files": 160}        the mean of the overall MOS of DNSMOS

`tools/setup.sh judges-venv` installs the packages into .venv-judges. Compare the score with that of the
recordings that the voice was trained on (`myxtts evaluate --recordings`).
"""

import argparse
import json
import pathlib
import statistics
import sys

from judge_wer import PEAK, RATE_HZ, samples_of


def sample_evenly(files, count):
    """Returns at most `count` files, evenly distributed, starting with the first."""
    if count is None or count >= len(files):
        return files
    return [files[i * len(files) // count] for i in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=pathlib.Path, help="ignored")
    parser.add_argument("--wavs", required=True, type=pathlib.Path, help="folder with *.wav")
    parser.add_argument("--max-files", type=int, help="number of files to score; default: all")
    args = parser.parse_args()
    if args.max_files is not None and args.max_files < 1:
        parser.error(f"--max-files {args.max_files}: expected 1 or more")
    files = sample_evenly(sorted(args.wavs.glob("*.wav")), args.max_files)
    if not files:
        sys.exit(f"judge_mos.py: {args.wavs}: no WAV file; expected *.wav")
    try:
        from speechmos import dnsmos
    except ImportError as error:
        sys.exit(f"judge_mos.py: {error}; run tools/setup.sh judges-venv and use .venv-judges/bin/python")
    scores = []
    for file in files:
        scores.append(float(dnsmos.run(samples_of(file) / PEAK, RATE_HZ)["ovrl_mos"]))
        print(f"{file.name}  {scores[-1]:.2f}", file=sys.stderr)
    print(json.dumps({"score": round(statistics.fmean(scores), 4), "files": len(scores)}))


if __name__ == "__main__":
    main()
