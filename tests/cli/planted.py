"""Runs of `myxtts diagnose` in which one fault is planted, and healthy ones.

Each function below prepares a small corpus in a folder and returns a Plant: the words of the
command, its environment and what it needs. FAULTS has them by the id of the rule that must come
first; HEALTHY has those in which nothing may be found. tests/rules/write_records.py runs them by
hand.
"""

import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import numpy
from training import (PROGRAM, RATE, SETTINGS, slow_files, tone, tones, write_corpus,
                      train, write_tones)

CORES = sorted(os.sched_getaffinity(0))
# A model whose step takes much longer than what lies between two steps, and loaders that are far
# ahead of it: whatever is found in such a run was planted. Its precision is the one of this machine.
STEADY = {**SETTINGS, "model.text_encoder_dim": 64, "model.text_encoder_ffn_dim": 256,
          "model.decoder_dim": 128, "model.decoder_layers": 4, "model.decoder_ffn_dim": 512,
          "training.gradient_accumulation_steps": 1, "training.precision": "auto",
          "data.num_workers": 2}
# Steps that are short beside what a batch costs, out of files that are read whenever one is made.
# Two epochs: a cache would be advised from three on.
HUNGRY = {**SETTINGS, "training.gradient_accumulation_steps": 1, "training.precision": "auto",
          "training.epochs": 2, "data.num_workers": 1, "data.feature_cache": "off"}
# What others do with a machine that is not ours alone.
BY_OTHERS = {"cyclic_variation", "high_variation", "machine_busy"}


@dataclasses.dataclass
class Plant:
    """A diagnosis to be run. Words begin with the verb; `before` stands before the program."""
    corpus: pathlib.Path
    words: list
    settings: dict
    before: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)

    def sets(self):
        return [word for key, value in self.settings.items() for word in ("--set", f"{key}={value}")]

    def command(self):
        return [*map(str, self.before), PROGRAM, "diagnose", *map(str, self.words), "--json",
                "--train-data", str(self.corpus), *self.sets()]


class CannotPlant(Exception):
    """This machine lacks what the fault needs; the message says what."""


def run(prepare, folder):
    """Plants in the folder and returns the answer of the program, which must be one."""
    return plant_and_run(prepare, folder)[1]


def plant_and_run(prepare, folder):
    """The Plant as well."""
    plant = prepare(folder)
    home = folder / "work"
    home.mkdir(parents=True)
    plant.settings = {"data.cache_dir": home / "features", **plant.settings}
    ended = subprocess.run(plant.command(), check=False,
                           text=True, capture_output=True, cwd=home, stdin=subprocess.DEVNULL,
                           env={**os.environ, "TMPDIR": str(home), **plant.environment}, timeout=300)
    assert ended.returncode in (0, 1) and ended.stdout, ended.stderr
    answer = json.loads(ended.stdout)
    assert ended.returncode == (0 if answer["healthy"] else 1)
    return plant, answer


def paste(remedy, plant, folder):
    """Does what a remedy says, as a person would: flags are typed behind a training, which is only
    described; a command runs as it stands."""
    command = ["/bin/sh", "-c", remedy + (" --dry-run" if " train " in remedy else "")]
    if remedy.startswith("--"):
        command = [PROGRAM, "train", "--dry-run", "--train-data", str(plant.corpus), *plant.sets(),
                   *shlex.split(remedy)]
    return subprocess.run(command, check=False, text=True, capture_output=True, cwd=folder,
                          stdin=subprocess.DEVNULL, timeout=300)


def bottleneck(corpus, *flags, settings, batches=30, **more):
    return Plant(corpus, ["bottleneck", "--num-batches", batches, *flags], settings, **more)


def dynamic_shapes(folder):
    """Every batch has the shape of its longest row."""
    return Plant(write_tones(folder / "corpus", 60),
                 ["retracing", "--steps", 8, "--dynamic-shapes"], STEADY)


def oversized_signature(folder):
    """One fixed shape of four times the frames that the recordings have."""
    return bottleneck(write_tones(folder / "corpus", 60), "--enable-static-shapes",
                      "--max-mel-frames", 200, batches=12, settings=STEADY)


def one_worker(folder):
    """One worker that computes mels at a studio's rate for a model that is done sooner. As many
    batches as the buffer has room for, as people type it: a full one would feed them all."""
    return bottleneck(write_corpus(folder / "corpus", tones(16, 5.0, 96000), rate=96000), batches=50,
                      settings={**HUNGRY, "model.sample_rate": 96000, "model.n_fft": 4096,
                                "model.win_length": 4096, "model.hop_length": 1024})


def tiny_buffer(folder):
    """One batch of room beside a loader that is fast enough, but for two recordings of 96: they
    have two minutes of silence around them, which is decoded and then trimmed."""
    sounds = tones(96, 0.4)
    around = numpy.zeros(65 * RATE)
    for i in (10, 77):
        sounds[i] = (numpy.concatenate([around, sounds[i][0], around]), sounds[i][1])
    return bottleneck(write_corpus(folder / "corpus", sounds, suffix="flac"), "--buffer-size", 1,
                      batches=26, settings={
                          **STEADY, "model.use_voice_conditioning": "false", "training.epochs": 2,
                          "data.num_workers": 1, "data.feature_cache": "off", "data.val_split": 0,
                          "data.max_audio_length": 600})


def slow_disk(folder):
    """Reading recordings gives 1 MB per second."""
    return bottleneck(write_tones(folder / "corpus", 24), batches=16, settings=HUNGRY,
                      environment=slow_files(folder, bytes_per_s=1e6))


