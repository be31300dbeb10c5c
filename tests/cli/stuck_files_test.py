"""Recordings whose reads do not end, as on a disk or a network that does not respond.

In these tests open() takes ten minutes, so a run that waits for it exceeds the timeout of the test.
"""

import json
import os
import signal
import subprocess
import time

import pytest
import training

OPEN_S = 600  # longer than any timeout


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return training.write_tones(tmp_path_factory.mktemp("tones") / "corpus", 40)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return tmp_path_factory.mktemp("library")


@pytest.fixture(scope="module")
def one_stuck(library):
    """The environment in which the recording u007 is stuck."""
    return training.slow_files(library, "u007.wav", open_s=OPEN_S)


@pytest.fixture(scope="module")
def all_stuck(library):
    """The environment in which every recording is stuck."""
    return training.slow_files(library, open_s=OPEN_S)


@pytest.mark.parametrize("workers", [0, 2])
def test_training_skips_a_stuck_recording(tmp_path, corpus, one_stuck, workers):
    run = tmp_path / "run"
    ended = training.train(run, corpus, "--max-steps", 2, "--num-workers", workers, environment=one_stuck)

    assert ended.returncode == 0, ended.stderr
    assert json.loads((run / "summary.json").read_text())["skipped_utterances"] == 1
    assert '"stuck"' in (run / "record.json").read_text()


def test_too_large_a_share_of_stuck_recordings_is_an_error(tmp_path, one_stuck):
    few = training.write_tones(tmp_path / "corpus", 10)
    ended = training.train(tmp_path / "run", few, "--max-steps", 2, environment=one_stuck)

    assert ended.returncode == 1
    assert "u007: stuck" in ended.stderr


def test_corpus_check_reports_a_stuck_recording(corpus, one_stuck):
    ended = subprocess.run([training.PROGRAM, "corpus", "check", corpus, "--json"], check=False,
                           text=True, capture_output=True, timeout=300, env={**os.environ, **one_stuck})

    assert ended.returncode == 1, ended.stderr
    bad = json.loads(ended.stdout)["bad"]
    assert [(one["id"], one["reason"]) for one in bad] == [("u007", "stuck")]
    assert "reading it did not end within 3.0 s" in bad[0]["detail"]


def test_disk_that_does_not_respond_is_an_error(tmp_path, corpus, all_stuck):
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 2, "--num-workers", 4,
                           environment=all_stuck)

    assert ended.returncode == 1
    assert "consecutive recordings could not be read in time" in ended.stderr


def test_sigterm_ends_a_training_during_a_stuck_read(tmp_path, corpus, all_stuck):
    run = tmp_path / "run"
    process = training.start(run, corpus, "--max-steps", 2, environment=all_stuck)
    training.wait_until((run / "lock").exists, process)
    time.sleep(0.5)

    assert training.terminate(process) == 128 + signal.SIGTERM
