#!/usr/bin/env python3
"""Times librosa's log-mel by our mel contract on one thread, on the sound of `myxtts bench mel`'s
length. Prints one JSON object: {"name", "value", "unit", "version"}.

librosa_mel.py SECONDS
"""

import json
import sys
import time

import librosa
import numpy

SAMPLE_RATE = 22050
FEWEST_RUNS = 3
BUDGET_S = 1.0


def voice_like(seconds):
    t = numpy.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    turns = numpy.cumsum((120.0 + 30.0 * numpy.sin(4.0 * t)) / SAMPLE_RATE)
    sound = sum(0.15 / h * numpy.sin(2.0 * numpy.pi * h * turns) for h in range(1, 13))
    return (sound * (0.55 + 0.45 * numpy.sin(11.0 * t))).astype(numpy.float32)


def log_mel(samples, filters):
    spectrum = numpy.abs(librosa.stft(samples, n_fft=1024, hop_length=256, pad_mode="reflect"))
    return numpy.log(numpy.maximum(1e-5, filters @ spectrum))


def main(seconds):
    samples = voice_like(seconds)
    filters = librosa.filters.mel(sr=SAMPLE_RATE, n_fft=1024, n_mels=80, fmin=0.0, fmax=8000.0)
    log_mel(samples, filters)
    fastest = float("inf")
    start = time.perf_counter()
    runs = 0
    while runs < FEWEST_RUNS or time.perf_counter() - start < BUDGET_S:
        before = time.perf_counter()
        log_mel(samples, filters)
        fastest = min(fastest, time.perf_counter() - before)
        runs += 1
    print(json.dumps({"name": "mel_librosa", "value": seconds / fastest, "unit": "x real time",
                      "version": librosa.__version__}))


if __name__ == "__main__":
    main(float(sys.argv[1]))
