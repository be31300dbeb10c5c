"""Common mistakes end with a one-line message, the right exit code and a suggestion."""

import json
import os
import random
import resource
import signal
import stat
import subprocess

import pytest

PROGRAM = os.environ["MYXTTS"]


def test_misspelt_command_is_corrected(myxtts):
    result = myxtts("statz", "--train-data", "x")

    assert result.returncode == 2
    assert "did you mean 'stats'" in result.stderr


def test_missing_command_refers_to_the_help(myxtts):
    result = myxtts()

    assert result.returncode == 2
    assert "--help" in result.stderr


FLAGS = {
    ("stats",): ["--train-data", "--max-text-length", "--max-mel-frames", "--language", "--json"],
    ("corpus", "demo"): ["--utterances", "--voices", "--words", "--seed", "--language", "--text"],
    ("audio", "x.wav"): ["--png", "--sample-rate", "--hop-length", "--target-loudness-lufs"],
}


def test_misspelt_flags_are_corrected(myxtts):
    rng = random.Random(5)
    num_corrected = total = 0
    for command, flags in FLAGS.items():
        for flag in flags:
            i = rng.randrange(3, len(flag) - 1)
            typed = flag[:i] + flag[i + 1] + flag[i] + flag[i + 2:]  # swaps two neighbouring letters
            if typed == flag:
                continue
            result = myxtts(*command, typed, "1")
            assert result.returncode == 2, (typed, result.stderr)
            total += 1
            num_corrected += f"did you mean '{flag}'" in result.stderr

    assert num_corrected >= 0.9 * total, (num_corrected, total)


@pytest.mark.parametrize("setting, message", [
    ("data.batchsize=8", "did you mean 'data.batch_size'"),
    ("data.batch_size=many", "expected integer"),
    ("data.batch_size=0", "in [1"),
    ("model.n_fft=1000", "power of two"),
    ("nonsense", "KEY=VALUE"),
])
def test_invalid_setting_is_reported_with_the_expected_value(myxtts, setting, message):
    result = myxtts("config", "show", "--set", setting)

    assert result.returncode == 2
    assert message.lower() in result.stderr.lower()


def test_all_configuration_errors_are_reported_at_once(myxtts, tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("model: {n_fft: 1000, mel_fmax: 99000.0}\ndata: {batch_size: 0}\n")

    result = myxtts("config", "show", "--config", file)

    assert result.returncode == 2
    for key in ["n_fft", "mel_fmax", "batch_size"]:
        assert key in result.stderr


def test_missing_configuration_file_suggests_a_similar_name(myxtts, tmp_path):
    (tmp_path / "voice.yaml").write_text("data: {}\n")

    result = myxtts("config", "show", "--config", tmp_path / "voise.yaml")

    assert result.returncode == 2
    assert "voice.yaml" in result.stderr


def test_missing_corpus_suggests_a_similar_name(myxtts, demo_corpus):
    result = myxtts("stats", "--train-data", demo_corpus.parent / "demo_corpsu")

    assert result.returncode == 2
    assert "demo_corpus" in result.stderr


def test_stats_without_a_corpus_suggests_corpus_demo(myxtts, tmp_path):
    result = myxtts("stats", cwd=tmp_path)

    assert result.returncode == 2
    assert "myxtts corpus demo --out" in result.stderr


def test_text_that_crashes_the_phonemiser_is_handled(myxtts):
    healthy = myxtts("text", "Good morning.")
    crashing = myxtts("text", "s'" * 70)

    assert healthy.returncode == 0
    assert crashing.returncode in (0, 1)  # repaired, or refused with a reason
    assert "bug" not in crashing.stderr


@pytest.mark.parametrize("arguments", [["--voices", "rms,unknown"], ["--words", "9-3"],
                                       ["--utterances", "0"], ["--language", "xx"]])
def test_invalid_demo_corpus_flags_create_no_files(myxtts, tmp_path, arguments):
    result = myxtts("corpus", "demo", "--out", tmp_path / "out", *arguments)

    assert result.returncode == 2, result.stderr
    assert not (tmp_path / "out").exists()


def limit_file_size_to_4_kib():
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_failed_write_keeps_the_old_file(myxtts, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    (tmp_path / "mel.png").write_text("the old one")

    result = myxtts("audio", clip, "--png", tmp_path / "mel.png", preexec_fn=limit_file_size_to_4_kib,
                    restore_signals=False)

    assert result.returncode == 1
    assert "File too large" in result.stderr
    assert (tmp_path / "mel.png").read_text() == "the old one"
    assert [path.name for path in tmp_path.iterdir()] == ["mel.png"]


def test_failed_write_to_stdout_is_an_error(myxtts):
    for arguments in [["text", "Hello."], ["config", "show"], ["--version"]]:
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE,
                                    text=True, check=False)

        assert result.returncode == 1, arguments
        assert "writ" in result.stderr


def test_failed_write_to_the_log_is_ignored(demo_corpus):
    with open("/dev/full", "w") as full:
        result = subprocess.run([PROGRAM, "corpus", "check", demo_corpus, "--json"], stderr=full,
                                stdout=subprocess.PIPE, text=True, check=False)

    assert result.returncode == 0
    assert json.loads(result.stdout)["bad"] == []


def test_closed_pipe_ends_the_program_without_a_message():
    result = subprocess.run(f"{PROGRAM} config show | true; exit ${{PIPESTATUS[0]}}", shell=True,
                            executable="/bin/bash", capture_output=True, text=True, check=False)

    assert result.returncode in (0, 141)
    assert "write" not in result.stderr


def test_fifo_is_not_replaced_by_a_file(myxtts, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    os.mkfifo(tmp_path / "pipe.png")

    result = myxtts("audio", clip, "--png", tmp_path / "pipe.png")

    assert result.returncode == 2
    assert stat.S_ISFIFO((tmp_path / "pipe.png").stat().st_mode)


def test_stdout_contains_only_json(myxtts, demo_corpus):
    for command in [["stats", "--train-data", demo_corpus], ["corpus", "check", demo_corpus],
                    ["text", "Hello."], ["config", "show"]]:
        result = myxtts(*command, "--json")

        json.loads(result.stdout)
