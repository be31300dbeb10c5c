"""Trainings killed with SIGKILL at random moments resume and end in the same state as an uninterrupted one."""

import random
import time

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from training import (SCALE, checkpoint_names, differences, metrics, reproducible_state, start, train,
                      write_tones)

KILLS = 20 * SCALE
STEPS = 24
SETTINGS = {"training__save_step": 2, "training__val_step": 3, "training__keep_checkpoints": 2,
            "training__spectrogram_log_interval": 5, "training__spectrogram_log_num_examples": 1}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 16)
    write_tones(folder / "val", 4)
    return folder


def finish(run, corpus):
    ended = train(run, corpus, "--max-steps", STEPS, **SETTINGS)
    assert ended.returncode == 0, ended.stderr


def assert_no_duplicate_steps(run):
    """Fails if metrics.jsonl or the TensorBoard events contain a step twice or out of order."""
    lines = [(line["step"], "validation_loss" in line) for line in metrics(run)]
    assert lines == sorted(set(lines))
    board = EventAccumulator(str(run), size_guidance={"scalars": 0}).Reload()
    for tag in board.Tags()["scalars"]:
        steps = [event.step for event in board.Scalars(tag)]
        assert steps == sorted(set(steps)), (tag, steps)
    for tag in board.Tags()["images"]:
        steps = [event.step for event in board.Images(tag)]
        assert steps == sorted(set(steps)), (tag, steps)


def test_killed_runs_end_in_the_state_of_an_uninterrupted_run(corpus, tmp_path):
    uninterrupted = tmp_path / "uninterrupted"
    started = time.monotonic()
    finish(uninterrupted, corpus)
    duration_s = time.monotonic() - started
    expected = reproducible_state(uninterrupted)
    assert_no_duplicate_steps(uninterrupted)
    generator = random.Random(4)
    num_kills = num_runs = 0

    while num_kills < KILLS:
        run = tmp_path / f"run{num_runs}"
        num_runs += 1
        ended = False
        while not ended and num_kills < KILLS:
            process = start(run, corpus, "--max-steps", STEPS, **SETTINGS)
            time.sleep(generator.uniform(0, duration_s))
            ended = process.poll() is not None
            process.kill()
            assert process.wait() in (0, -9), "the resume after a kill failed"
            num_kills += not ended
        finish(run, corpus)

        assert differences(reproducible_state(run), expected) == []
        assert not [name for name in checkpoint_names(run) if "." in name], "an unfinished checkpoint remains"
        assert_no_duplicate_steps(run)
