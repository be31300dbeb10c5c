"""A resumed run is bit-identical to an uninterrupted run."""

import json
import signal
import time

import pytest
from training import (SCALE, checkpoint_state, differences, log_text, newest_checkpoint, reproducible_state, start,
                      step_records, terminate, train, wait_for_step, write_tones)

STEPS = 12
STEPS_PER_EPOCH = 4
VALIDATION_INTERVAL = 3  # steps
SETTINGS = {"training__val_step": VALIDATION_INTERVAL, "training__schedule_steps": STEPS}

# Place of the interruption, precision, threads, and workers of the first start. The short suite runs the first four.
CASES = [
    ("mid-epoch", "fp32", 1, 2),
    ("end of an epoch", "bf16", 2, 0),
    ("between micro-batches", "fp32", 2, 0),
    ("in a validation", "bf16", 1, 0),
    ("mid-epoch", "bf16", 2, 1),
    ("end of an epoch", "fp32", 1, 0),
    ("between micro-batches", "bf16", 1, 3),
    ("in a validation", "fp32", 2, 0),
    ("mid-epoch", "fp32", 2, 0),
    ("in a validation", "fp32", 1, 2),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 4 * STEPS_PER_EPOCH)
    write_tones(folder / "val", 60, seconds=1.0)  # a validation takes longer than a step
    return folder


@pytest.fixture(scope="module")
def uninterrupted(corpus, tmp_path_factory):
    """Returns the reproducible state of an uninterrupted run by precision and number of threads."""
    states = {}

    def expected_state(precision, threads):
        if (precision, threads) not in states:
            run = tmp_path_factory.mktemp("uninterrupted") / "voice"
            ended = train(run, corpus, "--max-steps", STEPS, **SETTINGS,
                          training__precision=precision, training__threads=threads)
            if "bf16 matrix products fail on this machine" in ended.stderr:
                pytest.skip("bf16 does not work on this machine")
            assert ended.returncode == 0, ended.stderr
            states[precision, threads] = reproducible_state(run)
        return states[precision, threads]

    return expected_state


def stop_by_max_steps(run, corpus, steps, settings):
    ended = train(run, corpus, "--max-steps", steps, **settings)
    assert ended.returncode == 0, ended.stderr
    assert checkpoint_state(newest_checkpoint(run))["step"] == steps


def stop_by_signal(run, corpus, after_step, settings, share_of_step=0.0):
    """Sends SIGTERM after a step, delayed by a share of the duration of the last step."""
    process = start(run, corpus, "--max-steps", STEPS, **settings)
    wait_for_step(run, after_step, process)
    time.sleep(share_of_step * step_records(run)[-1]["step_s"])
    assert terminate(process) == 128 + signal.SIGTERM
    assert f"checkpoint saved at step {checkpoint_state(newest_checkpoint(run))['step']};" in log_text(run)
    assert after_step <= checkpoint_state(newest_checkpoint(run))["step"] < STEPS


def stop_at(place, run, corpus, settings):
    if place == "mid-epoch":
        stop_by_max_steps(run, corpus, STEPS_PER_EPOCH + 1, settings)
        assert checkpoint_state(newest_checkpoint(run))["batch"] == 1
    elif place == "end of an epoch":
        stop_by_max_steps(run, corpus, 2 * STEPS_PER_EPOCH, settings)
        state = checkpoint_state(newest_checkpoint(run))
        assert (state["epoch"], state["batch"]) == (2, 0)
    elif place == "between micro-batches":
        stop_by_signal(run, corpus, VALIDATION_INTERVAL + 1, settings, share_of_step=0.5)
    else:
        stop_by_signal(run, corpus, VALIDATION_INTERVAL, settings)
        state = checkpoint_state(newest_checkpoint(run))
        assert (state["step"], state["validated_step"]) == (VALIDATION_INTERVAL, 0), (
            "the validation was interrupted and runs after the resume")


@pytest.mark.parametrize(("place", "precision", "threads", "workers"),
                         CASES if SCALE > 1 else CASES[:4])
def test_resumed_run_equals_an_uninterrupted_run(place, precision, threads, workers, corpus, uninterrupted, tmp_path):
    expected = uninterrupted(precision, threads)
    run = tmp_path / "voice"
    settings = {**SETTINGS, "training__precision": precision, "training__threads": threads}

    stop_at(place, run, corpus, {**settings, "data__num_workers": workers})
    ended = train(run, corpus, "--max-steps", STEPS, **settings)

    assert ended.returncode == 0, ended.stderr
    assert "resumed at step" in ended.stderr
    assert differences(reproducible_state(run), expected) == []


def test_larger_max_steps_do_not_change_the_learning_rate_schedule(corpus, tmp_path):
    """The schedule is that of the first start, also if a later start trains for more steps."""
    whole, resumed = tmp_path / "whole", tmp_path / "resumed"
    train(whole, corpus, "--max-steps", 6)
    train(resumed, corpus, "--max-steps", 6)
    ended = train(resumed, corpus, "--max-steps", 8)

    assert "the schedule keeps its original 6 steps" in ended.stderr
    assert [line["lr"] for line in step_records(resumed)][:6] == [line["lr"] for line in step_records(whole)]
    assert [line["step"] for line in step_records(resumed)] == list(range(1, 9))


def test_finished_run_is_not_changed(corpus, tmp_path):
    run = tmp_path / "voice"
    first = train(run, corpus, "--max-steps", 3)
    before = reproducible_state(run)
    again = train(run, corpus, "--max-steps", 3, "--json")

    assert (first.returncode, again.returncode) == (0, 0)
    assert json.loads(again.stdout)["steps"] == 3
    assert differences(reproducible_state(run), before) == []
