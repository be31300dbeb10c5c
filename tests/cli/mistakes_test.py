"""The likeliest mistakes: each gets one clear line, the right exit code, and a way out."""

import json
import os
import random
import resource
import signal
import stat
import subprocess

import pytest

PROGRAM = os.environ["MYXTTS"]


def test_a_verb_with_a_typing_error_is_suggested(myxtts):
    answer = myxtts("statz", "--train-data", "x")

    assert answer.returncode == 2
    assert "did you mean 'stats'" in answer.stderr


def test_no_verb_says_what_there_is(myxtts):
    answer = myxtts()

    assert answer.returncode == 2
    assert "--help" in answer.stderr


FLAGS = {
    ("stats",): ["--train-data", "--max-text-length", "--max-mel-frames", "--language", "--json"],
    ("corpus", "demo"): ["--utterances", "--voices", "--words", "--seed", "--language", "--text"],
    ("audio", "x.wav"): ["--png", "--sample-rate", "--hop-length", "--target-loudness-lufs"],
}


def test_typing_errors_in_flags_are_suggested(myxtts):
    chance = random.Random(5)
    right = total = 0
    for verb, flags in FLAGS.items():
        for flag in flags:
            at = chance.randrange(3, len(flag) - 1)
            typed = flag[:at] + flag[at + 1] + flag[at] + flag[at + 2:]  # two neighbours swapped
            if typed == flag:
                continue
            answer = myxtts(*verb, typed, "1")
            assert answer.returncode == 2, (typed, answer.stderr)
            total += 1
            right += f"did you mean '{flag}'" in answer.stderr

    assert right >= 0.9 * total, (right, total)


@pytest.mark.parametrize("setting, words", [
    ("data.batchsize=8", "did you mean 'data.batch_size'"),
    ("data.batch_size=many", "expected integer"),
    ("data.batch_size=0", "in [1"),
    ("model.n_fft=1000", "power of two"),
    ("nonsense", "KEY=VALUE"),
])
def test_a_wrong_setting_names_the_key_and_what_is_expected(myxtts, setting, words):
    answer = myxtts("config", "show", "--set", setting)

    assert answer.returncode == 2
    assert words.lower() in answer.stderr.lower()


def test_all_contradictions_come_at_once(myxtts, tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("model: {n_fft: 1000, mel_fmax: 99000.0}\ndata: {batch_size: 0}\n")

    answer = myxtts("config", "show", "--config", file)

    assert answer.returncode == 2
    for key in ["n_fft", "mel_fmax", "batch_size"]:
        assert key in answer.stderr


def test_a_configuration_that_is_not_there_suggests_its_neighbour(myxtts, tmp_path):
    (tmp_path / "voice.yaml").write_text("data: {}\n")

    answer = myxtts("config", "show", "--config", tmp_path / "voise.yaml")

    assert answer.returncode == 2
    assert "voice.yaml" in answer.stderr


def test_a_corpus_that_is_not_there_suggests_its_neighbour(myxtts, demo_corpus):
    answer = myxtts("stats", "--train-data", demo_corpus.parent / "demo_corpsu")

    assert answer.returncode == 2
    assert "demo_corpus" in answer.stderr


def test_no_corpus_at_all_says_how_to_make_one(myxtts, tmp_path):
    answer = myxtts("stats", cwd=tmp_path)

    assert answer.returncode == 2
    assert "myxtts corpus demo --out" in answer.stderr


def test_a_text_that_crashes_the_phonemiser_costs_that_text_alone(myxtts):
    healthy = myxtts("text", "Good morning.")
    hostile = myxtts("text", "s'" * 70)

    assert healthy.returncode == 0
    assert hostile.returncode in (0, 1)  # spoken after repair, or refused with its reason
    assert "bug" not in hostile.stderr


@pytest.mark.parametrize("arguments", [["--voices", "rms,nobody"], ["--words", "9-3"],
                                       ["--utterances", "0"], ["--language", "xx"]])
def test_a_demo_corpus_that_cannot_be_leaves_nothing(myxtts, tmp_path, arguments):
    answer = myxtts("corpus", "demo", "--out", tmp_path / "out", *arguments)

    assert answer.returncode == 2, answer.stderr
    assert not (tmp_path / "out").exists()


def no_file_above_4_kib():
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_a_write_that_fails_half_way_keeps_the_old_file(myxtts, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    (tmp_path / "mel.png").write_text("the old one")

    answer = myxtts("audio", clip, "--png", tmp_path / "mel.png", preexec_fn=no_file_above_4_kib,
                    restore_signals=False)

    assert answer.returncode == 1
    assert "File too large" in answer.stderr
    assert (tmp_path / "mel.png").read_text() == "the old one"
    assert [path.name for path in tmp_path.iterdir()] == ["mel.png"]


def test_an_answer_that_cannot_be_written_is_a_failure(myxtts):
    for arguments in [["text", "Hello."], ["config", "show"], ["--version"]]:
        with open("/dev/full", "w") as full:
            answer = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE,
                                    text=True, check=False)

        assert answer.returncode == 1, arguments
        assert "writ" in answer.stderr


def test_a_log_that_cannot_be_written_stops_nothing(demo_corpus):
    with open("/dev/full", "w") as full:
        answer = subprocess.run([PROGRAM, "corpus", "check", demo_corpus, "--json"], stderr=full,
                                stdout=subprocess.PIPE, text=True, check=False)

    assert answer.returncode == 0
    assert json.loads(answer.stdout)["bad"] == []


def test_a_reader_that_leaves_ends_the_program_quietly():
    answer = subprocess.run(f"{PROGRAM} config show | true; exit ${{PIPESTATUS[0]}}", shell=True,
                            executable="/bin/bash", capture_output=True, text=True, check=False)

    assert answer.returncode in (0, 141)
    assert "write" not in answer.stderr


def test_a_device_is_not_replaced(myxtts, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    os.mkfifo(tmp_path / "pipe.png")

    answer = myxtts("audio", clip, "--png", tmp_path / "pipe.png")

    assert answer.returncode == 2
    assert stat.S_ISFIFO((tmp_path / "pipe.png").stat().st_mode)


def test_json_is_the_only_thing_on_stdout(myxtts, demo_corpus):
    for verb in [["stats", "--train-data", demo_corpus], ["corpus", "check", demo_corpus],
                 ["text", "Hello."], ["config", "show"]]:
        answer = myxtts(*verb, "--json")

        json.loads(answer.stdout)
