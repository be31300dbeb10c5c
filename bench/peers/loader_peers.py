#!/usr/bin/env python3
"""Recordings in the page cache to padded batches of log-mels, by both cores, in turns: ours by
`myxtts bench loader --json`, a tf.data pipeline in TensorFlow, and a DataLoader in PyTorch.

A round is one run of each side as a process of its own; ratios are taken round by round and the
median is shown with the smallest and the largest. All are timed by the clock, the peers by their
fastest epoch. The peers go first and are compared with each other: another number of frames, or a
mean of the logarithm that differs by more than 1e-4, fails the run.

The peers read 16-bit mono files at the rate of the mel, and nothing else. If the corpus has others,
all sides load a copy of it that is made so first: no side resamples. The peers neither trim nor
bring to one loudness, and nor does our loader_files, which is what is compared.

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

import loader_side
import turns
from loader_side import BATCH_SIZE, NUM_WORKERS
from mel_spec import SAMPLE_RATE, mel_filters

HERE = pathlib.Path(__file__).resolve().parent
TF_PYTHON = HERE.parents[1] / ".venv-bench-tf/bin/python"
SUBJECT = "loader_files"
DEMO_UTTERANCES = 200
LARGEST_DIFFERENCE = 1e-4


def make_demo(program, folder):
    """A corpus to load: the folder with its recordings and metadata."""
    subprocess.run([program, "corpus", "demo", "--out", folder, "--utterances", str(DEMO_UTTERANCES),
                    "--voices", "rms", "--val-share", "0"], check=True, stdout=subprocess.DEVNULL)
    return folder / "train"


def make_ready(corpus, folder):
    """The corpus itself if the peers can read all of it, else a copy that they can."""
    wavs = loader_side.wavs_below(corpus)
    if all(map(loader_side.is_ready, wavs)):
        return corpus
    import soundfile  # only a corpus that needs it pays for the import
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
            raise SystemExit(f"{TF_PYTHON} is not there: tools/setup.sh bench-tf-venv makes it, "
                             "--no-tensorflow leaves TensorFlow out")
        scripts.insert(0, (TF_PYTHON, "tf_loader.py"))
    return [[python, HERE / script, corpus, "--filters", filters] for python, script in scripts]


def check_peers_agree(answers):
    for key, allowed in (("frames", 0), ("mean_log_mel", LARGEST_DIFFERENCE)):
        first = answers[0][key]
        if not all(abs(answer[key] - first) <= allowed for answer in answers):  # NaN never is
            told = ", ".join(f"{answer['name']} {answer[key]}" for answer in answers)
            raise SystemExit(f"the peers do not do the same work: {key} of {told}")


def measure(arguments, scratch):
    corpus = pathlib.Path(arguments.train_data or make_demo(arguments.program, scratch / "demo"))
    corpus = make_ready(corpus, scratch / "ready")
    filters = scratch / "filters.npy"
    numpy.save(filters, mel_filters())
    peers = peer_commands(corpus, filters, arguments.tensorflow)

    rounds = []
    for _ in range(arguments.rounds):
        answers = [turns.answer_of(command) for command in peers]
        check_peers_agree(answers)
        machine, times = turns.ours(arguments.program, "loader", "--train-data", str(corpus),
                                    "--batch-size", str(BATCH_SIZE), "--num-workers",
                                    str(NUM_WORKERS), "--rounds", "1")
        rounds.append(times | {answer["name"]: answer["x_real_time"] for answer in answers})
    return {"machine": machine, "seconds": answers[0]["seconds"], "frames": answers[0]["frames"],
            "mean_log_mel": {answer["name"]: answer["mean_log_mel"] for answer in answers},
            "rounds": arguments.rounds, "results": turns.compare(rounds, SUBJECT)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--train-data", help="a corpus; without it a small one is made")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-tensorflow", dest="tensorflow", action="store_false",
                        help="where it cannot be installed")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        report = measure(arguments, pathlib.Path(scratch))
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{report['seconds']:.0f} s of sound to padded batches of {BATCH_SIZE}, files in the "
          f"page cache, {report['rounds']} rounds, on {report['machine']}")
    print("\n".join(turns.lines_of(report["results"], SUBJECT)))


if __name__ == "__main__":
    main()