def file_latency(folder):
    """Opening a recording takes 15 ms."""
    return bottleneck(write_tones(folder / "corpus", 24), batches=16, settings=HUNGRY,
                      environment=slow_files(folder, open_s=0.015))


def huge_mp3s(folder):
    """Long MP3s, in stereo."""
    sounds = [(numpy.stack([samples, samples[::-1]], axis=1), text) for samples, text in tones(12, 8.0)]
    return bottleneck(write_corpus(folder / "corpus", sounds, suffix="mp3"), batches=12,
                      settings=HUNGRY)


def resampling_every_file(folder):
    """All recordings have 96 kHz."""
    return bottleneck(write_corpus(folder / "corpus", tones(24, 1.0, 96000), rate=96000), batches=20,
                      settings=HUNGRY)


def slow_text(folder):
    """espeak-ng dies whenever it is asked for more than two texts at once."""
    real = shutil.which("espeak-ng")
    if not real:
        raise CannotPlant("espeak-ng is not installed")
    fake = folder / "bin" / "espeak-ng"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\ncase "$*" in *--voices*) exec ' + real + ' "$@" ;; esac\n'
                    'text=$(cat)\n'
                    '[ "$(printf %s "$text" | grep -c .)" -le 2 ] || kill -KILL $$\n'
                    '[ -z "$text" ] || printf "%s\\n\\n" "$text" | ' + real + ' "$@"\n')
    fake.chmod(0o755)
    return bottleneck(write_tones(folder / "corpus", 30, seconds=1.0), batches=20,
                      settings={**STEADY, "data.use_phonemes": "true"},
                      environment={"PATH": f"{fake.parent}:{os.environ['PATH']}"})


def threads_oversubscribed(folder):
    """Four threads of arithmetic for every core."""
    return bottleneck(write_tones(folder / "corpus", 60), "--threads", 4 * len(CORES), batches=12,
                      settings=STEADY)


def shared_core(folder):
    """The whole program may use one core of several."""
    if (os.cpu_count() or 1) < 2:
        raise CannotPlant("this machine has one core")
    return bottleneck(write_tones(folder / "corpus", 60), settings=STEADY, batches=12,
                      before=["taskset", "-c", CORES[0]])


def cache_off(folder):
    """A hundred epochs and no cache."""
    return bottleneck(write_tones(folder / "corpus", 60), "--cache", "off", settings=STEADY)


def cache_full(folder):
    """A cache on disk with room for a part of the mels."""
    return bottleneck(write_tones(folder / "corpus", 60, seconds=1.0), "--cache", "disk",
                      settings={**STEADY, "data.cache_limit": "1MB"})


def memory_nearly_full(folder):
    """A budget that is hardly more than what the run needs."""
    corpus = write_tones(folder / "corpus", 60)

    def with_budget(budget):
        return bottleneck(corpus, settings={**STEADY, "training.memory_budget": budget}, batches=12)

    roomy = run(lambda _: with_budget("8GB"), folder / "roomy")
    return with_budget(int(1.03 * roomy["record"]["memory"]["need_bytes"]))


def bad_files(folder):
    """3 of 100 recordings are cut off inside of their header."""
    corpus = write_tones(folder / "corpus", 100)
    for name in ("u011", "u047", "u083"):
        file = corpus / "wavs" / f"{name}.wav"
        file.write_bytes(file.read_bytes()[:20])
    return bottleneck(corpus, settings={**STEADY, "data.val_split": 0})


def long_silences(folder):
    """Recordings with a second of silence inside."""
    sounds = [(numpy.concatenate([samples, numpy.zeros(RATE), samples]), text)
              for samples, text in tones(60, 0.4)]
    return bottleneck(write_corpus(folder / "corpus", sounds), settings=STEADY)


def precision_not_used(folder):
    """float32 on a processor that is faster in bfloat16."""
    corpus = write_tones(folder / "corpus", 60)
    planned = train(folder / "run", corpus, "--dry-run", training__precision="auto")
    if not re.search(r"Precision: +bf16", planned.stdout + planned.stderr):
        raise CannotPlant("this processor is not faster in bfloat16")
    return bottleneck(corpus, "--precision", "fp32", settings=STEADY)


def model_too_small(folder):
    """A model whose step is over as soon as it began, for one utterance at a time."""
    return bottleneck(write_tones(folder / "corpus", 60), "--batch-size", 1, batches=60, settings={
        **STEADY, **{key: value for key, value in SETTINGS.items() if key.startswith("model.")},
        "model.use_energy_predictor": "false"})


def healthy_cached(folder):
    """A model that takes its time, mels in memory."""
    return bottleneck(write_tones(folder / "corpus", 60), settings=STEADY)


def healthy_fixed(folder):
    """The same with one fixed shape, mels on disk, one worker and longer recordings."""
    return bottleneck(write_tones(folder / "corpus", 60, seconds=1.0), "--enable-static-shapes",
                      "--cache", "disk", settings={**STEADY, "data.num_workers": 1})


FAULTS = {prepare.__name__: prepare for prepare in (
    dynamic_shapes, oversized_signature, one_worker, tiny_buffer, slow_disk, file_latency, huge_mp3s,
    resampling_every_file, slow_text, threads_oversubscribed, shared_core, cache_off, cache_full,
    memory_nearly_full, bad_files, long_silences, precision_not_used, model_too_small)}
HEALTHY = {prepare.__name__.replace("_", "."): prepare for prepare in (healthy_cached, healthy_fixed)}


def found(answer):
    """The ids, the worst first."""
    return [finding["id"] for finding in answer["findings"]]
