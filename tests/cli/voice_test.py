"""Does it learn to speak? `make test` trains `tiny` for 75 s of steps and looks at what that is worth;
`make test-full` trains for five minutes instead and has the words counted."""

import json
import pathlib
import subprocess
import sys

import numpy
import pytest
from heard import aligned_starts, colour, distance, log_mel, true_starts
from training import PROGRAM, SCALE, metrics

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOICES = ("rms", "slt")
IS_LONG = SCALE >= 5
short = pytest.mark.skipif(IS_LONG, reason="the long suite trains for longer")
long = pytest.mark.skipif(not IS_LONG, reason="takes eight minutes: make test-full")


def call(*words):
    answer = subprocess.run([str(word) for word in (PROGRAM, *words)], check=False, text=True,
                            capture_output=True, stdin=subprocess.DEVNULL)
    assert answer.returncode == 0, answer.stderr
    return answer


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Sentences by a man and a woman, who take turns."""
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
def unseen(corpus):
    """Six sentences that were held back: (recording, text)."""
    lines = [line.split("|") for line in (corpus / "val" / "metadata.csv").read_text().splitlines()]
    return [(corpus / "val" / "wavs" / name, text) for name, voice, text in lines if voice == "rms"][:6]


def recordings(corpus, voice):
    return sorted((corpus / "train" / "wavs").glob(f"{voice}_*.wav"))


@pytest.fixture(scope="module")
def spoken(run, corpus, unseen, tmp_path_factory):
    """By voice, the six sentences as they are spoken like one recording of it."""
    folder = tmp_path_factory.mktemp("spoken")
    (folder / "text.txt").write_text("\n".join(text for _, text in unseen) + "\n")
    for voice in VOICES:
        call("speak", "--checkpoint", run, "--text-file", folder / "text.txt", "--out", folder / voice,
             "--reference", recordings(corpus, voice)[0])
    return {voice: sorted((folder / voice).iterdir()) for voice in VOICES}


@short
def test_the_loss_falls(run):
    losses = [line["loss"] for line in metrics(run) if "loss" in line]
    assert len(losses) >= 9, "too few steps in 75 s to say anything"

    thirds = [numpy.mean(third) for third in numpy.array_split(losses, 3)]

    assert thirds[0] > thirds[1] > thirds[2]
    assert thirds[2] < 0.85 * thirds[0]
    assert json.loads((run / "summary.json").read_text())["validation_loss"] < thirds[0]


def apart(starts, true):
    """Seconds between starts on average, wherever the first one was cut."""
    return numpy.abs(starts - true - numpy.median(starts - true)).mean()


@short
def test_symbols_are_where_they_are_heard(run):
    """The phones of held-back sentences lie where flite let them be, closer than phones of equal lengths
    would; long ones are long; and no symbol takes what belongs to many."""
    errors, errors_of_equal, lengths, true_lengths = [], [], [], []
    files = sorted((run / "samples").glob("*_alignment.json"))
    for file in files:
        alignment = json.loads(file.read_text())
        assert max(alignment["frames"]) < 0.3 * sum(alignment["frames"])
        true = true_starts(alignment["text"], alignment["id"].split("_")[0])
        found = aligned_starts(alignment)
        if len(true) != len(found):  # espeak-ng says a word in another way than flite
            continue
        errors.append(apart(found, true))
        errors_of_equal.append(apart(numpy.linspace(0, true[-1], len(true)), true))
        lengths += list(numpy.diff(found))
        true_lengths += list(numpy.diff(true))

    assert len(errors) >= len(files) / 2 >= 5
    assert numpy.mean(errors) < 0.8 * numpy.mean(errors_of_equal)
    assert numpy.corrcoef(lengths, true_lengths)[0, 1] > 0.3


@short
def test_another_text_is_another_mel_and_like_its_own_recording(spoken, unseen):
    said = [log_mel(path) for path in spoken["rms"]]
    recorded = [log_mel(path) for path, _ in unseen]

    distances = numpy.array([[distance(one, other) for other in recorded] for one in said])

    assert distances.argmin(axis=1).tolist() == list(range(len(unseen))), distances.round(2)


@short
def test_another_reference_is_another_voice_and_like_its_own_recordings(spoken, corpus):
    for voice, other in (VOICES, VOICES[::-1]):
        mine = colour(spoken[voice])
        near, far = (numpy.abs(mine - colour(recordings(corpus, who)[1:21])).mean()
                     for who in (voice, other))

        assert near < 0.8 * far, (voice, near, far)


@long
def test_after_five_minutes_it_is_understood_almost_as_its_recordings(tmp_path):
    answer = subprocess.run([sys.executable, ROOT / "bench" / "wer_over_time.py", PROGRAM, "--minutes", "5",
                             "--seeds", "1", "--check-sentences", "60", "--out", tmp_path, "--json"],
                            check=False, text=True, capture_output=True)
    assert answer.returncode == 0, answer.stderr

    report = json.loads(answer.stdout)

    [point] = report["curve"]
    assert report["corpus"]["utterances"] >= 950
    assert point["median"] <= report["recordings"]["word_error_rate"] + 0.10, report
