"""Run folders with damaged or incompatible checkpoints, a second process, too little space, or no permission."""

import os
import resource
import shutil
import signal
import subprocess

import pytest
from training import (PROGRAM, checkpoint_names, checkpoint_state, command, metrics, newest_checkpoint,
                      reproducible_state, start, step_records, terminate, train, wait_for_step, write_tones)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_tones(tmp_path_factory.mktemp("tones") / "corpus", 16)


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    """A run with checkpoints of steps 2, 4 and 6."""
    run = tmp_path_factory.mktemp("runs") / "voice"
    ended = train(run, corpus, "--max-steps", 6, training__save_step=2)
    assert ended.returncode == 0, ended.stderr
    assert checkpoint_names(run) == ["step_00000002", "step_00000004", "step_00000006"]
    return run


@pytest.fixture
def run(trained, tmp_path):
    """A copy of the trained run, which a test may change."""
    return shutil.copytree(trained, tmp_path / "voice")


def flip_a_bit(file):
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def test_damaged_checkpoint_is_skipped_with_the_reason(run, corpus, trained):
    flip_a_bit(run / "checkpoints" / "step_00000006" / "model.safetensors")

    ended = train(run, corpus, "--max-steps", 6, training__save_step=2)

    assert ended.returncode == 0, ended.stderr
    assert "skipped damaged checkpoint" in ended.stderr and "step_00000006: " in ended.stderr
    assert "SHA-256" in ended.stderr
    assert "resumed at step 4" in ended.stderr
    assert reproducible_state(run)["model"] == reproducible_state(trained)["model"], "bit-identical after the resume"
    assert "step_00000006.broken.1" in checkpoint_names(run)


def test_run_with_only_damaged_checkpoints_is_refused(run, corpus):
    for name in checkpoint_names(run):
        flip_a_bit(run / "checkpoints" / name / "trainer.safetensors")
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()
              and path.name not in ("log.txt", "lock")}

    ended = train(run, corpus, "--max-steps", 6)

    assert ended.returncode == 1
    assert ended.stderr.count("skipped damaged checkpoint") == 3
    assert "none is valid" in ended.stderr and "--reset-training" in ended.stderr
    after = {path: path.read_bytes() for path in before}
    assert after == before, "no file was changed"


def test_checkpoints_of_another_model_are_refused(run, corpus):
    ended = train(run, corpus, "--max-steps", 8, model__decoder_dim=32)

    assert ended.returncode == 1
    assert "changed since the checkpoint: model.decoder_dim is 32, was 16" in ended.stderr
    assert "use the model settings of the checkpoint" in ended.stderr
    assert checkpoint_names(run)[-1] == "step_00000006"


def test_checkpoints_of_another_mel_spec_are_refused(run, corpus):
    ended = train(run, corpus, "--max-steps", 8, model__mel_fmax=7000)

    assert ended.returncode == 1
    assert "other mels" in ended.stderr and "--reset-training" in ended.stderr


def test_second_process_on_a_run_folder_is_refused(corpus, tmp_path):
    run = tmp_path / "voice"
    first = start(run, corpus, "--max-steps", 100_000)
    wait_for_step(run, 1, first)

    second = train(run, corpus, "--max-steps", 2)

    assert second.returncode == 1
    assert f"another run (pid {first.pid}) is using {run}" in second.stderr
    assert terminate(first) == 128 + signal.SIGTERM
    assert [line["step"] for line in step_records(run)] == list(
        range(1, checkpoint_state(newest_checkpoint(run))["step"] + 1)), "the second process wrote nothing"


def test_unwritable_run_folder_is_refused(corpus, tmp_path):
    (tmp_path / "file").write_text("")
    for folder, code in (("/proc/voice", 1), (tmp_path / "file", 2), (tmp_path / "file" / "v", 2)):
        ended = train(folder, corpus, "--max-steps", 2)
        assert ended.returncode == code, (folder, ended.stderr)
        assert "choose another" in ended.stderr and ended.stderr.startswith("myxtts: "), folder


def test_failed_write_of_a_checkpoint_leaves_the_older_ones(run, corpus):
    """A limit of the file size below the size of the weights simulates a full disk."""
    limit = (newest_checkpoint(run) / "model.safetensors").stat().st_size - 1

    def limit_file_size():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    before = reproducible_state(run)
    ended = subprocess.run(command(run, corpus, "--max-steps", 8), check=False, text=True,
                           capture_output=True, preexec_fn=limit_file_size, timeout=300)

    assert ended.returncode == 1
    assert "step_00000008" in ended.stderr and "File too large" in ended.stderr
    assert checkpoint_names(run) == ["step_00000002", "step_00000004", "step_00000006"]
    resumed = train(run, corpus, "--max-steps", 8)
    assert resumed.returncode == 0, resumed.stderr
    assert reproducible_state(run)["metrics"][:len(before["metrics"])] == before["metrics"]


def test_space_for_a_checkpoint_is_checked_before_the_first_step(corpus, tmp_path):
    """The run folder is on a file system of one megabyte, mounted in a separate mount namespace."""
    run = tmp_path / "small" / "voice"
    run.parent.mkdir()
    script = 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"'
    unshare = ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", str(run.parent)]
    if subprocess.run([*unshare, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("file systems cannot be mounted on this machine")

    ended = subprocess.run([*unshare, *command(run, corpus, "--max-steps", 2)], check=False, text=True,
                           capture_output=True, timeout=300, env=os.environ)

    assert ended.returncode == 1
    assert "MiB are free" in ended.stderr and "choose another run folder" in ended.stderr
    assert "[train] starting" not in ended.stderr


def test_reset_training_archives_the_old_run(run, corpus):
    old = reproducible_state(run)
    ended = train(run, corpus, "--max-steps", 1, "--reset-training")

    assert ended.returncode == 0, ended.stderr
    assert str(run / "before_reset_1") in ended.stderr
    assert checkpoint_names(run) == ["step_00000001"]
    assert [line["step"] for line in metrics(run)] == [1]
    assert reproducible_state(run / "before_reset_1") == old


def test_changed_settings_are_logged(run, corpus):
    ended = train(run, corpus, "--max-steps", 7, "--lr", "8e-5", training__threads=2)

    assert ended.returncode == 0, ended.stderr
    assert "changed since the checkpoint: training.learning_rate is 8.0e-05, was 0.002" in ended.stderr
    assert "changed since the checkpoint: training.threads is 2, was 1" in ended.stderr
    assert "2 threads, the checkpoint was written with 1" in ended.stderr
    assert "model.decoder_dim" not in ended.stderr.split("Final Training Configuration")[1]


def test_resume_uses_the_settings_of_the_run(run, corpus):
    """The command has only the run folder and a number of steps; all other settings come from the run."""
    ended = subprocess.run([PROGRAM, "train", "--checkpoint-dir", str(run), "--max-steps", "7"],
                           check=False, text=True, capture_output=True, timeout=300)

    assert ended.returncode == 0, ended.stderr
    assert "resumed at step 6" in ended.stderr and checkpoint_names(run)[-1] == "step_00000007"
