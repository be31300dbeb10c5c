"""SIGTERM and Ctrl-C write a checkpoint and end the training; a second Ctrl-C ends it at once."""

import random
import shutil
import signal
import time

import pytest
from training import (SCALE, checkpoint_state, log_text, newest_checkpoint, slow_files, start, terminate, train,
                      wait_for_step, wait_until, write_tones)

MAX_STEPS = 100_000  # only a signal ends such a run


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_tones(tmp_path_factory.mktemp("tones") / "corpus", 16)


def assert_resumes(run, corpus):
    """Fails unless the next start trains two more steps."""
    step = checkpoint_state(newest_checkpoint(run))["step"] if (run / "checkpoints").exists() else 0
    ended = train(run, corpus, "--max-steps", step + 2)
    assert ended.returncode == 0, ended.stderr
    assert checkpoint_state(newest_checkpoint(run))["step"] == step + 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_writes_a_checkpoint_and_sets_the_exit_code(number, corpus, tmp_path):
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", MAX_STEPS)
    wait_for_step(run, 3, process)

    assert terminate(process, number) == 128 + number

    step = checkpoint_state(newest_checkpoint(run))["step"]
    assert step >= 3
    assert f"interrupted; checkpoint saved at step {step}; the same command resumes from it" in log_text(run)
    assert_resumes(run, corpus)


def test_second_ctrl_c_exits_without_a_checkpoint(corpus, tmp_path):
    """The steps are slow, so that both signals arrive within one. A checkpoint would be written at its end."""
    run = tmp_path / "voice"
    slow = {"data__batch_size": 16, "model__decoder_dim": 512, "model__decoder_layers": 6,
            "model__decoder_ffn_dim": 1024}
    process = start(run, corpus, "--max-steps", MAX_STEPS, **slow)
    wait_for_step(run, 2, process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.01)
    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=60) == 128 + signal.SIGINT

    assert "checkpoint saved" not in log_text(run) and not (run / "checkpoints").exists()
    ended = train(run, corpus, "--max-steps", 1, **slow)
    assert ended.returncode == 0, ended.stderr


def test_watchdog_ignores_the_time_of_a_suspended_process(corpus, tmp_path):
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", MAX_STEPS, "--hang-minutes", 0.1)
    wait_for_step(run, 3, process)
    process.send_signal(signal.SIGSTOP)
    time.sleep(8)  # longer than --hang-minutes
    process.send_signal(signal.SIGCONT)
    wait_for_step(run, 12, process)

    assert terminate(process, signal.SIGTERM) == 128 + signal.SIGTERM
    assert "abandoned" not in log_text(run)


def test_signal_during_the_start_leaves_a_run_that_resumes(corpus, tmp_path):
    """Before the first step no checkpoint is written. The exit code does not depend on that."""
    generator = random.Random(5)
    for i in range(4 * SCALE):
        run = tmp_path / f"voice{i}"
        process = start(run, corpus, "--max-steps", MAX_STEPS)
        wait_until(lambda folder=run: (folder / "lock").exists(), process)
        time.sleep(generator.uniform(0, 0.3))
        assert terminate(process) == 128 + signal.SIGTERM
        assert_resumes(run, corpus)


def test_signal_ends_the_start_delay_of_the_model(corpus, tmp_path):
    """The delay is longer than the timeout of terminate()."""
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", MAX_STEPS, "--data-device", "cpu:0", "--model-device", "cpu:1",
                    "--num-workers", 1, "--model-start-delay", 600)
    wait_until(lambda: "Waiting 600.0s for data pipeline" in log_text(run), process)

    assert terminate(process) == 128 + signal.SIGTERM
    assert_resumes(run, corpus)


def test_signal_ends_the_wait_for_data(tmp_path):
    """At 20 kB/s loading a batch takes more than a minute, which is longer than the timeout of terminate()."""
    corpus = write_tones(tmp_path / "corpus", 160)
    run = tmp_path / "voice"
    slow = slow_files(tmp_path, ".slow", bytes_per_s=20_000)
    process = start(run, corpus, "--max-steps", MAX_STEPS, "--cache", "off", "--num-workers", 1,
                    "--buffer-size", 1, data__batch_size=32, environment=slow)
    wait_for_step(run, 2, process)
    for wav in (corpus / "wavs").glob("*.wav"):
        shutil.copy(wav, wav.with_suffix(".slow"))
        (link := wav.with_suffix(".link")).symlink_to(wav.with_suffix(".slow").name)
        link.rename(wav)
    wait_until(lambda: "for its data" in log_text(run), process)

    assert terminate(process) == 128 + signal.SIGTERM

    step = checkpoint_state(newest_checkpoint(run))["step"]
    assert f"interrupted; checkpoint saved at step {step}; the same command resumes from it" in log_text(run)
