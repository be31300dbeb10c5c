"""Tests of `myxtts speak`, `export` and `bench speak` with a voice that was trained for two steps."""

import json
import os
import pty
import subprocess

import numpy
import pytest
import soundfile
from conftest import PROGRAM


@pytest.fixture(scope="module")
def run(myxtts, demo_corpus, tmp_path_factory):
    """A run folder. The speech of its model is not intelligible."""
    folder = tmp_path_factory.mktemp("runs") / "voice"
    trained = myxtts("train", "--train-data", demo_corpus, "--checkpoint-dir", folder,
                     "--max-steps", "2", "--batch-size", "4",
                     "--set", "training.enable_text2audio_eval=false")
    assert trained.returncode == 0, trained.stderr
    return folder


@pytest.fixture
def speak(myxtts, run):
    def call(*arguments, **options):
        return myxtts("speak", "--checkpoint", run, *arguments, **options)

    return call


def test_wav_file_has_the_reported_duration(speak, tmp_path):
    answer = speak("--text", "Good morning. How are you?", "--out", tmp_path / "a.wav", "--json")

    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    [file] = report["files"]
    samples, rate = soundfile.read(file["path"])
    assert rate == 22050
    assert len(samples) / rate == pytest.approx(file["audio_s"])
    assert report["real_time_factor"] == pytest.approx(file["wall_s"] / file["audio_s"])
    assert numpy.abs(samples).max() < 0.892
    assert report["speaker"] == "awb"  # the first speaker in alphabetical order


def test_samples_depend_only_on_input_and_seed(speak, tmp_path):
    wavs = {}
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        file = tmp_path / f"{name}.wav"
        assert speak("--text", "Good morning.", "--seed", seed, "--out", file).returncode == 0
        wavs[name] = file.read_bytes()

    assert wavs["a"] == wavs["b"] != wavs["c"]


def test_invalid_lines_are_reported_and_skipped(speak, tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"First.\n\n...\n\xff\nLast one.\n")

    answer = speak("--text-file", lines, "--out", tmp_path / "out", "--json")

    assert answer.returncode == 1
    report = json.loads(answer.stdout)
    assert [text["line"] for text in report["unspoken"]] == [3, 4]
    assert "line 3 cannot be synthesised" in answer.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["0001.wav", "0004.wav"]


def test_texts_are_read_from_standard_input(speak, tmp_path):
    lines = tmp_path / "lines.txt"
    lines.write_text("One.\nTwo.\n")
    with lines.open() as stdin:
        answer = speak("--text-file", "-", "--out", tmp_path / "out", stdin=stdin)

    assert answer.returncode == 0, answer.stderr
    assert "2 files" in answer.stdout and "real-time factor" in answer.stdout
    assert (tmp_path / "out" / "0002.wav").exists()


def test_unknown_speaker_gives_the_nearest_name(speak, tmp_path):
    answer = speak("--text", "Hello.", "--speaker", "stl", "--out", tmp_path / "a.wav")

    assert answer.returncode == 2
    assert "did you mean 'slt'?" in answer.stderr and "'awb'" in answer.stderr
    assert not (tmp_path / "a.wav").exists()


