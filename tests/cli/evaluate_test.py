"""`myxtts evaluate` from outside, with a voice that was trained for two steps and judges of all kinds."""

import json
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from training import PROGRAM, train

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "judge_wer.py"
JUDGE = shlex.join([sys.executable, str(SCRIPT)])
SENTENCES = ["Good morning.", "The rain has stopped."]


@pytest.fixture(scope="module")
def run(demo_corpus, tmp_path_factory):
    """A run folder; its model says nothing that could be understood."""
    folder = tmp_path_factory.mktemp("runs") / "voice"
    trained = train(folder, demo_corpus, "--max-steps", 2)
    assert trained.returncode == 0, trained.stderr
    return folder


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "lines.txt"
    file.write_text("\n\n".join(SENTENCES) + "\n")
    return file


@pytest.fixture
def evaluate(myxtts, run, text):
    def call(*arguments):
        return myxtts("evaluate", run, "--text", text, *arguments)

    return call


@pytest.fixture
def judge(tmp_path):
    """Writes a judge of a few lines of Python and gives the command that calls it."""

    def write(body):
        script = tmp_path / "judge.py"
        script.write_text("import json, pathlib, sys, time\n"
                          "text, wavs = sys.argv[sys.argv.index('--text') + 1], "
                          "sys.argv[sys.argv.index('--wavs') + 1]\n" + body + "\n")
        return shlex.join([sys.executable, str(script)])

    return write


