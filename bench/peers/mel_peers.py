#!/usr/bin/env python3
"""Compares log-mel extraction on one thread: PyTorch (torch.stft and a matrix product with the filters),
librosa, and `myxtts bench mel`.

A round is one run of each side, the fastest of several calls. Ratios are computed per round; the median is
printed with the smallest and the largest. Peers are measured in CPU time of their thread, because their calls
take milliseconds and are interrupted on a busy machine; myxtts is measured in wall time, which can only be
worse. The mels of the peers are compared first: a difference of more than 1e-2 in the logarithm fails the run.

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

import alternate  # noqa: E402
from mel_spec import FLOOR, HOP, N_FFT, SAMPLE_RATE, mel_filters  # noqa: E402

SUBJECT = "mel_fast"
MIN_CALLS = 3
BUDGET_S = 1.0
MAX_DIFFERENCE = 1e-2


def voice_like_signal(seconds):
    t = numpy.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    cycles = numpy.cumsum((120.0 + 30.0 * numpy.sin(4.0 * t)) / SAMPLE_RATE)
    harmonics = sum(0.15 / h * numpy.sin(2.0 * numpy.pi * h * cycles) for h in range(1, 13))
    noise = 2e-3 * (numpy.random.default_rng(20).random(t.size) - 0.5)
    return ((harmonics + noise) * (0.55 + 0.45 * numpy.sin(11.0 * t))).astype(numpy.float32)


def librosa_mel(samples):
    filters = mel_filters()

    def log_mel():
        spectrum = numpy.abs(librosa.stft(samples, n_fft=N_FFT, hop_length=HOP, pad_mode="reflect"))
        return numpy.log(numpy.maximum(FLOOR, filters @ spectrum))

    return log_mel


def torch_mel(samples):
    torch.set_num_threads(1)
    waveform = torch.from_numpy(samples)
    filters = torch.from_numpy(mel_filters())
    window = torch.hann_window(N_FFT)

    def log_mel():
        with torch.inference_mode():
            spectrum = torch.stft(waveform, N_FFT, HOP, window=window, center=True,
                                  pad_mode="reflect", return_complex=True).abs()
            return torch.log(torch.clamp(filters @ spectrum, min=FLOOR))

    return log_mel


def fastest_s(log_mel):
    log_mel()
    fastest = float("inf")
    start = time.perf_counter()
    calls = 0
    while calls < MIN_CALLS or time.perf_counter() - start < BUDGET_S:
        before = time.thread_time()
        log_mel()
        fastest = min(fastest, time.thread_time() - before)
        calls += 1
    return fastest


def check_peers_agree(peers):
    first, second = (numpy.asarray(log_mel()) for log_mel in peers)
    largest = float(numpy.abs(first - second).max())
    if not largest < MAX_DIFFERENCE:
        sys.exit(f"the peers do not do the same work: the mels of PyTorch and librosa differ by {largest:.2g}, "
                 f"expected less than {MAX_DIFFERENCE:g}")


def measure(arguments):
    if arguments.audio:
        samples, _ = librosa.load(arguments.audio, sr=SAMPLE_RATE, mono=True, dtype=numpy.float32)
        audio_arguments = ["--audio", arguments.audio]
    else:
        samples = voice_like_signal(arguments.seconds)
        audio_arguments = ["--seconds", str(arguments.seconds)]
    seconds = samples.size / SAMPLE_RATE
    peers = {f"PyTorch {torch.__version__}": torch_mel(samples),
             f"librosa {librosa.__version__}": librosa_mel(samples)}
    check_peers_agree(peers.values())

    rounds = []
    for _ in range(arguments.rounds):
        machine, times = alternate.run_myxtts(arguments.program, "mel", *audio_arguments)
        for name, log_mel in peers.items():
            times[name] = seconds / fastest_s(log_mel)
        rounds.append(times)
    return {"machine": machine, "seconds": seconds, "rounds": arguments.rounds,
            "results": alternate.compare(rounds, SUBJECT)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--audio", help="a recording")
    parser.add_argument("--seconds", type=float, default=20.0, help="length of the generated audio without --audio; default 20")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    report = measure(parser.parse_args())
    if "--json" in sys.argv:
        print(json.dumps(report))
        return
    print(f"mel of {report['seconds']:.1f} s of audio, one thread, {report['rounds']} rounds, on "
          f"{report['machine']}")
    print("\n".join(alternate.format_results(report["results"], SUBJECT)))


if __name__ == "__main__":
    main()