def test_reference_recording_is_used_unless_it_is_silent(speak, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    spoken = speak("--text", "Hello.", "--reference", clip, "--out", tmp_path / "a.wav")
    assert spoken.returncode == 0, spoken.stderr

    soundfile.write(tmp_path / "silent.wav", numpy.zeros(44100), 22050)
    refused = speak("--text", "Hello.", "--reference", tmp_path / "silent.wav",
                    "--out", tmp_path / "b.wav")
    assert refused.returncode == 1
    assert "silent" in refused.stderr


def test_run_without_checkpoints_is_an_error(myxtts, tmp_path):
    answer = myxtts("speak", "--checkpoint", tmp_path, "--text", "a", "--out", tmp_path / "a.wav")

    assert answer.returncode == 1
    assert "train first" in answer.stderr


@pytest.fixture(scope="module")
def vocoder(myxtts, demo_corpus, tmp_path_factory):
    """A vocoder that was trained for two steps. Its audio is noise with the spectral envelope of speech."""
    folder = tmp_path_factory.mktemp("runs") / "vocoder"
    trained = myxtts("train-vocoder", "--train-data", demo_corpus, "--checkpoint-dir", folder,
                     "--max-steps", "2", "--batch-size", "4",
                     "--set", "training.enable_text2audio_eval=false")
    assert trained.returncode == 0, trained.stderr
    return folder


def test_stream_equals_the_file_of_the_same_vocoder(speak, vocoder, tmp_path):
    text = ("--text", "Good morning. How are you?", "--vocoder", vocoder)
    file = speak(*text, "--loudness", "off", "--out", tmp_path / "a.wav", "--json")
    stream = speak(*text, "--stream", text=False)

    assert file.returncode == 0, file.stderr
    assert json.loads(file.stdout)["vocoder"].startswith(str(vocoder))
    assert stream.returncode == 0, stream.stderr
    whole, _ = soundfile.read(tmp_path / "a.wav", dtype="int16")
    streamed = numpy.frombuffer(stream.stdout, dtype="<i2")
    assert numpy.abs(whole.astype(int) - streamed).max() <= 3  # 1e-4 of full scale


def test_stream_fails_on_a_terminal_a_closed_pipe_and_a_full_disk(run):
    command = [PROGRAM, "speak", "--checkpoint", run, "--text", "Hello.", "--stream"]
    leader, follower = pty.openpty()
    terminal = subprocess.run(command, check=False, stdout=follower, stderr=subprocess.PIPE, text=True, timeout=120)
    os.close(leader)
    os.close(follower)
    reader, writer = os.pipe()
    os.close(reader)
    closed = subprocess.run(command, check=False, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=120)
    os.close(writer)
    with open("/dev/full", "wb") as full:
        disk_full = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)

    assert terminal.returncode == 2
    assert "standard output is a terminal" in terminal.stderr and "aplay" in terminal.stderr
    assert closed.returncode == 1 and "the reader has closed the pipe" in closed.stderr
    assert disk_full.returncode == 1
    assert "No space left on device" in disk_full.stderr and "reader" not in disk_full.stderr


def test_exported_voice_equals_its_run_and_cannot_be_trained(myxtts, run, vocoder, demo_corpus, tmp_path):
    exported = myxtts("export", run, "--vocoder", vocoder, "--out", tmp_path / "voice", "--json")
    assert exported.returncode == 0, exported.stderr
    arguments = ("--text", "Good morning.", "--out")
    of_export = myxtts("speak", "--checkpoint", tmp_path / "voice", *arguments, tmp_path / "a.wav")
    of_run = myxtts("speak", "--checkpoint", run, "--vocoder", vocoder, *arguments, tmp_path / "b.wav")

    assert of_export.returncode == of_run.returncode == 0, of_export.stderr + of_run.stderr
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()
    for subcommand, folder in (("train", "voice"), ("train-vocoder", "voice/vocoder")):
        for flags in ((), ("--dry-run",)):
            trained = myxtts(subcommand, "--train-data", demo_corpus, "--checkpoint-dir", tmp_path / folder,
                             "--max-steps", "3", *flags)
            assert trained.returncode == 2, trained.stderr
            assert "is an exported vo" in trained.stderr and "use another --checkpoint-dir" in trained.stderr


def test_vocoder_with_another_mel_spec_is_rejected(myxtts, speak, demo_corpus, tmp_path):
    trained = myxtts("train-vocoder", "--train-data", demo_corpus, "--checkpoint-dir",
                     tmp_path / "other", "--max-steps", "1", "--batch-size", "2",
                     "--set", "model.mel_fmax=7600",
                     "--set", "training.enable_text2audio_eval=false")
    assert trained.returncode == 0, trained.stderr

    answer = speak("--text", "Hello.", "--vocoder", tmp_path / "other", "--out", tmp_path / "a.wav")

    assert answer.returncode == 1
    assert "with mel spec" in answer.stderr and "griffin-lim" in answer.stderr
    assert "mel_fmax is 8000, not 7600" in answer.stderr


def test_bench_speak_measures_synthesis(myxtts, run, vocoder):
    answer = myxtts("bench", "speak", "--checkpoint", run, "--vocoder", vocoder, "--json")

    assert answer.returncode == 0, answer.stderr
    results = {result["name"]: result["value"] for result in json.loads(answer.stdout)["results"]}
    assert results["speak_vocoder"] > 0
    assert 0 < results["speak_first_audio"] <= results["speak_first_audio_slowest"]
    assert results["speak_first_audio_cold"] > 0
