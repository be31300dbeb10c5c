"""Ctrl-C and SIGTERM: saved, said, and gone; twice: gone at once."""

import random
import shutil
import signal
import time

import pytest
from training import (SCALE, newest, said, slow_files, start, state_of, stop, train, wait_for_step,
                      wait_until, write_tones)

LONG = 100_000  # steps: such a run ends by a signal only


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_tones(tmp_path_factory.mktemp("tones") / "corpus", 16)


def goes_on(run, corpus):
    step = state_of(newest(run))["step"] if (run / "checkpoints").exists() else 0
    ended = train(run, corpus, "--max-steps", step + 2)
    assert ended.returncode == 0, ended.stderr
    assert state_of(newest(run))["step"] == step + 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_saves_and_exits_with_the_signal(number, corpus, tmp_path):
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", LONG)
    wait_for_step(run, 3, process)

    assert stop(process, number) == 128 + number

    step = state_of(newest(run))["step"]
    assert step >= 3
    assert f"interrupted; checkpoint saved at step {step}; the same command resumes from it" in said(run)
    goes_on(run, corpus)


def test_a_second_ctrl_c_leaves_at_once_and_the_next_start_works(corpus, tmp_path):
    """Updates take long here, so that both come within one; it saves at the end of an update."""
    run = tmp_path / "voice"
    slow = {"data__batch_size": 16, "model__decoder_dim": 512, "model__decoder_layers": 6,
            "model__decoder_ffn_dim": 1024}
    process = start(run, corpus, "--max-steps", LONG, **slow)
    wait_for_step(run, 2, process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.01)
    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=60) == 128 + signal.SIGINT

    assert "checkpoint saved" not in said(run) and not (run / "checkpoints").exists()
    ended = train(run, corpus, "--max-steps", 1, **slow)
    assert ended.returncode == 0, ended.stderr


def test_a_run_that_was_stopped_by_ctrl_z_is_not_taken_for_one_that_hangs(corpus, tmp_path):
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", LONG, "--hang-minutes", 0.1)
    wait_for_step(run, 3, process)
    process.send_signal(signal.SIGSTOP)
    time.sleep(8)  # longer than it may hang
    process.send_signal(signal.SIGCONT)
    wait_for_step(run, 12, process)

    assert stop(process, signal.SIGTERM) == 128 + signal.SIGTERM
    assert "abandoned" not in said(run)


def test_at_any_moment_of_its_start_it_leaves_a_folder_that_goes_on(corpus, tmp_path):
    """Before the first step there may be nothing to save; the answer is the same."""
    moments = random.Random(5)
    for i in range(4 * SCALE):
        run = tmp_path / f"voice{i}"
        process = start(run, corpus, "--max-steps", LONG)
        wait_until(lambda folder=run: (folder / "lock").exists(), process)
        time.sleep(moments.uniform(0, 0.3))
        assert stop(process) == 128 + signal.SIGTERM
        goes_on(run, corpus)


def test_it_is_heard_while_the_model_waits_to_start(corpus, tmp_path):
    """Longer than a stop may take."""
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", LONG, "--data-device", "cpu:0", "--model-device", "cpu:1",
                    "--num-workers", 1, "--model-start-delay", 600)
    wait_until(lambda: "Waiting 600.0s for data pipeline" in said(run), process)

    assert stop(process) == 128 + signal.SIGTERM
    goes_on(run, corpus)


def test_it_is_heard_while_the_model_waits_for_data(tmp_path):
    """An update out of files that give 20 kB per second takes more than a minute: longer than a stop may."""
    corpus = write_tones(tmp_path / "corpus", 160)
    run = tmp_path / "voice"
    slow = slow_files(tmp_path, ".slow", bytes_per_s=20_000)
    process = start(run, corpus, "--max-steps", LONG, "--cache", "off", "--num-workers", 1,
                    "--buffer-size", 1, data__batch_size=32, environment=slow)
    wait_for_step(run, 2, process)
    for wav in (corpus / "wavs").glob("*.wav"):
        shutil.copy(wav, wav.with_suffix(".slow"))
        (link := wav.with_suffix(".link")).symlink_to(wav.with_suffix(".slow").name)
        link.rename(wav)
    wait_until(lambda: "for its data" in said(run), process)

    assert stop(process) == 128 + signal.SIGTERM

    step = state_of(newest(run))["step"]
    assert f"interrupted; checkpoint saved at step {step}; the same command resumes from it" in said(run)
