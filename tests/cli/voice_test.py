"""Trains voices of model size `tiny` and measures their quality.

`make test` trains for 75 s of steps and checks losses, alignments, texts and speakers. `make test-full` trains for five
minutes instead and measures the WER.
"""

import json
import pathlib
import subprocess
import sys

import numpy
import pytest
from training import PROGRAM, SCALE, metrics
from voice_metrics import aligned_starts, distance, flite_starts, log_mel, mean_spectrum

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOICES = ("rms", "slt")
IS_LONG = SCALE >= 5
short = pytest.mark.skipif(IS_LONG, reason="the long suite trains longer")
long = pytest.mark.skipif(not IS_LONG, reason="takes eight minutes: make test-full")


def call(*arguments):
    """Runs the program. Fails unless its exit code is 0."""
    ended = subprocess.run([str(argument) for argument in (PROGRAM, *arguments)], check=False, text=True,
                           capture_output=True, stdin=subprocess.DEVNULL)
    assert ended.returncode == 0, ended.stderr
    return ended


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Sentences of a male and a female voice, alternating."""
    folder = tmp_path_factory.mktemp("corpus") / "corpus"
    call("corpus", "demo", "--out", folder, "--utterances", 120, "--voices", ",".join(VOICES),
         "--words", "3-12", "--seed", 5)
    return folder


@pytest.fixture(scope="module")
def run(corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "voice"
    call("train", "--train-data", corpus, "--checkpoint-dir", folder, "--max-minutes", 1.25,
         "--set", "training.enable_text2audio_eval=false",
         "--set", "training.spectrogram_log_num_examples=12")
    return folder


@pytest.fixture(scope="module")
def held_out(corpus):
    """Six validation utterances of the voice rms: (recording, text)."""
    lines = [line.split("|") for line in (corpus / "val" / "metadata.csv").read_text().splitlines()]
    return [(corpus / "val" / "wavs" / name, text) for name, voice, text in lines if voice == "rms"][:6]


def recordings(corpus, voice):
    return sorted((corpus / "train" / "wavs").glob(f"{voice}_*.wav"))


@pytest.fixture(scope="module")
def synthesised(run, corpus, held_out, tmp_path_factory):
    """WAV files of the six held-out texts by voice, synthesised with a recording of the voice as reference."""
    folder = tmp_path_factory.mktemp("synthesised")
    (folder / "text.txt").write_text("\n".join(text for _, text in held_out) + "\n")
    for voice in VOICES:
        call("speak", "--checkpoint", run, "--text-file", folder / "text.txt", "--out", folder / voice,
             "--reference", recordings(corpus, voice)[0])
    return {voice: sorted((folder / voice).iterdir()) for voice in VOICES}


@short
def test_loss_falls(run):
    losses = [line["loss"] for line in metrics(run) if "loss" in line]
    assert len(losses) >= 9, "too few steps in 75 s for a comparison"

    thirds = [numpy.mean(third) for third in numpy.array_split(losses, 3)]

    assert thirds[0] > thirds[1] > thirds[2]
    assert thirds[2] < 0.85 * thirds[0]
    assert json.loads((run / "summary.json").read_text())["validation_loss"] < thirds[0]


def mean_start_error(starts, true):
    """Returns the mean absolute difference in seconds after removal of the median offset, which trimming causes."""
    return numpy.abs(starts - true - numpy.median(starts - true)).mean()


@short
def test_alignment_agrees_with_the_phones_of_flite(run):
    """Starts of phones in held-out sentences are closer to those of flite than starts of equally long phones are.

    Durations correlate with those of flite, and no symbol has 30 % of the frames or more.
    """
    errors, errors_of_equal, lengths, true_lengths = [], [], [], []
    files = sorted((run / "samples").glob("*_alignment.json"))
    for file in files:
        alignment = json.loads(file.read_text())
        assert max(alignment["frames"]) < 0.3 * sum(alignment["frames"])
        true = flite_starts(alignment["text"], alignment["id"].split("_")[0])
        found = aligned_starts(alignment)
        if len(true) != len(found):  # espeak-ng pronounces a word differently than flite
            continue
        errors.append(mean_start_error(found, true))
        errors_of_equal.append(mean_start_error(numpy.linspace(0, true[-1], len(true)), true))
        lengths += list(numpy.diff(found))
        true_lengths += list(numpy.diff(true))

    assert len(errors) >= len(files) / 2 >= 5
    assert numpy.mean(errors) < 0.8 * numpy.mean(errors_of_equal)
    assert numpy.corrcoef(lengths, true_lengths)[0, 1] > 0.3


@short
def test_speech_is_closest_to_the_recording_of_its_text(synthesised, held_out):
    speech = [log_mel(path) for path in synthesised["rms"]]
    recorded = [log_mel(path) for path, _ in held_out]

    distances = numpy.array([[distance(one, other) for other in recorded] for one in speech])

    assert distances.argmin(axis=1).tolist() == list(range(len(held_out))), distances.round(2)


@short
def test_speech_has_the_timbre_of_its_reference(synthesised, corpus):
    for voice, other in (VOICES, VOICES[::-1]):
        of_speech = mean_spectrum(synthesised[voice])
        near, far = (numpy.abs(of_speech - mean_spectrum(recordings(corpus, name)[1:21])).mean()
                     for name in (voice, other))

        assert near < 0.8 * far, (voice, near, far)


@long
def test_wer_after_five_minutes_is_close_to_that_of_the_recordings(tmp_path):
    answer = subprocess.run([sys.executable, ROOT / "bench" / "wer_over_time.py", PROGRAM, "--minutes", "5",
                             "--seeds", "1", "--check-sentences", "60", "--out", tmp_path, "--json"],
                            check=False, text=True, capture_output=True)
    assert answer.returncode == 0, answer.stderr

    report = json.loads(answer.stdout)

    [point] = report["curve"]
    assert report["corpus"]["utterances"] >= 950
    assert point["median"] <= report["recordings"]["word_error_rate"] + 0.10, report
