"""`myxtts evaluate` with a voice that was trained for two steps, and with working and failing judges."""

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
    """A run folder whose voice is not intelligible."""
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
    """Writes a judge script with the given Python lines. Returns the command that calls the script."""

    def write_judge(body):
        script = tmp_path / "judge.py"
        script.write_text("import json, pathlib, sys, time\n"
                          "text, wavs = sys.argv[sys.argv.index('--text') + 1], "
                          "sys.argv[sys.argv.index('--wavs') + 1]\n" + body + "\n")
        return shlex.join([sys.executable, str(script)])

    return write_judge


@pytest.fixture
def recorded(tmp_path):
    """A folder with empty files named like recordings, for judges that do not read them."""
    folder = tmp_path / "recorded"
    folder.mkdir()
    for name in ("0001.wav", "0002.wav"):
        (folder / name).write_bytes(b"")
    return folder


def test_run_without_a_judge_reports_synthesis_and_leaves_no_files(evaluate, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))

    result = evaluate("--json")

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["sentences"] == report["spoken"] == 2
    assert report["audio_s"] > 0 and report["real_time_factor"] > 0
    assert report["score"] is None and report["judge"] is None and report["out"] is None
    assert report["save"].endswith("step_00000002")
    assert list(temporary.iterdir()) == []


def test_wer_judge_scores_the_voice_and_the_recordings(evaluate, tmp_path):
    assert shutil.which("flite"), "flite is not installed; run tools/setup.sh"
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    for number, sentence in enumerate(SENTENCES, 1):
        subprocess.run(["flite", "-voice", "rms", "-t", sentence,
                        "-o", recorded / f"{number:04}.wav"], check=True)
    out = tmp_path / "spoken"

    result = evaluate("--judge", JUDGE, "--recordings", recorded, "--out", out, "--json")

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["score"]["words"] == report["recordings"]["words"] == 6
    assert report["score"]["errors"] > report["recordings"]["errors"]
    assert report["score"]["word_error_rate"] == report["score"]["errors"] / 6
    assert report["judge"]["command"] == JUDGE and report["judge"]["seconds"] > 0
    assert sorted(path.name for path in out.iterdir()) == ["0001.wav", "0002.wav", "sentences.txt"]
    assert (out / "sentences.txt").read_text().splitlines() == SENTENCES
    assert f"Next: listen to {out}/0001.wav" in result.stderr


def test_judge_gets_the_wav_files_and_its_numbers_are_reported(evaluate, judge):
    command = judge("files = sorted(path.name for path in pathlib.Path(wavs).glob('*.wav'))\n"
                    "lines = open(text).read().splitlines()\n"
                    "print(json.dumps({'mos': 3.25, 'files': files, 'wavs': len(files),"
                    " 'lines': len(lines)}))")

    result = evaluate("--judge", command)

    assert result.returncode == 0, result.stderr
    rows = dict(line.split() for line in result.stdout.splitlines()[3:])
    assert rows == {"mos": "3.2500", "wavs": "2", "lines": "2"}


@pytest.mark.parametrize("body, message", [
    ("sys.exit('no model here')", "the judge failed (exit code 1): no model here"),
    ("print('fine')", "the judge printed 'fine"),
    ("print(json.dumps({'word_error_rate': float('nan')}))", "expected one JSON object with finite"),
    ("print('{}')", "the judge printed '{}"),
    ("time.sleep(60)", "the judge did not finish within 2 s"),
], ids=["fails", "no_json", "nan", "empty", "hangs"])
def test_failing_judge_is_an_error_with_its_reason(evaluate, judge, recorded, body, message):
    result = evaluate("--judge", judge(body), "--recordings", recorded, "--judge-timeout", "2",
                      "--json")

    assert result.returncode == 1
    assert result.stdout == ""
    assert message in result.stderr and "by hand" in result.stderr
    assert "--out DIR keeps them" in result.stderr


def test_missing_judge_is_an_error(evaluate, tmp_path):
    result = evaluate("--judge", tmp_path / "missing_judge", "--out", tmp_path / "out")

    assert result.returncode == 1
    assert "the judge failed (exit code 127)" in result.stderr
    assert "keeps them" not in result.stderr


def test_failing_judge_is_detected_before_synthesis(evaluate, judge, recorded, tmp_path):
    out = tmp_path / "out"

    result = evaluate("--judge", judge("sys.exit(3)"), "--recordings", recorded, "--out", out)

    assert result.returncode == 1
    assert not list(out.glob("*.wav"))


def test_failed_sentences_are_reported_and_have_no_file(evaluate, text, judge, tmp_path):
    text.write_bytes(b"First.\n...\n\xff\nLast one.\n")
    out = tmp_path / "out"
    command = judge("print(json.dumps({'lines': len(open(text, encoding='utf-8').readlines())}))")

    result = evaluate("--out", out, "--judge", command, "--json")

    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert [sentence["line"] for sentence in report["unspoken"]] == [2, 3]
    assert report["spoken"] == 2 and report["sentences"] == 4
    assert report["score"] == {"lines": 4}  # each sentence keeps its number
    assert sorted(path.name for path in out.glob("*.wav")) == ["0001.wav", "0004.wav"]
    assert "line 3 cannot be synthesised" in result.stderr


def test_checkpoint_and_speaker_select_the_voice_as_in_speak(myxtts, run, text, tmp_path):
    checkpoint = next((run / "checkpoints").iterdir())

    evaluated = myxtts("evaluate", checkpoint, "--text", text, "--speaker", "slt", "--out", tmp_path / "a",
                       "--json")
    synthesised = myxtts("speak", "--checkpoint", run, "--text-file", text, "--speaker", "slt",
                         "--out", tmp_path / "b")

    assert evaluated.returncode == synthesised.returncode == 0, evaluated.stderr
    assert json.loads(evaluated.stdout)["speaker"] == "slt"
    for name in ("0001.wav", "0002.wav"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_signal_also_ends_the_judge(run, text, judge, tmp_path):
    pid_file = tmp_path / "judge.pid"
    command = judge(f"pathlib.Path({str(pid_file)!r}).write_text(str(__import__('os').getpid()))\n"
                    "time.sleep(300)")
    process = subprocess.Popen([PROGRAM, "evaluate", str(run), "--text", str(text),
                                "--judge", command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not pid_file.exists() or not pid_file.read_text():
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
    finally:
        process.kill()

    assert not pathlib.Path("/proc", pid_file.read_text(), "exe").exists()


def test_output_folder_with_other_wav_files_is_refused(evaluate, tmp_path):
    out = tmp_path / "out"
    assert evaluate("--out", out).returncode == 0
    assert evaluate("--out", out).returncode == 0  # replaces its own files
    shutil.copy(out / "0001.wav", out / "0007.wav")

    refused = evaluate("--out", out)

    assert refused.returncode == 2
    assert "0007.wav" in refused.stderr
