"""What the loaders of both peers share: the command line, the clock, and what they tell.

    PEER FOLDER --filters FILE.npy     prints one JSON object

A peer opens a loader once and goes through it epoch by epoch. The first epoch is to warm up, and its
mels are added up; then the fastest epoch counts, from asking for the first batch to having the last.
"""

import argparse
import json
import pathlib
import time
import wave

import numpy

from mel_spec import HOP, SAMPLE_RATE

BATCH_SIZE = 16
NUM_WORKERS = 2
FEWEST_EPOCHS = 3
BUDGET_S = 3.0


def wavs_below(folder):
    """The recordings of a corpus, in the order of their names."""
    paths = sorted(pathlib.Path(folder).rglob("*.wav"))
    if not paths:
        raise SystemExit(f"no .wav below {folder}")
    return paths


def is_ready(path):
    """Whether a peer can read it as it is: mono, 16 bit, at the rate of the mel."""
    try:
        with wave.open(str(path)) as file:
            return (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, SAMPLE_RATE)
    except wave.Error:  # not plain PCM
        return False


def sums_of(batches):
    """Frames and mean of an epoch of (mels [B, M, C], lengths [B]), without the padding."""
    frames, total, values = 0, 0.0, 0
    for mels, lengths in batches:
        for mel, length in zip(numpy.asarray(mels), numpy.asarray(lengths)):
            frames += int(length)
            total += mel[:length].sum(dtype=numpy.float64)
            values += mel[:length].size
    return frames, total / values


def fastest_epoch_s(batches):
    fastest, epochs = float("inf"), 0
    start = time.perf_counter()
    while epochs < FEWEST_EPOCHS or time.perf_counter() - start < BUDGET_S:
        before = time.perf_counter()
        for _ in batches:
            pass
        fastest = min(fastest, time.perf_counter() - before)
        epochs += 1
    return fastest


def run(name, open_loader):
    """open_loader(paths, filters): batches of BATCH_SIZE, as sums_of takes them, any number of times."""
    parser = argparse.ArgumentParser(description=f"A corpus to padded batches of mels by {name}.")
    parser.add_argument("folder", help="a corpus; every .wav below it is loaded")
    parser.add_argument("--filters", required=True, help="of the mel: .npy, [channels, bins]")
    arguments = parser.parse_args()
    paths = wavs_below(arguments.folder)
    for path in paths:
        if not is_ready(path):
            raise SystemExit(f"{path} is not mono, 16 bit, {SAMPLE_RATE} Hz")
    batches = open_loader(paths, numpy.load(arguments.filters))
    frames, mean = sums_of(batches)
    seconds = frames * HOP / SAMPLE_RATE  # as `myxtts bench loader` counts
    print(json.dumps({"name": name, "x_real_time": seconds / fastest_epoch_s(batches),
                      "seconds": seconds, "frames": frames, "mean_log_mel": mean}))
