"""Command line, timing and output that the data loaders of both peers share.

    PEER FOLDER --filters FILE.npy     prints one JSON object

A peer opens a loader once and iterates over it epoch by epoch. The first epoch warms up and yields the mean
log-mel. The result is the fastest of the following epochs, from the request of the first batch to the last batch.
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
MIN_EPOCHS = 3
BUDGET_S = 3.0


def wavs_below(folder):
    """Returns the recordings of a corpus, sorted by name."""
    paths = sorted(pathlib.Path(folder).rglob("*.wav"))
    if not paths:
        raise SystemExit(f"no .wav below {folder}")
    return paths


def is_readable(path):
    """Returns whether a peer can read the file: mono, 16 bit, at the sample rate of the mel."""
    try:
        with wave.open(str(path)) as file:
            return (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, SAMPLE_RATE)
    except wave.Error:  # not PCM
        return False


def frames_and_mean(batches):
    """Returns the frames and the mean of an epoch of (mels [B, M, C], lengths [B]), without padding."""
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
    while epochs < MIN_EPOCHS or time.perf_counter() - start < BUDGET_S:
        before = time.perf_counter()
        for _ in batches:
            pass
        fastest = min(fastest, time.perf_counter() - before)
        epochs += 1
    return fastest


def run(name, open_loader):
    """Measures a loader. open_loader(paths, filters) returns an iterable of batches of BATCH_SIZE as
    frames_and_mean() takes them, which can be iterated several times."""
    parser = argparse.ArgumentParser(description=f"Loads a corpus into padded batches of mels with {name}.")
    parser.add_argument("folder", help="a corpus; all .wav files below it are loaded")
    parser.add_argument("--filters", required=True, help="mel filters: .npy, [channels, bins]")
    arguments = parser.parse_args()
    paths = wavs_below(arguments.folder)
    for path in paths:
        if not is_readable(path):
            raise SystemExit(f"{path}: expected mono, 16 bit, {SAMPLE_RATE} Hz")
    batches = open_loader(paths, numpy.load(arguments.filters))
    frames, mean = frames_and_mean(batches)
    seconds = frames * HOP / SAMPLE_RATE  # as `myxtts bench loader` counts them
    print(json.dumps({"name": name, "x_real_time": seconds / fastest_epoch_s(batches),
                      "seconds": seconds, "frames": frames, "mean_log_mel": mean}))
