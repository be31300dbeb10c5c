"""Run folders that something happened to: broken saves, two runs at once, no room, no permission."""

import os
import resource
import shutil
import signal
import subprocess

import pytest
from training import (PROGRAM, command, facts, metrics, newest, saves, start, state_of, stop, train, updates,
                      wait_for_step, write_tones)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_tones(tmp_path_factory.mktemp("tones") / "corpus", 16)


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    """A run with saves of steps 2, 4 and 6."""
    run = tmp_path_factory.mktemp("runs") / "voice"
    ended = train(run, corpus, "--max-steps", 6, training__save_step=2)
    assert ended.returncode == 0, ended.stderr
    assert saves(run) == ["step_00000002", "step_00000004", "step_00000006"]
    return run


@pytest.fixture
def run(trained, tmp_path):
    return shutil.copytree(trained, tmp_path / "voice")


def flip_a_bit(file):
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def test_a_broken_save_is_passed_over_with_its_reason(run, corpus, trained):
    flip_a_bit(run / "checkpoints" / "step_00000006" / "model.safetensors")

    ended = train(run, corpus, "--max-steps", 6, training__save_step=2)

    assert ended.returncode == 0, ended.stderr
    assert "skipped damaged checkpoint" in ended.stderr and "step_00000006: " in ended.stderr
    assert "SHA-256" in ended.stderr
    assert "resumed at step 4" in ended.stderr
    assert facts(run)["model"] == facts(trained)["model"], "it is made again to the bit"
    assert "step_00000006.broken.1" in saves(run)


def test_saves_that_are_all_broken_never_lead_to_a_fresh_start(run, corpus):
    for name in saves(run):
        flip_a_bit(run / "checkpoints" / name / "trainer.safetensors")
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()
              and path.name not in ("log.txt", "lock")}

    ended = train(run, corpus, "--max-steps", 6)

    assert ended.returncode == 1
    assert ended.stderr.count("skipped damaged checkpoint") == 3
    assert "none is valid" in ended.stderr and "--reset-training" in ended.stderr
    after = {path: path.read_bytes() for path in before}
    assert after == before, "nothing was touched"


def test_saves_of_another_model_are_refused(run, corpus):
    ended = train(run, corpus, "--max-steps", 8, model__decoder_dim=32)

    assert ended.returncode == 1
    assert "changed since the checkpoint: model.decoder_dim is 32, was 16" in ended.stderr
    assert "it belongs to another model" in ended.stderr
    assert saves(run)[-1] == "step_00000006"


def test_saves_of_other_mels_are_refused(run, corpus):
    ended = train(run, corpus, "--max-steps", 8, model__mel_fmax=7000)

    assert ended.returncode == 1
    assert "other mels" in ended.stderr and "--reset-training" in ended.stderr


def test_one_run_at_a_time(corpus, tmp_path):
    run = tmp_path / "voice"
    first = start(run, corpus, "--max-steps", 100_000)
    wait_for_step(run, 1, first)

    second = train(run, corpus, "--max-steps", 2)

    assert second.returncode == 1
    assert f"another run (pid {first.pid}) is using {run}" in second.stderr
    assert stop(first) == 128 + signal.SIGTERM
    assert [line["step"] for line in updates(run)] == list(
        range(1, state_of(newest(run))["step"] + 1)), "the second start has touched nothing"


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_read(corpus, tmp_path):
    (tmp_path / "file").write_text("")
    for folder, code in (("/proc/voice", 1), (tmp_path / "file", 2), (tmp_path / "file" / "v", 2)):
        ended = train(folder, corpus, "--max-steps", 2)
        assert ended.returncode == code, (folder, ended.stderr)
        assert "choose another" in ended.stderr and ended.stderr.startswith("myxtts: "), folder


def test_a_save_that_does_not_fit_leaves_the_older_ones(run, corpus):
    """Files as large as the weights cannot be written here, which is what a full disk looks like."""
    limit = (newest(run) / "model.safetensors").stat().st_size - 1

    def hold_small():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    before = facts(run)
    ended = subprocess.run(command(run, corpus, "--max-steps", 8), check=False, text=True,
                           capture_output=True, preexec_fn=hold_small, timeout=300)

    assert ended.returncode == 1
    assert "step_00000008" in ended.stderr and "File too large" in ended.stderr
    assert saves(run) == ["step_00000002", "step_00000004", "step_00000006"]
    goes_on = train(run, corpus, "--max-steps", 8)
    assert goes_on.returncode == 0, goes_on.stderr
    assert facts(run)["metrics"][:len(before["metrics"])] == before["metrics"]


def test_room_for_a_save_is_looked_for_before_the_first_step(corpus, tmp_path):
    """A file system of one megabyte, in a name space of its own."""
    run = tmp_path / "small" / "voice"
    run.parent.mkdir()
    script = 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"'
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", str(run.parent)]
    if subprocess.run([*words, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")

    ended = subprocess.run([*words, *command(run, corpus, "--max-steps", 2)], check=False, text=True,
                           capture_output=True, timeout=300, env=os.environ)

    assert ended.returncode == 1
    assert "MiB are free" in ended.stderr and "choose another run folder" in ended.stderr
    assert "[train] starting" not in ended.stderr


def test_reset_training_sets_the_old_run_aside(run, corpus):
    old = facts(run)
    ended = train(run, corpus, "--max-steps", 1, "--reset-training")

    assert ended.returncode == 0, ended.stderr
    assert str(run / "before_reset_1") in ended.stderr
    assert saves(run) == ["step_00000001"]
    assert [line["step"] for line in metrics(run)] == [1]
    assert facts(run / "before_reset_1") == old


def test_a_setting_that_has_changed_is_said(run, corpus):
    ended = train(run, corpus, "--max-steps", 7, "--lr", "8e-5", training__threads=2)

    assert ended.returncode == 0, ended.stderr
    assert "changed since the checkpoint: training.learning_rate is 8.0e-05, was 0.002" in ended.stderr
    assert "changed since the checkpoint: training.threads is 2, was 1" in ended.stderr
    assert "2 threads, the checkpoint was written with 1" in ended.stderr
    assert "model.decoder_dim" not in ended.stderr.split("Final Training Configuration")[1]


def test_a_run_goes_on_with_the_settings_it_was_started_with(run, corpus):
    """Only the folder and a length are typed; the model's sizes come from the run."""
    ended = subprocess.run([PROGRAM, "train", "--checkpoint-dir", str(run), "--max-steps", "7"],
                           check=False, text=True, capture_output=True, timeout=300)

    assert ended.returncode == 0, ended.stderr
    assert "resumed at step 6" in ended.stderr and saves(run)[-1] == "step_00000007"
