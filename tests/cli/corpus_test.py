"""A corpus from its making to its statistics, as a person would go about it."""

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
    """One hash over every file below the folder, with its name."""
    state = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            state.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


@pytest.fixture(scope="module")
def whole(myxtts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "corpus"
    assert myxtts("corpus", "demo", "--out", folder, *REQUEST).returncode == 0
    return folder


def test_the_same_seed_gives_the_same_bytes(myxtts, whole, tmp_path):
    again = tmp_path / "again"

    assert myxtts("corpus", "demo", "--out", again, *REQUEST, "--num-workers", "1").returncode == 0

    assert digest(again) == digest(whole)


def test_another_seed_gives_other_sentences(myxtts, whole, tmp_path):
    other = tmp_path / "other"

    assert myxtts("corpus", "demo", "--out", other, *REQUEST[:-1], "10").returncode == 0

    read = lambda folder: (folder / "train" / "metadata.csv").read_text()
    assert read(other) != read(whole)


def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes(myxtts, whole, tmp_path):
    folder = tmp_path / "killed"
    chance = random.Random(3)
    for _ in range(3 * SCALE):
        child = subprocess.Popen([PROGRAM, "corpus", "demo", "--out", folder, *REQUEST],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.02, 0.8))
        child.kill()
        child.wait()

    assert myxtts("corpus", "demo", "--out", folder, *REQUEST).returncode == 0

    assert digest(folder) == digest(whole)


def test_ctrl_c_ends_with_130_and_the_next_run_goes_on(myxtts, whole, tmp_path):
    folder = tmp_path / "stopped"
    many = ["--utterances", "200", *REQUEST[2:]]
    child = subprocess.Popen([PROGRAM, "corpus", "demo", "--out", folder, *many],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not list(folder.rglob("*.wav")):
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)

    assert child.returncode == 130
    assert "run the same command to continue" in said
    kept = {path: path.stat().st_mtime_ns for path in folder.rglob("*.wav")}
    answer = myxtts("corpus", "demo", "--out", folder, *many, "--json")
    assert answer.returncode == 0
    assert json.loads(answer.stdout)["kept"] >= len(kept) - 2  # the last may lack its ledger line
    assert kept


def test_a_finished_corpus_is_not_made_again_and_a_damaged_file_is(myxtts, whole, tmp_path):
    folder = tmp_path / "corpus"
    shutil.copytree(whole, folder)
    wavs = sorted(folder.rglob("*.wav"))
    wavs[0].write_bytes(wavs[0].read_bytes()[:100])
    untouched = wavs[1].stat().st_mtime_ns

    assert myxtts("corpus", "demo", "--out", folder, *REQUEST).returncode == 0

    assert digest(folder) == digest(whole)
    assert wavs[1].stat().st_mtime_ns == untouched


def test_the_third_column_is_what_is_read_aloud(myxtts, tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("Dr. Smith has 3 cats.\nGood morning.\n")

    answer = myxtts("corpus", "demo", "--out", tmp_path / "out", "--text", lines, "--val-share", "0")

    assert answer.returncode == 0, answer.stderr
    rows = (tmp_path / "out" / "train" / "metadata.csv").read_text().splitlines()
    assert [row.split("|")[1:] for row in rows] == [
        ["Dr. Smith has 3 cats.", "doctor Smith has three cats."],
        ["Good morning.", "Good morning."]]


def test_check_finds_nothing_in_it_and_stats_hold_the_contract(myxtts, demo_corpus):
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


def test_every_planted_fault_is_found_once(myxtts, demo_corpus, tmp_path):
    folder = tmp_path / "poisoned"
    shutil.copytree(demo_corpus, folder)
    wavs = sorted((folder / "train" / "wavs").glob("*.wav"))
    whole_wav = wavs[0].read_bytes()
    wavs[0].write_bytes(b"")
    wavs[1].write_bytes(whole_wav[:len(whole_wav) // 2])
    wavs[2].write_bytes(b"this is no sound at all" * 100)
    wavs[3].unlink()
    wavs[4].unlink()
    os.mkfifo(wavs[4])
    wavs[5].unlink()
    wavs[5].symlink_to(wavs[5].name)

    answer = myxtts("corpus", "check", folder, "--json")

    assert answer.returncode == 1
    found = sorted(problem["reason"] for problem in json.loads(answer.stdout)["bad"])
    assert found == sorted(["empty", "truncated", "not_audio", "missing", "fifo", "link_loop"])


def test_the_length_of_a_mel_is_what_the_samples_say(myxtts, demo_corpus):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    samples, rate = soundfile.read(clip)

    answer = myxtts("audio", clip, "--json", "--no-trim-silence")

    frames = json.loads(answer.stdout)["mel_frames"]
    assert abs(frames - (1 + len(samples) * 22050 / rate / 256)) < 2
