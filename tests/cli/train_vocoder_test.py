"""A vocoder as people train it: on a corpus, in a folder of its own, and again where it stopped."""

import json
import subprocess

import pytest
from training import PROGRAM, differences, facts, metrics, newest, train, updates

STEPS = 20
SETTINGS = {"model__vocoder_initial_channel": 16, "model__vocoder_layers": 1,
            "model__vocoder_ffn_dim": 16, "model__vocoder_crop_frames": 32,
            "training__schedule_steps": STEPS, "training__val_step": 10,
            "training__gradient_accumulation_steps": 1}


def train_vocoder(run, corpus, *flags, **settings):
    return train(run, corpus, *flags, verb="train-vocoder", **{**SETTINGS, **settings})


def myxtts(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=False, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)


@pytest.fixture(scope="module")
def trained(demo_corpus, tmp_path_factory):
    """A run that never stopped, and what its program answered."""
    run = tmp_path_factory.mktemp("vocoder") / "run"
    ended = train_vocoder(run, demo_corpus, "--max-steps", STEPS, "--json",
                          training__enable_text2audio_eval="true",
                          training__text2audio_interval_steps=10)
    assert ended.returncode == 0, ended.stderr
    return run, ended


def test_learns_and_leaves_what_a_run_leaves(trained):
    run, ended = trained
    answer = json.loads(ended.stdout)

    assert answer["steps"] == STEPS and answer["retraces"] == 0
    losses = [line["loss"] for line in updates(run)]
    assert len(losses) == STEPS and min(losses[-3:]) < losses[0]
    assert {"loss_mel", "loss_magnitude", "loss_convergence", "loss_complex"} <= set(updates(run)[0])
    assert [line["step"] for line in metrics(run) if "loss" not in line] == [10, 20]  # validations
    assert answer["validation_loss"] is not None
    assert json.loads((newest(run) / "config.json").read_text())["kind"] == "vocoder"
    assert {path.name for path in (run / "samples").iterdir()} >= {
        "step_00000000_1_recorded.wav", "step_00000010_1_vocoder.wav", "step_00000020_1_vocoder.wav"}
    assert list(run.glob("events.out.tfevents.*"))


def test_a_run_that_stopped_and_went_on_is_the_run_that_never_stopped(trained, demo_corpus, tmp_path):
    run = tmp_path / "halves"
    sampling = {"training__enable_text2audio_eval": "true",
                "training__text2audio_interval_steps": 10}
    for steps in (7, STEPS):
        ended = train_vocoder(run, demo_corpus, "--max-steps", steps, **sampling)
        assert ended.returncode == 0, ended.stderr

    assert "resumed at step 7" in ended.stderr
    assert differences(facts(run), facts(trained[0])) == []


def test_inspect_says_what_it_is(trained):
    answer = json.loads(myxtts("inspect", trained[0], "--json").stdout)

    assert answer["checkpoint"]["kind"] == "vocoder"


def test_a_voice_is_not_trained_into_its_folder(trained, demo_corpus):
    ended = train(trained[0], demo_corpus, "--max-steps", 2)

    assert ended.returncode == 2
    assert "is the run of a vocoder; to resume it: myxtts train-vocoder" in ended.stderr


def test_it_does_not_speak_by_itself(trained, tmp_path):
    ended = myxtts("speak", "--checkpoint", trained[0], "--text", "Hello.",
                   "--out", tmp_path / "hello.wav")

    assert ended.returncode in (1, 2)
    assert "vocoder" in ended.stderr and not (tmp_path / "hello.wav").exists()


def test_a_dry_run_writes_nothing(demo_corpus, tmp_path):
    ended = train_vocoder(tmp_path / "run", demo_corpus, "--dry-run", "--json")

    assert ended.returncode == 0, ended.stderr
    shape = json.loads(ended.stdout)["signatures"][0]
    assert (shape["mel"], shape["samples"]) == (33, 32 * 256)
    assert not (tmp_path / "run").exists()


def test_learns_from_the_mels_of_a_voice(trained, demo_corpus, tmp_path):
    """The recordings are the same, what is heard beforehand is not."""
    ended = train(tmp_path / "voice", demo_corpus, "--max-steps", 4)
    assert ended.returncode == 0, ended.stderr
    assert f"vocoder --max-minutes 10 --mels-from {tmp_path / 'voice'}" in ended.stderr
    ended = train_vocoder(tmp_path / "run", demo_corpus, "--max-steps", 4,
                          "--mels-from", tmp_path / "voice")
    assert ended.returncode == 0, ended.stderr

    assert f"mels: every second one as {tmp_path / 'voice'}" in ended.stderr
    assert updates(tmp_path / "run")[0]["loss"] != updates(trained[0])[0]["loss"]
    # The voice learns on; the vocoder that goes on hears what it has heard.
    train(tmp_path / "voice", demo_corpus, "--max-steps", 6)
    ended = train_vocoder(tmp_path / "run", demo_corpus, "--max-steps", 6, "--mels-from", tmp_path / "voice")
    assert "step_00000004 says it" in ended.stderr, ended.stderr
    for flags in ((), ("--dry-run",)):  # what cannot be is told before the corpus is read
        ended = train_vocoder(tmp_path / "other", demo_corpus, "--mels-from", trained[0], *flags)
        assert ended.returncode == 1 and "is a vocoder; --mels-from expects" in ended.stderr
        ended = train_vocoder(tmp_path / "other", demo_corpus, "--mels-from", tmp_path / "voice", *flags,
                              model__mel_fmax=7600)
        assert ended.returncode == 1 and "mel_fmax is 8000, not 7600" in ended.stderr
        assert not (tmp_path / "other" / "checkpoints").exists()


def test_a_recording_is_heard_through_it(trained, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").iterdir())
    heard, hollow = tmp_path / "heard.wav", tmp_path / "hollow.wav"
    ended = myxtts("audio", clip, "--out", heard, "--vocoder", trained[0], "--json")
    assert ended.returncode == 0, ended.stderr
    assert myxtts("audio", clip, "--out", hollow).returncode == 0

    assert heard.stat().st_size == hollow.stat().st_size
    assert heard.read_bytes() != hollow.read_bytes()
    assert json.loads(ended.stdout)["wav"] == str(heard)

    # Where a sound is cut is nothing that a vocoder has to know.
    whole = tmp_path / "whole.wav"
    ended = myxtts("audio", clip, "--out", whole, "--vocoder", trained[0], "--no-trim-silence")
    assert ended.returncode == 0, ended.stderr
    assert whole.stat().st_size > heard.stat().st_size


def test_what_it_cannot_make_sound_of_is_said(trained, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").iterdir())
    heard = tmp_path / "heard.wav"
    for flags, code, words in (
            (["--out", heard, "--vocoder", trained[0], "--n-mels", "100"], 1, "trained with another mel spec"),
            (["--out", heard, "--vocoder", tmp_path / "none"], 2, "none"),
            (["--vocoder", trained[0]], 2, "add --out FILE.wav"),
            (["--out", heard, "--vocoder", trained[0], "--iterations", "4"], 2, "--vocoder")):
        ended = myxtts("audio", clip, *flags)

        assert (ended.returncode, words in ended.stderr) == (code, True), ended.stderr
        assert not heard.exists()
