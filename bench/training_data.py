#!/usr/bin/env python3
"""What the loader costs a training, by whole trainings of `tiny` that take turns.

Preloaded: every batch is ready before the first step, in a buffer larger than the run. Beside it the
cache on disk, empty and full, and no cache at all. Then two lanes, a core each, beside the same core
for the model that loads by itself, where loading costs about as much as a step: 48 kHz MP3 without a
cache, and a model much smaller than `tiny`.

A round is one training of each; shares and ratios are taken from the updates after the 20th, and round
by round; the median is shown with the smallest and the largest. Runs of one round make the same
updates in the same order. Needs soundfile and soxr for the MP3s: .venv/bin/python has them.

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

SKIPPED = 20  # updates that warm up
RATE = 48000
SMALL_MODEL = {
    "text_encoder_dim": 96, "text_encoder_layers": 1, "text_encoder_heads": 2, "text_encoder_ffn_dim": 192,
    "audio_encoder_dim": 64, "audio_encoder_layers": 1, "decoder_dim": 160, "decoder_layers": 4,
    "decoder_ffn_dim": 384,
}


def train(program, corpus, run, flags, core=None):
    """The updates of a training after the first ones."""
    words = [program, "train", "--train-data", corpus, "--checkpoint-dir", run, *flags,
             "--set", "data.val_split=0", "--set", "training.enable_text2audio_eval=false",
             "--set", "training.spectrogram_log_interval=0"]
    if core is not None:
        words = ["taskset", "-c", core, *words]
    subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    updates = [line for line in lines if "step_s" in line]
    shutil.rmtree(run)
    return updates[SKIPPED:]


def wait_share(updates):
    waited = sum(update["wait_s"] for update in updates)
    return waited / (waited + sum(update["step_s"] for update in updates))


def times_of(updates):
    return [update["step_s"] + update["wait_s"] for update in updates]


def median_ratio(updates, beside):
    """Of how long the same updates took, one by one."""
    return statistics.median(one / other for one, other in zip(times_of(updates), times_of(beside),
                                                               strict=True))


def write_mp3s(corpus, out):
    """The corpus as 48 kHz MP3, in LJSpeech's layout."""
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
    sides = {
        "preloaded": ["--max-steps", steps, "--cache", "ram", "--buffer-size", steps + 2],
        "cache on disk, empty": disk,
        "cache on disk, full": disk,
        "cache in memory": ["--max-steps", steps, "--cache", "ram"],
        "no cache": ["--max-steps", steps, "--cache", "off"],
    }
    updates = {name: train(program, corpus, run, flags) for name, flags in sides.items()}
    shutil.rmtree(cache)
    return {name: {"wait_share": wait_share(side), "beside": median_ratio(side, updates["preloaded"])}
            for name, side in updates.items()}


def lanes_round(program, corpus, steps, folder):
    usual = ["--max-steps", steps, "--cache", "off"]
    for key, value in SMALL_MODEL.items():
        usual += ["--set", f"model.{key}={value}"]
    lanes = train(program, corpus, folder / "run",
                  [*usual, "--data-device", "cpu:0", "--model-device", "cpu:1"])
    inline = train(program, corpus, folder / "run", [*usual, "--num-workers", 0],
                   core=max(os.sched_getaffinity(0)))
    return {"speed": median_ratio(inline, lanes),
            "loading": statistics.median(update["wait_s"] / update["step_s"] for update in inline)}


def spread(values):
    return {"median": statistics.median(values), "smallest": min(values), "largest": max(values)}


def spreads(rounds):
    """The same tree of figures, each with its spread over the rounds."""
    if not isinstance(rounds[0], dict):
        return spread(rounds)
    return {name: spreads([one[name] for one in rounds]) for name in rounds[0]}


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
    return {"steps": arguments.steps, "rounds": arguments.rounds, **spreads(rounds)}


def words(figure, form="{:.3f}"):
    return " ".join([form.format(figure["median"]),
                     f"({form.format(figure['smallest'])} to {form.format(figure['largest'])})"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--train-data", type=pathlib.Path, required=True, help="a corpus of WAVs")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["buffered", "lanes"], help="one of the two parts; default: both")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.steps <= SKIPPED:
        parser.error(f"--steps {arguments.steps}: more than {SKIPPED}, which warm up")
    report = measure(arguments)
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"{arguments.steps} updates of tiny, {arguments.rounds} rounds")
    for side, figures in report.get("buffered", {}).items():
        print(f"  {side:<22} waits {words(figures['wait_share'], '{:.4f}')} of the time, an update takes "
              f"{words(figures['beside'])} x that of preloaded")
    if "lanes" not in report:
        return
    print(f"  two lanes are {words(report['lanes']['speed'])} x one core that loads by itself; loading "
          f"takes {words(report['lanes']['loading'])} x a step there")


if __name__ == "__main__":
    sys.exit(main())
