#!/usr/bin/env python3
"""Computes the speaker similarity of recordings to a reference voice with Resemblyzer: 1 is identical.

judge_similarity.py --reference WAV|DIR --wavs DIR [--text FILE] [--max-references N]

The similarity of a recording is the cosine between its speaker embedding and that of a reference, both
normalised to one level, averaged over the references: one WAV file, or N files of a folder, evenly distributed
(--max-references N). FILE is ignored; every judge gets it.

A line per file goes to standard error, one JSON object to standard output:

  {"score": 0.91, "files": 160}        the mean of all recordings

`tools/setup.sh bench-venv` installs the packages into .venv-bench (3 GB, most of it PyTorch). Compare the score
with that of other recordings of the same voice, which is the practical maximum.
"""

import argparse
import json
import pathlib
import statistics
import sys

from judge_mos import sample_evenly
from judge_wer import PEAK, SILENCE_S, RATE_HZ, samples_of


LEVEL_DBFS = -30  # level of the training data of the network; the embedding depends on loudness


def speaker_embedding(encoder, file):
    """Returns the speaker embedding of a recording, without the silence that samples_of() adds."""
    from resemblyzer import normalize_volume

    padding = int(SILENCE_S * RATE_HZ)
    samples = samples_of(file)[padding:-padding].astype("float32") / PEAK
    return encoder.embed_utterance(normalize_volume(samples, LEVEL_DBFS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=pathlib.Path, help="ignored")
    parser.add_argument("--wavs", required=True, type=pathlib.Path, help="folder with *.wav")
    parser.add_argument("--reference", required=True, type=pathlib.Path, help="WAV file of the voice, or a folder of them")
    parser.add_argument("--max-references", type=int, default=10, help="number of references to use; default 10")
    args = parser.parse_args()
    if args.max_references < 1:
        parser.error(f"--max-references {args.max_references}: expected 1 or more")
    files = sorted(args.wavs.glob("*.wav"))
    if not files:
        sys.exit(f"judge_similarity.py: {args.wavs}: no WAV file; expected *.wav")
    references = [args.reference]
    if args.reference.is_dir():
        references = sample_evenly(sorted(args.reference.glob("*.wav")), args.max_references)
    if not references or not references[0].is_file():
        sys.exit(f"judge_similarity.py: --reference {args.reference}: no WAV file; expected one or a folder of them")
    try:
        import resemblyzer
    except ImportError as error:
        sys.exit(f"judge_similarity.py: {error}; run tools/setup.sh bench-venv and use .venv-bench/bin/python")
    encoder = resemblyzer.VoiceEncoder("cpu", verbose=False)
    # The mean of the cosines equals the dot product with the mean embedding.
    mean = sum(speaker_embedding(encoder, file) for file in references) / len(references)
    scores = []
    for file in files:
        scores.append(float(mean @ speaker_embedding(encoder, file)))
        print(f"{file.name}  {scores[-1]:.3f}", file=sys.stderr)
    print(json.dumps({"score": round(statistics.fmean(scores), 4), "files": len(scores)}))


if __name__ == "__main__":
    main()
