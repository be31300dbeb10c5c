"""tools/judge_words.py: how it counts, and that it hears what a program says."""

import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/judge_words.py"
SENTENCES = ["The weather is fine today.", "We will meet at the station."]


@pytest.fixture(scope="module")
def judge_words():
    spec = importlib.util.spec_from_file_location("judge_words", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def judge(text, wavs, *arguments):
    return subprocess.run([sys.executable, SCRIPT, "--text", text, "--wavs", wavs, *arguments],
                          check=False, text=True, capture_output=True)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    """Two sentences by flite, with a blank line between them in the text."""
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
def test_an_error_is_a_word_more_less_or_another(judge_words, expected, heard, errors):
    assert judge_words.word_errors(expected.split(), heard.split()) == errors


def test_marks_and_capitals_are_no_words(judge_words):
    assert judge_words.words_of("It\u2019s 'Dr. Who', isn't it?") == ["it's", "dr", "who", "isn't",
                                                                     "it"]


def test_it_hears_what_was_said(spoken):
    answer = judge(spoken / "text.txt", spoken / "wavs", "--json")

    assert answer.returncode == 0, answer.stderr
    total = json.loads(answer.stdout)
    assert total["words"] == 11
    assert total["errors"] == sum(file["errors"] for file in total["files"]) <= 2
    assert total["word_error_rate"] == total["errors"] / 11
    assert [file["file"] for file in total["files"]] == ["0001.wav", "0002.wav"]


def test_another_text_is_all_wrong_and_a_missing_file_is_silence(spoken, tmp_path):
    (tmp_path / "text.txt").write_text("Purple monkeys juggle.\nGood night.\nNobody said this.\n")

    answer = judge(tmp_path / "text.txt", spoken / "wavs", "--jobs", "1", "--json")

    files = json.loads(answer.stdout)["files"]
    assert files[0]["errors"] >= 3 and files[1]["errors"] >= 2
    assert files[2] == {"file": "0003.wav", "text": "Nobody said this.", "heard": "", "words": 3,
                        "missing": True, "errors": 3}


def test_what_cannot_be_judged_is_said_in_one_line(spoken, tmp_path):
    (tmp_path / "numbers.txt").write_text("12 345\n")
    (tmp_path / "0001.wav").write_text("no sound")
    for text, wavs, words in ((tmp_path / "absent.txt", spoken / "wavs", "absent.txt"),
                              (spoken / "text.txt", tmp_path / "absent", "none is there"),
                              (spoken / "text.txt", tmp_path, "0001.wav"),
                              (tmp_path / "numbers.txt", spoken / "wavs", "no word")):
        answer = judge(text, wavs)
        assert answer.returncode == 1
        assert answer.stdout == ""
        assert words in answer.stderr.splitlines()[-1], answer.stderr
