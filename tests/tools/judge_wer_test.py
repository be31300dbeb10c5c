"""Tests of tools/judge_wer.py: its word error rate, and recognition of synthetic speech."""

import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/judge_wer.py"
SENTENCES = ["The weather is fine today.", "We will meet at the station."]


@pytest.fixture(scope="module")
def judge_wer():
    spec = importlib.util.spec_from_file_location("judge_wer", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judge(text, wavs, *arguments):
    return subprocess.run([sys.executable, SCRIPT, "--text", text, "--wavs", wavs, *arguments],
                          check=False, text=True, capture_output=True)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    """Two sentences spoken by flite, with a blank line between them in the text file."""
    if not shutil.which("flite"):
        pytest.fail("flite is not installed; run tools/setup.sh")
    folder = tmp_path_factory.mktemp("words")
    (folder / "text.txt").write_text("\n\n".join(SENTENCES) + "\n")
    (folder / "wavs").mkdir()
    for number, sentence in enumerate(SENTENCES, 1):
        subprocess.run(["flite", "-voice", "rms", "-t", sentence,
                        "-o", folder / "wavs" / f"{number:04}.wav"], check=True)
    return folder


@pytest.mark.parametrize("expected, heard, errors", [
    ("a b c", "a b c", 0), ("a b c", "", 3), ("", "a", 1), ("a b c", "a x c", 1),
    ("a b c", "b c", 1), ("a b c", "a b b c", 1), ("a b c d", "b a d c", 3)])
def test_errors_are_insertions_deletions_and_substitutions(judge_wer, expected, heard, errors):
    assert judge_wer.edit_distance(expected.split(), heard.split()) == errors


def test_punctuation_and_case_are_ignored(judge_wer):
    assert judge_wer.words_of("It\u2019s 'Dr. Who', isn't it?") == ["it's", "dr", "who", "isn't",
                                                                     "it"]


def test_synthetic_speech_is_recognised(spoken):
    done = judge(spoken / "text.txt", spoken / "wavs", "--json")

    assert done.returncode == 0, done.stderr
    total = json.loads(done.stdout)
    assert total["words"] == 11
    assert total["errors"] == sum(file["errors"] for file in total["files"]) <= 2
    assert total["word_error_rate"] == total["errors"] / 11
    assert [file["file"] for file in total["files"]] == ["0001.wav", "0002.wav"]


def test_wrong_text_has_only_errors_and_a_missing_file_counts_as_silence(spoken, tmp_path):
    (tmp_path / "text.txt").write_text("Purple monkeys juggle.\nGood night.\nNot in this.\n")

    done = judge(tmp_path / "text.txt", spoken / "wavs", "--jobs", "1", "--json")

    files = json.loads(done.stdout)["files"]
    assert files[0]["errors"] >= 3 and files[1]["errors"] >= 2
    assert files[2] == {"file": "0003.wav", "text": "Not in this.", "heard": "", "words": 3,
                        "missing": True, "errors": 3}


def test_errors_end_with_a_one_line_message(spoken, tmp_path):
    (tmp_path / "numbers.txt").write_text("12 345\n")
    (tmp_path / "0001.wav").write_text("not a WAV file")
    for text, wavs, message in ((tmp_path / "absent.txt", spoken / "wavs", "absent.txt"),
                              (spoken / "text.txt", tmp_path / "absent", "no WAV file"),
                              (spoken / "text.txt", tmp_path, "0001.wav"),
                              (tmp_path / "numbers.txt", spoken / "wavs", "no word")):
        done = judge(text, wavs)
        assert done.returncode == 1
        assert done.stdout == ""
        assert message in done.stderr.splitlines()[-1], done.stderr
