#!/usr/bin/env python3
"""How good recordings sound to DNSMOS, a network that was taught by listeners: 1 is bad, 5 excellent.

judge_mos.py --text FILE --wavs DIR [--most N]

DIR has *.wav, as `myxtts speak` and `myxtts evaluate` write them; FILE is taken because every judge is
given it, and not read. Every recording is mixed to one channel at 16 kHz and gets 0.3 s of silence on both
sides. --most N listens to N of them that lie evenly over the list.

A line per file goes to standard error, one JSON object to standard output:

  {"score": 3.18, "files": 160}        the mean of DNSMOS's overall opinion

`tools/setup.sh judges-venv` puts what it needs into .venv-judges. A score means little alone: judge the
recordings that the voice was trained on as well (`myxtts evaluate --recordings`).
"""

import argparse
import json
import pathlib
import statistics
import sys

from judge_words import PEAK, RATE_HZ, samples_of


def evenly(files, most):
    """At most `most` of them, from the first on."""
    if most is None or most >= len(files):
        return files
    return [files[i * len(files) // most] for i in range(most)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=pathlib.Path, help="not read")
    parser.add_argument("--wavs", required=True, type=pathlib.Path, help="folder with *.wav")
    parser.add_argument("--most", type=int, help="listen to so many of them")
    args = parser.parse_args()
    if args.most is not None and args.most < 1:
        parser.error(f"--most {args.most}: expected 1 or more")
    files = evenly(sorted(args.wavs.glob("*.wav")), args.most)
    if not files:
        sys.exit(f"judge_mos.py: {args.wavs}: expected *.wav; none is there")
    try:
        from speechmos import dnsmos
    except ImportError as error:
        sys.exit(f"judge_mos.py: {error}; tools/setup.sh judges-venv makes .venv-judges")
    scores = []
    for file in files:
        scores.append(float(dnsmos.run(samples_of(file) / PEAK, RATE_HZ)["ovrl_mos"]))
        print(f"{file.name}  {scores[-1]:.2f}", file=sys.stderr)
    print(json.dumps({"score": round(statistics.fmean(scores), 4), "files": len(scores)}))


if __name__ == "__main__":
    main()
