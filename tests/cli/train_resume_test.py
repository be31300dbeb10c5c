"""A run that stopped and went on is, to the bit, the run that never stopped."""

import json
import signal
import time

import pytest
from training import (SCALE, differences, facts, newest, said, start, state_of, stop, train, updates,
                      wait_for_step, write_tones)

STEPS = 12
EPOCH = 4  # updates
VALIDATIONS = 3  # every so many steps
SETTINGS = {"training__val_step": VALIDATIONS, "training__schedule_steps": STEPS}

# Where it stops, how it computes, workers of the first start. The first four are the short form.
PLACES = [
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
    write_tones(folder / "train", 4 * EPOCH)
    write_tones(folder / "val", 60, seconds=1.0)  # a validation takes longer than an update
    return folder


@pytest.fixture(scope="module")
def unbroken(corpus, tmp_path_factory):
    """The facts of the run that never stopped, for a precision and a number of threads."""
    known = {}

    def of(precision, threads):
        if (precision, threads) not in known:
            run = tmp_path_factory.mktemp("unbroken") / "voice"
            ended = train(run, corpus, "--max-steps", STEPS, **SETTINGS,
                          training__precision=precision, training__threads=threads)
            if "cannot multiply matrices in bf16" in ended.stderr:
                pytest.skip("this machine has no bf16")
            assert ended.returncode == 0, ended.stderr
            known[precision, threads] = facts(run)
        return known[precision, threads]

    return of


def stop_by_length(run, corpus, steps, settings):
    ended = train(run, corpus, "--max-steps", steps, **settings)
    assert ended.returncode == 0, ended.stderr
    assert state_of(newest(run))["step"] == steps


def stop_by_signal(run, corpus, after_step, settings, share_of_update=0.0):
    process = start(run, corpus, "--max-steps", STEPS, **settings)
    wait_for_step(run, after_step, process)
    time.sleep(share_of_update * updates(run)[-1]["step_s"])
    assert stop(process) == 128 + signal.SIGTERM
    assert f"checkpoint saved at step {state_of(newest(run))['step']};" in said(run)
    assert after_step <= state_of(newest(run))["step"] < STEPS


def stop_at(place, run, corpus, settings):
    if place == "mid-epoch":
        stop_by_length(run, corpus, EPOCH + 1, settings)
        assert state_of(newest(run))["batch"] == 1
    elif place == "end of an epoch":
        stop_by_length(run, corpus, 2 * EPOCH, settings)
        assert (state_of(newest(run))["epoch"], state_of(newest(run))["batch"]) == (2, 0)
    elif place == "between micro-batches":
        stop_by_signal(run, corpus, VALIDATIONS + 1, settings, share_of_update=0.5)
    else:
        stop_by_signal(run, corpus, VALIDATIONS, settings)
        state = state_of(newest(run))
        assert (state["step"], state["validated_step"]) == (VALIDATIONS, 0), (
            "the validation was given up and is still to be made")


@pytest.mark.parametrize(("place", "precision", "threads", "workers"),
                         PLACES if SCALE > 1 else PLACES[:4])
def test_goes_on_to_the_bit(place, precision, threads, workers, corpus, unbroken, tmp_path):
    wanted = unbroken(precision, threads)
    run = tmp_path / "voice"
    settings = {**SETTINGS, "training__precision": precision, "training__threads": threads}

    stop_at(place, run, corpus, {**settings, "data__num_workers": workers})
    ended = train(run, corpus, "--max-steps", STEPS, **settings)

    assert ended.returncode == 0, ended.stderr
    assert "resumed at step" in ended.stderr
    assert differences(facts(run), wanted) == []


def test_the_schedule_is_that_of_the_first_start(corpus, tmp_path):
    """A length that is given later makes the run longer; it does not bend the learning rate."""
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    train(whole, corpus, "--max-steps", 6)
    train(parted, corpus, "--max-steps", 6)
    longer = train(parted, corpus, "--max-steps", 8)

    assert "the schedule keeps its original 6 steps" in longer.stderr
    assert [line["lr"] for line in updates(parted)][:6] == [line["lr"] for line in updates(whole)]
    assert [line["step"] for line in updates(parted)] == list(range(1, 9))


def test_a_finished_run_stays_as_it_is(corpus, tmp_path):
    run = tmp_path / "voice"
    first = train(run, corpus, "--max-steps", 3)
    before = facts(run)
    again = train(run, corpus, "--max-steps", 3, "--json")

    assert (first.returncode, again.returncode) == (0, 0)
    assert json.loads(again.stdout)["steps"] == 3
    assert differences(facts(run), before) == []
