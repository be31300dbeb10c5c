#!/usr/bin/env python3
"""Measures the cost of data loading in training, by trainings of `tiny` in alternation.

First part: training with a disk cache (empty and full), a memory cache and no cache is compared with
preloaded batches, a buffer larger than the run. Second part: two lanes with a core each are compared with
one core that loads and trains inline, where loading costs about as much as a step: 48 kHz MP3 files without
a cache, and a model much smaller than `tiny`.

A round is one training of each. Shares and ratios are computed per round from the steps after the 20th; the
median is printed with the smallest and the largest. All runs of a round train on the same batches in the same
order. The MP3 files need soundfile and soxr, which .venv/bin/python has.

training_data.py MYXTTS --train-data DIR [--steps N] [--rounds N] [--only buffered|lanes] [--json]
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

WARM_UP_STEPS = 20
RATE = 48000
SMALL_MODEL = {
    "text_encoder_dim": 96, "text_encoder_layers": 1, "text_encoder_heads": 2, "text_encoder_ffn_dim": 192,
    "audio_encoder_dim": 64, "audio_encoder_layers": 1, "decoder_dim": 160, "decoder_layers": 4,
    "decoder_ffn_dim": 384,
}


def train(program, corpus, run, flags, core=None):
    """Runs a training. Returns the metrics of its steps without warm-up."""
    command = [program, "train", "--train-data", corpus, "--checkpoint-dir", run, *flags,
             "--set", "data.val_split=0", "--set", "training.enable_text2audio_eval=false",
             "--set", "training.spectrogram_log_interval=0"]
    if core is not None:
        command = ["taskset", "-c", core, *command]
    subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    steps = [line for line in lines if "step_s" in line]
    shutil.rmtree(run)
    return steps[WARM_UP_STEPS:]


def wait_share(steps):
    waited = sum(step["wait_s"] for step in steps)
    return waited / (waited + sum(step["step_s"] for step in steps))


def times_of(steps):
    return [step["step_s"] + step["wait_s"] for step in steps]


def median_ratio(steps, baseline):
    """Returns the median over the steps of time / time in the baseline."""
    return statistics.median(one / other for one, other in zip(times_of(steps), times_of(baseline),
                                                               strict=True))


def write_mp3s(corpus, out):
    """Writes the corpus as 48 kHz MP3 files in the LJSpeech layout."""
    import soundfile
    import soxr

    folder = corpus / "train" if (corpus / "train").is_dir() else corpus
    (out / "wavs").mkdir(parents=True)
    for wav in sorted((folder / "wavs").glob("*.wav")):
        samples, rate = soundfile.read(wav, dtype="float32")
        soundfile.write(out / "wavs" / f"{wav.stem}.mp3", soxr.resample(samples, rate, RATE), RATE,
                        format="MP3")
    shutil.copy(folder / "metadata.csv", out / "metadata.csv")
    return out


def buffered_round(program, corpus, steps, folder):
    run, cache = folder / "run", folder / "cache"
    disk = ["--max-steps", steps, "--cache", "disk", "--cache-dir", cache]
    variants = {
        "preloaded": ["--max-steps", steps, "--cache", "ram", "--buffer-size", steps + 2],
        "disk cache, empty": disk,
        "disk cache, full": disk,
        "memory cache": ["--max-steps", steps, "--cache", "ram"],
        "no cache": ["--max-steps", steps, "--cache", "off"],
    }
    steps_of = {name: train(program, corpus, run, flags) for name, flags in variants.items()}
    shutil.rmtree(cache)
    return {name: {"wait_share": wait_share(own), "ratio": median_ratio(own, steps_of["preloaded"])}
            for name, own in steps_of.items()}


def lanes_round(program, corpus, steps, folder):
    flags = ["--max-steps", steps, "--cache", "off"]
    for key, value in SMALL_MODEL.items():
        flags += ["--set", f"model.{key}={value}"]
    lanes = train(program, corpus, folder / "run",
                  [*flags, "--data-device", "cpu:0", "--model-device", "cpu:1"])
    inline = train(program, corpus, folder / "run", [*flags, "--num-workers", 0],
                   core=max(os.sched_getaffinity(0)))
    return {"speed": median_ratio(inline, lanes),
            "loading": statistics.median(step["wait_s"] / step["step_s"] for step in inline)}


def summarise(values):
    return {"median": statistics.median(values), "smallest": min(values), "largest": max(values)}


def summarise_rounds(rounds):
    """Returns the tree of numbers of a round, each summarised over the rounds."""
    if not isinstance(rounds[0], dict):
        return summarise(rounds)
    return {name: summarise_rounds([one[name] for one in rounds]) for name in rounds[0]}


def measure(arguments):
    rounds = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        mp3s = write_mp3s(arguments.train_data, folder / "mp3s") if arguments.only != "buffered" else None
        for _ in range(arguments.rounds):
            one = {}
            if arguments.only != "lanes":
                one["buffered"] = buffered_round(arguments.program, arguments.train_data, arguments.steps, folder)
            if mp3s is not None:
                one["lanes"] = lanes_round(arguments.program, mp3s, arguments.steps, folder)
            rounds.append(one)
    return {"steps": arguments.steps, "rounds": arguments.rounds, **summarise_rounds(rounds)}


def format_summary(summary, form="{:.3f}"):
    return " ".join([form.format(summary["median"]),
                     f"({form.format(summary['smallest'])} to {form.format(summary['largest'])})"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--train-data", type=pathlib.Path, required=True, help="corpus of WAV files")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["buffered", "lanes"], help="one of the two parts; default: both")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.steps <= WARM_UP_STEPS:
        parser.error(f"--steps {arguments.steps}: expected more than the {WARM_UP_STEPS} steps of warm-up")
    report = measure(arguments)
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{arguments.steps} steps of tiny, {arguments.rounds} rounds")
    for name, result in report.get("buffered", {}).items():
        print(f"  {name:<22} wait share {format_summary(result['wait_share'], '{:.4f}')}, step time vs preloaded "
              f"{format_summary(result['ratio'])}")
    if "lanes" not in report:
        return
    print(f"  speed of two lanes vs one core inline {format_summary(report['lanes']['speed'])}; there, loading time "
          f"per step time {format_summary(report['lanes']['loading'])}")


if __name__ == "__main__":
    sys.exit(main())
