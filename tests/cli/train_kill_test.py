"""kill -9 at random moments: the next start works by itself, and nothing of it is seen at the end."""

import random
import time

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from training import (SCALE, differences, facts, metrics, saves, start, train, write_tones)

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


def no_step_is_there_twice(run):
    lines = [(line["step"], "validation_loss" in line) for line in metrics(run)]
    assert lines == sorted(set(lines))
    board = EventAccumulator(str(run), size_guidance={"scalars": 0}).Reload()
    for tag in board.Tags()["scalars"]:
        steps = [event.step for event in board.Scalars(tag)]
        assert steps == sorted(set(steps)), (tag, steps)
    for tag in board.Tags()["images"]:
        steps = [event.step for event in board.Images(tag)]
        assert steps == sorted(set(steps)), (tag, steps)


def test_killed_at_random_moments_it_ends_as_if_it_had_never_been(corpus, tmp_path):
    unkilled = tmp_path / "unkilled"
    began = time.monotonic()
    finish(unkilled, corpus)
    life_s = time.monotonic() - began
    wanted = facts(unkilled)
    no_step_is_there_twice(unkilled)
    moments = random.Random(4)
    num_kills = num_runs = 0

    while num_kills < KILLS:
        run = tmp_path / f"run{num_runs}"
        num_runs += 1
        ended = False
        while not ended and num_kills < KILLS:
            process = start(run, corpus, "--max-steps", STEPS, **SETTINGS)
            time.sleep(moments.uniform(0, life_s))
            ended = process.poll() is not None
            process.kill()
            assert process.wait() in (0, -9), "it could not go on after a kill"
            num_kills += not ended
        finish(run, corpus)

        assert differences(facts(run), wanted) == []
        assert not [name for name in saves(run) if "." in name], "remains of a save"
        no_step_is_there_twice(run)