@pytest.fixture
def recorded(tmp_path):
    """A folder with recordings by name: those who judge them first never hear them."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    for name in ("0001.wav", "0002.wav"):
        (folder / name).write_bytes(b"")
    return folder


def test_without_a_judge_it_says_what_it_spoke_and_leaves_nothing(evaluate, tmp_path, monkeypatch):
    places = tmp_path / "temporary"
    places.mkdir()
    monkeypatch.setenv("TMPDIR", str(places))

    answer = evaluate("--json")

    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    assert report["sentences"] == report["spoken"] == 2
    assert report["audio_s"] > 0 and report["real_time_factor"] > 0
    assert report["score"] is None and report["judge"] is None and report["out"] is None
    assert report["save"].endswith("step_00000002")
    assert list(places.iterdir()) == []


def test_our_judge_counts_words_and_the_recordings_beside(evaluate, tmp_path):
    assert shutil.which("flite"), "flite is not installed; run tools/setup.sh"
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    for number, sentence in enumerate(SENTENCES, 1):
        subprocess.run(["flite", "-voice", "rms", "-t", sentence,
                        "-o", recorded / f"{number:04}.wav"], check=True)
    out = tmp_path / "spoken"

    answer = evaluate("--judge", JUDGE, "--recordings", recorded, "--out", out, "--json")

    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    assert report["score"]["words"] == report["recordings"]["words"] == 6
    assert report["score"]["errors"] > report["recordings"]["errors"]
    assert report["score"]["word_error_rate"] == report["score"]["errors"] / 6
    assert report["judge"]["command"] == JUDGE and report["judge"]["seconds"] > 0
    assert sorted(path.name for path in out.iterdir()) == ["0001.wav", "0002.wav", "sentences.txt"]
    assert (out / "sentences.txt").read_text().splitlines() == SENTENCES
    assert f"Next: listen to {out}/0001.wav" in answer.stderr


def test_a_judge_gets_the_sounds_and_its_numbers_are_told(evaluate, judge):
    command = judge("files = sorted(path.name for path in pathlib.Path(wavs).glob('*.wav'))\n"
                    "lines = open(text).read().splitlines()\n"
                    "print(json.dumps({'mos': 3.25, 'files': files, 'sounds': len(files),"
                    " 'lines': len(lines)}))")

    answer = evaluate("--judge", command)

    assert answer.returncode == 0, answer.stderr
    rows = dict(line.split() for line in answer.stdout.splitlines()[3:])
    assert rows == {"mos": "3.2500", "sounds": "2", "lines": "2"}


@pytest.mark.parametrize("body, words", [
    ("sys.exit('no model here')", "the judge failed (exit code 1): no model here"),
    ("print('fine')", "the judge printed 'fine"),
    ("print(json.dumps({'word_error_rate': float('nan')}))", "expected one JSON object with finite"),
    ("print('{}')", "the judge printed '{}"),
    ("time.sleep(60)", "the judge did not finish within 2 s"),
], ids=["fails", "no_json", "nan", "empty", "hangs"])
def test_a_judge_that_does_not_judge_is_an_error_that_says_why(evaluate, judge, recorded, body,
                                                               words):
    answer = evaluate("--judge", judge(body), "--recordings", recorded, "--judge-timeout", "2",
                      "--json")

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert words in answer.stderr and "by hand" in answer.stderr
    assert "--out DIR keeps them" in answer.stderr


def test_a_judge_that_is_not_there_is_an_error(evaluate, tmp_path):
    answer = evaluate("--judge", tmp_path / "nobody", "--out", tmp_path / "out")

    assert answer.returncode == 1
    assert "the judge failed (exit code 127)" in answer.stderr
    assert "keeps them" not in answer.stderr


def test_a_judge_that_fails_is_found_out_before_anything_is_spoken(evaluate, judge, recorded,
                                                                  tmp_path):
    out = tmp_path / "out"

    answer = evaluate("--judge", judge("sys.exit(3)"), "--recordings", recorded, "--out", out)

    assert answer.returncode == 1
    assert not list(out.glob("*.wav"))


def test_what_cannot_be_spoken_is_named_and_missing(evaluate, text, judge, tmp_path):
    text.write_bytes(b"First.\n...\n\xff\nLast one.\n")
    out = tmp_path / "out"
    command = judge("print(json.dumps({'lines': len(open(text, encoding='utf-8').readlines())}))")

    answer = evaluate("--out", out, "--judge", command, "--json")

    assert answer.returncode == 1
    report = json.loads(answer.stdout)
    assert [one["line"] for one in report["unspoken"]] == [2, 3]
    assert report["spoken"] == 2 and report["sentences"] == 4
    assert report["score"] == {"lines": 4}  # each sentence keeps its number
    assert sorted(path.name for path in out.glob("*.wav")) == ["0001.wav", "0004.wav"]
    assert "line 3 cannot be synthesised" in answer.stderr


def test_one_save_and_another_speaker_are_taken_as_by_speak(myxtts, run, text, tmp_path):
    save = next((run / "checkpoints").iterdir())

    spoken = myxtts("evaluate", save, "--text", text, "--speaker", "slt", "--out", tmp_path / "a",
                    "--json")
    same = myxtts("speak", "--checkpoint", run, "--text-file", text, "--speaker", "slt",
                  "--out", tmp_path / "b")

    assert spoken.returncode == same.returncode == 0, spoken.stderr
    assert json.loads(spoken.stdout)["speaker"] == "slt"
    for name in ("0001.wav", "0002.wav"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_signal_ends_the_judge_too(run, text, judge, tmp_path):
    mark = tmp_path / "mark"
    command = judge(f"pathlib.Path({str(mark)!r}).write_text(str(__import__('os').getpid()))\n"
                    "time.sleep(300)")
    process = subprocess.Popen([PROGRAM, "evaluate", str(run), "--text", str(text),
                                "--judge", command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not mark.exists() or not mark.read_text():
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
    finally:
        process.kill()

    assert not pathlib.Path("/proc", mark.read_text(), "exe").exists()


def test_a_folder_with_other_sounds_is_refused(evaluate, tmp_path):
    out = tmp_path / "out"
    assert evaluate("--out", out).returncode == 0
    assert evaluate("--out", out).returncode == 0  # its own are replaced
    shutil.copy(out / "0001.wav", out / "0007.wav")

    refused = evaluate("--out", out)

    assert refused.returncode == 2
    assert "0007.wav" in refused.stderr
