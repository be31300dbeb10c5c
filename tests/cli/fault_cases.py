"""Runs of `myxtts diagnose` with one injected fault each, and runs without a fault.

Each function below writes a small corpus into a folder and returns a FaultCase: the arguments, the settings
and the environment of a diagnosis. FAULTS maps the id of the expected first finding to its function. HEALTHY
has the runs that must have no findings. tests/rules/write_records.py runs both by hand.
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
from training import PROGRAM, RATE, SETTINGS, slow_files, tones, train, write_corpus, write_tones

CORES = sorted(os.sched_getaffinity(0))
# A model whose step takes much longer than the time between two steps, with loaders that are always ahead of
# the model. The only findings in such a run are about injected faults. `auto` selects the fastest precision of
# this machine.
STEADY = {**SETTINGS, "model.text_encoder_dim": 64, "model.text_encoder_ffn_dim": 256,
          "model.decoder_dim": 128, "model.decoder_layers": 4, "model.decoder_ffn_dim": 512,
          "training.gradient_accumulation_steps": 1, "training.precision": "auto",
          "data.num_workers": 2}
# Steps that are shorter than the loading of a batch, with one worker and no cache. There are two epochs, because
# a missing cache is a finding from three epochs on.
LOADING_BOUND = {**SETTINGS, "training.gradient_accumulation_steps": 1, "training.precision": "auto",
                 "training.epochs": 2, "data.num_workers": 1, "data.feature_cache": "off"}
# Findings that other programs on the same machine cause.
CAUSED_BY_OTHER_PROGRAMS = {"cyclic_variation", "high_variation", "machine_busy"}


@dataclasses.dataclass
class FaultCase:
    """A diagnosis to run. `arguments` begin with the subcommand. `prefix` runs the program, such as `taskset`."""
    corpus: pathlib.Path
    arguments: list
    settings: dict
    prefix: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)

    def sets(self):
        return [argument for key, value in self.settings.items()
                for argument in ("--set", f"{key}={value}")]

    def command(self):
        return [*map(str, self.prefix), PROGRAM, "diagnose", *map(str, self.arguments), "--json",
                "--train-data", str(self.corpus), *self.sets()]


class CannotInject(Exception):
    """The machine lacks something that the fault needs. The message has the reason."""


def run(prepare, folder):
    """Injects the fault, runs the diagnosis in the folder and returns its JSON report."""
    return inject_fault(prepare, folder)[1]


def inject_fault(prepare, folder):
    """Injects the fault and runs the diagnosis in the folder. Returns the FaultCase and the JSON report."""
    case = prepare(folder)
    work = folder / "work"
    work.mkdir(parents=True)
    case.settings = {"data.cache_dir": work / "features", **case.settings}
    result = subprocess.run(case.command(), check=False,
                            text=True, capture_output=True, cwd=work, stdin=subprocess.DEVNULL,
                            env={**os.environ, "TMPDIR": str(work), **case.environment}, timeout=300)
    assert result.returncode in (0, 1) and result.stdout, result.stderr
    report = json.loads(result.stdout)
    assert result.returncode == (0 if report["healthy"] else 1)
    return case, report


def apply_suggestion(suggestion, case, folder):
    """Runs a suggestion of a finding: flags are appended to a dry run of a training, a command runs as printed.

    A training in a command is also a dry run.
    """
    command = ["/bin/sh", "-c", suggestion + (" --dry-run" if " train " in suggestion else "")]
    if suggestion.startswith("--"):
        command = [PROGRAM, "train", "--dry-run", "--train-data", str(case.corpus), *case.sets(),
                   *shlex.split(suggestion)]
    return subprocess.run(command, check=False, text=True, capture_output=True, cwd=folder,
                          stdin=subprocess.DEVNULL, timeout=300)


def bottleneck(corpus, *flags, settings, batches=30, **more):
    return FaultCase(corpus, ["bottleneck", "--num-batches", batches, *flags], settings, **more)


def dynamic_shapes(folder):
    """Each batch is padded to its longest utterance."""
    return FaultCase(write_tones(folder / "corpus", 60),
                     ["retracing", "--steps", 8, "--dynamic-shapes"], STEADY)


def oversized_signature(folder):
    """The fixed shape has four times as many frames as the recordings."""
    return bottleneck(write_tones(folder / "corpus", 60), "--enable-static-shapes",
                      "--max-mel-frames", 200, batches=12, settings=STEADY)


def one_worker(folder):
    """One worker extracts mels at 96 kHz, which takes longer than a step.

    The number of batches equals the buffer size, so a buffer that is full before step 1 would hide the fault.
    """
    return bottleneck(write_corpus(folder / "corpus", tones(16, 5.0, 96000), rate=96000), batches=50,
                      settings={**LOADING_BOUND, "model.sample_rate": 96000, "model.n_fft": 4096,
                                "model.win_length": 4096, "model.hop_length": 1024})


def tiny_buffer(folder):
    """The buffer holds one batch. The loader is fast enough except for two of 96 recordings.

    These two have 65 s of silence at both ends, which is decoded and then trimmed.
    """
    utterances = tones(96, 0.4)
    silence = numpy.zeros(65 * RATE)
    for i in (10, 77):
        utterances[i] = (numpy.concatenate([silence, utterances[i][0], silence]), utterances[i][1])
    return bottleneck(write_corpus(folder / "corpus", utterances, suffix="flac"), "--buffer-size", 1,
                      batches=26, settings={
                          **STEADY, "model.use_voice_conditioning": "false", "training.epochs": 2,
                          "data.num_workers": 1, "data.feature_cache": "off", "data.val_split": 0,
                          "data.max_audio_length": 600})


def slow_disk(folder):
    """Recordings are read at 1 MB/s."""
    return bottleneck(write_tones(folder / "corpus", 24), batches=16, settings=LOADING_BOUND,
                      environment=slow_files(folder, bytes_per_s=1e6))


def file_latency(folder):
    """Opening a recording takes 15 ms."""
    return bottleneck(write_tones(folder / "corpus", 24), batches=16, settings=LOADING_BOUND,
                      environment=slow_files(folder, open_s=0.015))


def huge_mp3s(folder):
    """The recordings are long stereo MP3 files."""
    utterances = [(numpy.stack([samples, samples[::-1]], axis=1), text) for samples, text in tones(12, 8.0)]
    return bottleneck(write_corpus(folder / "corpus", utterances, suffix="mp3"), batches=12,
                      settings=LOADING_BOUND)


def resampling_every_file(folder):
    """All recordings have a sample rate of 96 kHz."""
    return bottleneck(write_corpus(folder / "corpus", tones(24, 1.0, 96000), rate=96000), batches=20,
                      settings=LOADING_BOUND)


def slow_text(folder):
    """espeak-ng crashes if it gets more than two texts at once."""
    real = shutil.which("espeak-ng")
    if not real:
        raise CannotInject("espeak-ng is not installed")
    wrapper = folder / "bin" / "espeak-ng"
    wrapper.parent.mkdir()
    wrapper.write_text('#!/bin/sh\ncase "$*" in *--voices*) exec ' + real + ' "$@" ;; esac\n'
                       'text=$(cat)\n'
                       '[ "$(printf %s "$text" | grep -c .)" -le 2 ] || kill -KILL $$\n'
                       '[ -z "$text" ] || printf "%s\\n\\n" "$text" | ' + real + ' "$@"\n')
    wrapper.chmod(0o755)
    return bottleneck(write_tones(folder / "corpus", 30, seconds=1.0), batches=20,
                      settings={**STEADY, "data.use_phonemes": "true"},
                      environment={"PATH": f"{wrapper.parent}:{os.environ['PATH']}"})


def threads_oversubscribed(folder):
    """The training has four compute threads per core."""
    return bottleneck(write_tones(folder / "corpus", 60), "--threads", 4 * len(CORES), batches=12,
                      settings=STEADY)


def shared_core(folder):
    """The program is restricted to one of several cores."""
    if (os.cpu_count() or 1) < 2:
        raise CannotInject("this machine has one core")
    return bottleneck(write_tones(folder / "corpus", 60), settings=STEADY, batches=12,
                      prefix=["taskset", "-c", CORES[0]])


def cache_off(folder):
    """The cache is off during many epochs."""
    return bottleneck(write_tones(folder / "corpus", 60), "--cache", "off", settings=STEADY)


def cache_full(folder):
    """The disk cache is too small for all mels."""
    return bottleneck(write_tones(folder / "corpus", 60, seconds=1.0), "--cache", "disk",
                      settings={**STEADY, "data.cache_limit": "1MB"})


def memory_nearly_full(folder):
    """The memory budget is 3 % above the memory that the run needs."""
    corpus = write_tones(folder / "corpus", 60)

    def with_budget(budget):
        return bottleneck(corpus, settings={**STEADY, "training.memory_budget": budget}, batches=12)

    unconstrained = run(lambda _: with_budget("8GB"), folder / "unconstrained")
    return with_budget(int(1.03 * unconstrained["record"]["memory"]["need_bytes"]))


def bad_files(folder):
    """3 of 100 recordings are truncated within their header."""
    corpus = write_tones(folder / "corpus", 100)
    for name in ("u011", "u047", "u083"):
        file = corpus / "wavs" / f"{name}.wav"
        file.write_bytes(file.read_bytes()[:20])
    return bottleneck(corpus, settings={**STEADY, "data.val_split": 0})


def long_silences(folder):
    """The recordings have a second of silence in the middle."""
    utterances = [(numpy.concatenate([samples, numpy.zeros(RATE), samples]), text)
                  for samples, text in tones(60, 0.4)]
    return bottleneck(write_corpus(folder / "corpus", utterances), settings=STEADY)


def precision_not_used(folder):
    """The precision is fp32 on a processor that is faster with bf16."""
    corpus = write_tones(folder / "corpus", 60)
    planned = train(folder / "run", corpus, "--dry-run", training__precision="auto")
    if not re.search(r"Precision: +bf16", planned.stdout + planned.stderr):
        raise CannotInject("this processor is not faster with bf16")
    return bottleneck(corpus, "--precision", "fp32", settings=STEADY)


def model_too_small(folder):
    """A very small model with one utterance per batch."""
    return bottleneck(write_tones(folder / "corpus", 60), "--batch-size", 1, batches=60, settings={
        **STEADY, **{key: value for key, value in SETTINGS.items() if key.startswith("model.")},
        "model.use_energy_predictor": "false"})


def healthy_cached(folder):
    """The step takes much longer than loading. The mels are in memory."""
    return bottleneck(write_tones(folder / "corpus", 60), settings=STEADY)


def healthy_fixed(folder):
    """A healthy run with one fixed shape, mels in the disk cache, one worker and longer recordings."""
    return bottleneck(write_tones(folder / "corpus", 60, seconds=1.0), "--enable-static-shapes",
                      "--cache", "disk", settings={**STEADY, "data.num_workers": 1})


FAULTS = {prepare.__name__: prepare for prepare in (
    dynamic_shapes, oversized_signature, one_worker, tiny_buffer, slow_disk, file_latency, huge_mp3s,
    resampling_every_file, slow_text, threads_oversubscribed, shared_core, cache_off, cache_full,
    memory_nearly_full, bad_files, long_silences, precision_not_used, model_too_small)}
HEALTHY = {prepare.__name__.replace("_", "."): prepare for prepare in (healthy_cached, healthy_fixed)}


def finding_ids(report):
    """Returns the ids of the findings in their order, the most severe first."""
    return [finding["id"] for finding in report["findings"]]
