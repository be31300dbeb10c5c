#!/usr/bin/env python3
"""Compares data loaders, recordings in the page cache to padded batches of log-mels, on two cores:
`myxtts bench loader`, a TensorFlow tf.data pipeline and a PyTorch DataLoader.

A round is one run of each side as a separate process. Ratios are computed per round; the median is printed
with the smallest and the largest. All sides report wall time, the peers that of their fastest epoch. The
peers run first and are compared with each other: the run fails if their numbers of frames differ, or if
their mean log-mels differ by more than 1e-4.

The peers read only 16-bit mono files at the sample rate of the mel. If the corpus has other files, all
sides load a converted copy, so that no side resamples. The peers neither trim nor normalise loudness; nor
does `loader_files` of myxtts, which they are compared with.

loader_peers.py MYXTTS [--train-data DIR] [--rounds N] [--no-tensorflow] [--json]
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy

import alternate
import loader_common
from loader_common import BATCH_SIZE, NUM_WORKERS
from mel_spec import SAMPLE_RATE, mel_filters

HERE = pathlib.Path(__file__).resolve().parent
TF_PYTHON = HERE.parents[1] / ".venv-bench-tf/bin/python"
SUBJECT = "loader_files"
DEMO_UTTERANCES = 200
MAX_DIFFERENCE = 1e-4


def make_demo(program, folder):
    """Generates a corpus. Returns the folder of its recordings and metadata."""
    subprocess.run([program, "corpus", "demo", "--out", folder, "--utterances", str(DEMO_UTTERANCES),
                    "--voices", "rms", "--val-share", "0"], check=True, stdout=subprocess.DEVNULL)
    return folder / "train"


def readable_corpus(corpus, folder):
    """Returns the corpus if the peers can read all of it, else a converted copy in `folder`."""
    wavs = loader_common.wavs_below(corpus)
    if all(map(loader_common.is_readable, wavs)):
        return corpus
    import soundfile  # needed for conversion only
    import soxr

    shutil.copytree(corpus, folder, ignore=shutil.ignore_patterns("*.wav"))
    for wav in wavs:
        samples, rate = soundfile.read(wav, dtype="float32", always_2d=True)
        target = folder / wav.relative_to(corpus)
        soundfile.write(target, soxr.resample(samples.mean(axis=1), rate, SAMPLE_RATE), SAMPLE_RATE,
                        subtype="PCM_16")
    return folder


def peer_commands(corpus, filters, with_tensorflow):
    scripts = [(sys.executable, "torch_loader.py")]
    if with_tensorflow:
        if not TF_PYTHON.exists():
            raise SystemExit(f"{TF_PYTHON} not found: run tools/setup.sh bench-tf-venv, "
                             "or omit TensorFlow with --no-tensorflow")
        scripts.insert(0, (TF_PYTHON, "tf_loader.py"))
    return [[python, HERE / script, corpus, "--filters", filters] for python, script in scripts]


def check_peers_agree(reports):
    for key, allowed in (("frames", 0), ("mean_log_mel", MAX_DIFFERENCE)):
        first = reports[0][key]
        if not all(abs(report[key] - first) <= allowed for report in reports):  # also false for NaN
            values = ", ".join(f"{report['name']} {report[key]}" for report in reports)
            raise SystemExit(f"the peers do not do the same work: {key} of {values}")


def measure(arguments, scratch):
    corpus = pathlib.Path(arguments.train_data or make_demo(arguments.program, scratch / "demo"))
    corpus = readable_corpus(corpus, scratch / "readable")
    filters = scratch / "filters.npy"
    numpy.save(filters, mel_filters())
    peers = peer_commands(corpus, filters, arguments.tensorflow)

    rounds = []
    for _ in range(arguments.rounds):
        reports = [alternate.run_json(command) for command in peers]
        check_peers_agree(reports)
        machine, times = alternate.run_myxtts(
            arguments.program, "loader", "--train-data", str(corpus), "--batch-size", str(BATCH_SIZE),
            "--num-workers", str(NUM_WORKERS), "--rounds", "1")
        rounds.append(times | {report["name"]: report["x_real_time"] for report in reports})
    return {"machine": machine, "seconds": reports[0]["seconds"], "frames": reports[0]["frames"],
            "mean_log_mel": {report["name"]: report["mean_log_mel"] for report in reports},
            "rounds": arguments.rounds, "results": alternate.compare(rounds, SUBJECT)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--train-data", help="a corpus; default: a small generated one")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-tensorflow", dest="tensorflow", action="store_false",
                        help="omit TensorFlow")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        report = measure(arguments, pathlib.Path(scratch))
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{report['seconds']:.0f} s of audio to padded batches of {BATCH_SIZE}, files in the "
          f"page cache, {report['rounds']} rounds, on {report['machine']}")
    print("\n".join(alternate.format_results(report["results"], SUBJECT)))


if __name__ == "__main__":
    main()
