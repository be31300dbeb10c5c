"""Recordings whose reads do not end, as on a disk or a network that does not answer.

Opening one takes ten minutes here, which nobody waits for: a run that did would not end in time.
"""

import json
import os
import signal
import subprocess
import time

import pytest
import training

NEVER = 600


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return training.write_tones(tmp_path_factory.mktemp("tones") / "corpus", 40)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return tmp_path_factory.mktemp("library")


@pytest.fixture(scope="module")
def stuck(library):
    return training.slow_files(library, "u007.wav", open_s=NEVER)


@pytest.fixture(scope="module")
def dead(library):
    return training.slow_files(library, open_s=NEVER)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_training_goes_on_without_it(tmp_path, corpus, stuck, workers):
    run = tmp_path / "run"
    ended = training.train(run, corpus, "--max-steps", 2, "--num-workers", workers, environment=stuck)

    assert ended.returncode == 0, ended.stderr
    assert json.loads((run / "summary.json").read_text())["skipped_utterances"] == 1
    assert '"stuck"' in (run / "record.json").read_text()


def test_a_share_that_is_too_large_ends_it_with_the_name(tmp_path, stuck):
    few = training.write_tones(tmp_path / "corpus", 10)
    ended = training.train(tmp_path / "run", few, "--max-steps", 2, environment=stuck)

    assert ended.returncode == 1
    assert "u007: stuck" in ended.stderr


def test_the_check_of_the_corpus_names_it(corpus, stuck):
    ended = subprocess.run([training.PROGRAM, "corpus", "check", corpus, "--json"], check=False,
                           text=True, capture_output=True, timeout=300, env={**os.environ, **stuck})

    assert ended.returncode == 1, ended.stderr
    bad = json.loads(ended.stdout)["bad"]
    assert [(one["id"], one["reason"]) for one in bad] == [("u007", "stuck")]
    assert "reading it did not end within 3.0 s" in bad[0]["detail"]


def test_a_disk_that_does_not_answer_at_all_is_named(tmp_path, corpus, dead):
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 2, "--num-workers", 4,
                           environment=dead)

    assert ended.returncode == 1
    assert "consecutive recordings could not be read in time" in ended.stderr


def test_ctrl_c_is_heard_while_it_reads(tmp_path, corpus, dead):
    run = tmp_path / "run"
    process = training.start(run, corpus, "--max-steps", 2, environment=dead)
    training.wait_until((run / "lock").exists, process)
    time.sleep(0.5)

    assert training.stop(process) == 128 + signal.SIGTERM
