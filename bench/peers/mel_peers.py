#!/usr/bin/env python3
"""Sound to log-mel frames by our contract, each on one thread, in turns: PyTorch (torch.stft and a
product with the filters), librosa, and ours by `myxtts bench mel --json`.

A round is one run of each side, the fastest of several calls; ratios are taken round by round and the
median is shown with the smallest and the largest. Peers are timed by the processor time of their
thread: their calls take milliseconds, so that other work on a busy machine interrupts each of them.
Ours are timed by the clock: if that is unfair, then to us. Before that the peers' mels are compared with each
other: a difference of more than 1e-2 in the logarithm fails the run.

mel_peers.py MYXTTS [--audio FILE | --seconds S] [--rounds N] [--json]
"""

import argparse
import json
import os
import sys
import time

for variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # read when the libraries load
    os.environ[f"{variable}_NUM_THREADS"] = "1"

import librosa  # noqa: E402
import numpy  # noqa: E402
import torch  # noqa: E402

import turns  # noqa: E402
from mel_spec import FLOOR, HOP, N_FFT, SAMPLE_RATE, mel_filters  # noqa: E402

SUBJECT = "mel_fast"
FEWEST_CALLS = 3
BUDGET_S = 1.0
LARGEST_DIFFERENCE = 1e-2


def voice_like(seconds):
    t = numpy.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    turns = numpy.cumsum((120.0 + 30.0 * numpy.sin(4.0 * t)) / SAMPLE_RATE)
    sound = sum(0.15 / h * numpy.sin(2.0 * numpy.pi * h * turns) for h in range(1, 13))
    hiss = 2e-3 * (numpy.random.default_rng(20).random(t.size) - 0.5)
    return ((sound + hiss) * (0.55 + 0.45 * numpy.sin(11.0 * t))).astype(numpy.float32)


def librosa_side(samples):
    filters = mel_filters()

    def log_mel():
        spectrum = numpy.abs(librosa.stft(samples, n_fft=N_FFT, hop_length=HOP, pad_mode="reflect"))
        return numpy.log(numpy.maximum(FLOOR, filters @ spectrum))

    return log_mel


def torch_side(samples):
    torch.set_num_threads(1)
    sound = torch.from_numpy(samples)
    filters = torch.from_numpy(mel_filters())
    window = torch.hann_window(N_FFT)

    def log_mel():
        with torch.inference_mode():
            spectrum = torch.stft(sound, N_FFT, HOP, window=window, center=True,
                                  pad_mode="reflect", return_complex=True).abs()
            return torch.log(torch.clamp(filters @ spectrum, min=FLOOR))

    return log_mel


def fastest_s(log_mel):
    log_mel()
    fastest = float("inf")
    start = time.perf_counter()
    calls = 0
    while calls < FEWEST_CALLS or time.perf_counter() - start < BUDGET_S:
        before = time.thread_time()
        log_mel()
        fastest = min(fastest, time.thread_time() - before)
        calls += 1
    return fastest


def check_peers_agree(sides):
    first, second = (numpy.asarray(side()) for side in sides)
    largest = float(numpy.abs(first - second).max())
    if not largest < LARGEST_DIFFERENCE:
        sys.exit(f"PyTorch's and librosa's mel differ by {largest:.2g}: they do not do the same work")


def measure(arguments):
    if arguments.audio:
        samples, _ = librosa.load(arguments.audio, sr=SAMPLE_RATE, mono=True, dtype=numpy.float32)
        sound_arguments = ["--audio", arguments.audio]
    else:
        samples = voice_like(arguments.seconds)
        sound_arguments = ["--seconds", str(arguments.seconds)]
    seconds = samples.size / SAMPLE_RATE
    sides = {f"PyTorch {torch.__version__}": torch_side(samples),
             f"librosa {librosa.__version__}": librosa_side(samples)}
    check_peers_agree(sides.values())

    rounds = []
    for _ in range(arguments.rounds):
        machine, times = turns.ours(arguments.program, "mel", *sound_arguments)
        for name, side in sides.items():
            times[name] = seconds / fastest_s(side)
        rounds.append(times)
    return {"machine": machine, "seconds": seconds, "rounds": arguments.rounds,
            "results": turns.compare(rounds, SUBJECT)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--audio", help="a recording")
    parser.add_argument("--seconds", type=float, default=20.0, help="of a voice-like sound instead")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    report = measure(parser.parse_args())
    if "--json" in sys.argv:
        print(json.dumps(report))
        return
    print(f"mel of {report['seconds']:.1f} s of sound, one thread, {report['rounds']} rounds, on "
          f"{report['machine']}")
    print("\n".join(turns.lines_of(report["results"], SUBJECT)))


if __name__ == "__main__":
    main()
