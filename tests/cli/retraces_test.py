"""Retraces: planned shapes have none; dynamic shapes have some, which are counted and logged."""

import json
import re

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from training import SCALE, step_records, train, write_tones

STEPS = 200 * SCALE
SETTINGS = {"data__batch_size": 4, "training__gradient_accumulation_steps": 2}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Tones of two durations, so that a shape plan has several signatures."""
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 40, seconds=0.3)
    lines = (folder / "train" / "metadata.csv").read_text()
    write_tones(folder / "long", 40, seconds=0.9)
    for wav in sorted((folder / "long" / "wavs").iterdir()):
        wav.rename(folder / "train" / "wavs" / f"long_{wav.name}")
        lines += f"long_{wav.stem}|a long one that runs on\n"
    (folder / "train" / "metadata.csv").write_text(lines)
    write_tones(folder / "val", 9, seconds=0.6)
    return folder


@pytest.mark.parametrize("flags", [["--shape-buckets", "auto"], ["--enable-static-shapes"]],
                         ids=["auto", "fixed"])
def test_static_shapes_never_retrace(flags, corpus, tmp_path):
    """The run has several epochs, two micro-batches per step, and validations."""
    run = tmp_path / "voice"
    ended = train(run, corpus, *flags, "--max-steps", STEPS, "--json", **SETTINGS,
                  training__val_step=50, training__log_step=50)
    assert ended.returncode == 0, ended.stderr

    answer = json.loads(ended.stdout)
    assert answer["steps"] == STEPS and answer["retraces"] == 0
    assert "RETRACING" not in ended.stderr and "[step] prepared" in ended.stderr
    lines = step_records(run)
    assert [line["retraces"] for line in lines] == [0] * STEPS
    assert max(line["epoch"] for line in lines) >= 3
    assert len({line["signature"] for line in lines}) == (1 if "--enable-static-shapes" in flags
                                                          else answer["signatures"])
    assert answer["validation_loss"] is not None


def test_retraces_of_dynamic_shapes_are_counted_and_logged(corpus, tmp_path):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--dynamic-shapes", "--max-steps", 12, "--json", **SETTINGS)
    assert ended.returncode == 0, ended.stderr

    retraces = re.findall(r"RETRACING detected at step (\d+) \(total retraces: (\d+)\): (.*)", ended.stderr)
    answer = json.loads(ended.stdout)
    assert answer["retraces"] == len(retraces) >= 3
    assert [int(total) for _, total, _ in retraces] == list(range(1, len(retraces) + 1))
    assert any(re.match(r"(mel|text)\[1\] \d+ -> \d+, \d+\.\d\d s", what) for _, _, what in retraces)
    assert "--shape-buckets auto" in ended.stderr  # the suggestion, if two retraces are within 6 steps
    assert "[step] eager" in ended.stderr
    assert step_records(run)[-1]["retraces"] == answer["retraces"]
    board = EventAccumulator(str(run))
    board.Reload()
    assert board.Scalars("train/retraces")[-1].value == answer["retraces"]


def test_eager_and_prepared_steps_have_equal_losses(corpus, tmp_path):
    losses = {}
    for compiled in ("true", "false"):
        ended = train(tmp_path / compiled, corpus, "--max-steps", 12, **SETTINGS,
                      training__compile_step=compiled)
        assert ended.returncode == 0, ended.stderr
        assert ("[step] eager" in ended.stderr) == (compiled == "false")
        losses[compiled] = [(line["loss"], line["grad_norm"]) for line in step_records(tmp_path / compiled)]
    assert losses["true"] == losses["false"]
