"""`myxtts corpus demo`, `corpus check`, `stats` and `audio` on generated corpora."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

import pytest
import soundfile

PROGRAM = os.environ["MYXTTS"]
SCALE = int(os.environ.get("MYXTTS_TEST_SCALE", "1"))
REQUEST = ["--utterances", "24", "--words", "2-6", "--seed", "9"]


def digest(folder):
    """Returns one hash of the names and contents of all files below the folder."""
    state = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            state.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


@pytest.fixture(scope="module")
def complete_corpus(myxtts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("complete_corpus") / "corpus"
    assert myxtts("corpus", "demo", "--out", folder, *REQUEST).returncode == 0
    return folder


def test_same_seed_generates_identical_files(myxtts, complete_corpus, tmp_path):
    second = tmp_path / "second"

    assert myxtts("corpus", "demo", "--out", second, *REQUEST, "--num-workers", "1").returncode == 0

    assert digest(second) == digest(complete_corpus)


def test_different_seed_generates_different_sentences(myxtts, complete_corpus, tmp_path):
    other = tmp_path / "other"

    assert myxtts("corpus", "demo", "--out", other, *REQUEST[:-1], "10").returncode == 0

    metadata_of = lambda folder: (folder / "train" / "metadata.csv").read_text()
    assert metadata_of(other) != metadata_of(complete_corpus)


def test_repeatedly_killed_run_completes_with_identical_files(myxtts, complete_corpus, tmp_path):
    folder = tmp_path / "killed"
    rng = random.Random(3)
    for _ in range(3 * SCALE):
        child = subprocess.Popen([PROGRAM, "corpus", "demo", "--out", folder, *REQUEST],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.02, 0.8))
        child.kill()
        child.wait()

    assert myxtts("corpus", "demo", "--out", folder, *REQUEST).returncode == 0

    assert digest(folder) == digest(complete_corpus)


def test_ctrl_c_exits_with_130_and_next_run_continues(myxtts, complete_corpus, tmp_path):
    folder = tmp_path / "stopped"
    request = ["--utterances", "200", *REQUEST[2:]]
    child = subprocess.Popen([PROGRAM, "corpus", "demo", "--out", folder, *request],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not list(folder.rglob("*.wav")):
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, log = child.communicate(timeout=60)

    assert child.returncode == 130
    assert "run the same command to continue" in log
    kept = {path: path.stat().st_mtime_ns for path in folder.rglob("*.wav")}
    result = myxtts("corpus", "demo", "--out", folder, *request, "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["kept"] >= len(kept) - 2  # tolerates an unfinished recording per worker
    assert kept


def test_only_damaged_files_of_a_complete_corpus_are_regenerated(myxtts, complete_corpus, tmp_path):
    folder = tmp_path / "corpus"
    shutil.copytree(complete_corpus, folder)
    wavs = sorted(folder.rglob("*.wav"))
    wavs[0].write_bytes(wavs[0].read_bytes()[:100])
    untouched = wavs[1].stat().st_mtime_ns

    assert myxtts("corpus", "demo", "--out", folder, *REQUEST).returncode == 0

    assert digest(folder) == digest(complete_corpus)
    assert wavs[1].stat().st_mtime_ns == untouched


def test_third_column_is_the_normalised_text(myxtts, tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("Dr. Smith has 3 cats.\nGood morning.\n")

    result = myxtts("corpus", "demo", "--out", tmp_path / "out", "--text", lines, "--val-share", "0")

    assert result.returncode == 0, result.stderr
    rows = (tmp_path / "out" / "train" / "metadata.csv").read_text().splitlines()
    assert [row.split("|")[1:] for row in rows] == [
        ["Dr. Smith has 3 cats.", "doctor Smith has three cats."],
        ["Good morning.", "Good morning."]]


def test_demo_corpus_passes_the_check_and_stats_have_the_documented_fields(myxtts, demo_corpus):
    check = myxtts("corpus", "check", demo_corpus, "--json")
    stats = myxtts("stats", "--train-data", demo_corpus, "--json")

    assert check.returncode == 0, check.stdout
    assert json.loads(check.stdout)["bad"] == []
    report = json.loads(stats.stdout)
    assert {"utterances", "hours", "speakers", "recommended"} <= set(report)
    for lengths in ["text_length", "mel_length"]:
        assert set(report[lengths]) == {"min", "mean", "max", "percentile_50", "percentile_90",
                                        "percentile_95", "percentile_99"}
    assert report["speakers"] == 2
    assert report["recommended"]["max_mel_frames"] % 32 == 0


def test_each_injected_fault_is_reported_once(myxtts, demo_corpus, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(demo_corpus, folder)
    wavs = sorted((folder / "train" / "wavs").glob("*.wav"))
    intact_wav = wavs[0].read_bytes()
    wavs[0].write_bytes(b"")
    wavs[1].write_bytes(intact_wav[:len(intact_wav) // 2])
    wavs[2].write_bytes(b"this is not audio data!" * 100)
    wavs[3].unlink()
    wavs[4].unlink()
    os.mkfifo(wavs[4])
    wavs[5].unlink()
    wavs[5].symlink_to(wavs[5].name)

    result = myxtts("corpus", "check", folder, "--json")

    assert result.returncode == 1
    reasons = sorted(problem["reason"] for problem in json.loads(result.stdout)["bad"])
    assert reasons == sorted(["empty", "truncated", "not_audio", "missing", "fifo", "link_loop"])


def test_number_of_mel_frames_matches_the_audio_duration(myxtts, demo_corpus):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    samples, rate = soundfile.read(clip)

    result = myxtts("audio", clip, "--json", "--no-trim-silence")

    frames = json.loads(result.stdout)["mel_frames"]
    assert abs(frames - (1 + len(samples) * 22050 / rate / 256)) < 2
