#!/usr/bin/env python3
"""How alike recordings are to a voice for Resemblyzer, a network that tells speakers apart: 1 is the same.

judge_voice.py --reference WAV|DIR --wavs DIR [--text FILE] [--most N]

The figure of a recording is the cosine between its direction and that of a reference, both brought to one
level, averaged over the references: one WAV, or N of a folder that lie evenly over it (--most N). FILE is
taken because every judge is given it, and not read.

A line per file goes to standard error, one JSON object to standard output:

  {"score": 0.91, "files": 160}        the mean of all recordings

`tools/setup.sh bench-venv` puts what it needs into .venv-bench (3 GB, most of it PyTorch). A score means
little alone: what other recordings of the same voice have is the most that can be expected.
"""

import argparse
import json
import pathlib
import statistics
import sys

from judge_mos import evenly
from judge_words import PEAK, SILENCE_S, RATE_HZ, samples_of


LEVEL_DBFS = -30  # that of what the network has learned from; it hears loudness as a part of a voice


def direction_of(encoder, file):
    """Where a recording lies among voices, without the silence that judges of words want around it."""
    from resemblyzer import normalize_volume

    around = int(SILENCE_S * RATE_HZ)
    sound = samples_of(file)[around:-around].astype("float32") / PEAK
    return encoder.embed_utterance(normalize_volume(sound, LEVEL_DBFS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=pathlib.Path, help="not read")
    parser.add_argument("--wavs", required=True, type=pathlib.Path, help="folder with *.wav")
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="a recording of the voice, or a folder of them")
    parser.add_argument("--most", type=int, default=10, help="listen to so many references; default 10")
    args = parser.parse_args()
    if args.most < 1:
        parser.error(f"--most {args.most}: expected 1 or more")
    files = sorted(args.wavs.glob("*.wav"))
    if not files:
        sys.exit(f"judge_voice.py: {args.wavs}: expected *.wav; none is there")
    references = evenly(sorted(args.reference.glob("*.wav")), args.most) if args.reference.is_dir() else [args.reference]
    if not references or not references[0].is_file():
        sys.exit(f"judge_voice.py: --reference {args.reference}: expected a WAV or a folder of them; none is there")
    try:
        import resemblyzer
    except ImportError as error:
        sys.exit(f"judge_voice.py: {error}; tools/setup.sh bench-venv makes .venv-bench")
    encoder = resemblyzer.VoiceEncoder("cpu", verbose=False)
    # The mean of cosines with many is the product with the mean of their directions.
    wanted = sum(direction_of(encoder, file) for file in references) / len(references)
    scores = []
    for file in files:
        scores.append(float(wanted @ direction_of(encoder, file)))
        print(f"{file.name}  {scores[-1]:.3f}", file=sys.stderr)
    print(json.dumps({"score": round(statistics.fmean(scores), 4), "files": len(scores)}))


if __name__ == "__main__":
    main()
