"""Tests of `myxtts train-vocoder`, and of `myxtts audio` with the trained vocoder."""

import json
import subprocess

import pytest
from training import PROGRAM, differences, metrics, newest_checkpoint, reproducible_state, step_records, train

STEPS = 20
SETTINGS = {"model__vocoder_initial_channel": 16, "model__vocoder_layers": 1,
            "model__vocoder_ffn_dim": 16, "model__vocoder_crop_frames": 32,
            "training__schedule_steps": STEPS, "training__val_step": 10,
            "training__gradient_accumulation_steps": 1}


def train_vocoder(run, corpus, *flags, **settings):
    return train(run, corpus, *flags, subcommand="train-vocoder", **{**SETTINGS, **settings})


def myxtts(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=False, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)


@pytest.fixture(scope="module")
def trained(demo_corpus, tmp_path_factory):
    """An uninterrupted run, and the CompletedProcess of its training."""
    run = tmp_path_factory.mktemp("vocoder") / "run"
    ended = train_vocoder(run, demo_corpus, "--max-steps", STEPS, "--json",
                          training__enable_text2audio_eval="true",
                          training__text2audio_interval_steps=10)
    assert ended.returncode == 0, ended.stderr
    return run, ended


def test_loss_falls_and_the_run_folder_is_complete(trained):
    run, ended = trained
    answer = json.loads(ended.stdout)

    assert answer["steps"] == STEPS and answer["retraces"] == 0
    losses = [line["loss"] for line in step_records(run)]
    assert len(losses) == STEPS and min(losses[-3:]) < losses[0]
    assert {"loss_mel", "loss_magnitude", "loss_convergence", "loss_complex"} <= set(step_records(run)[0])
    assert [line["step"] for line in metrics(run) if "loss" not in line] == [10, 20]  # validations
    assert answer["validation_loss"] is not None
    assert json.loads((newest_checkpoint(run) / "config.json").read_text())["kind"] == "vocoder"
    assert {path.name for path in (run / "samples").iterdir()} >= {
        "step_00000000_1_recorded.wav", "step_00000010_1_vocoder.wav", "step_00000020_1_vocoder.wav"}
    assert list(run.glob("events.out.tfevents.*"))


def test_resumed_run_equals_an_uninterrupted_run(trained, demo_corpus, tmp_path):
    run = tmp_path / "resumed"
    sampling = {"training__enable_text2audio_eval": "true",
                "training__text2audio_interval_steps": 10}
    for steps in (7, STEPS):
        ended = train_vocoder(run, demo_corpus, "--max-steps", steps, **sampling)
        assert ended.returncode == 0, ended.stderr

    assert "resumed at step 7" in ended.stderr
    assert differences(reproducible_state(run), reproducible_state(trained[0])) == []


def test_inspect_shows_the_kind(trained):
    answer = json.loads(myxtts("inspect", trained[0], "--json").stdout)

    assert answer["checkpoint"]["kind"] == "vocoder"


def test_voice_cannot_be_trained_in_the_folder_of_a_vocoder(trained, demo_corpus):
    ended = train(trained[0], demo_corpus, "--max-steps", 2)

    assert ended.returncode == 2
    assert "is the run of a vocoder; to resume it: myxtts train-vocoder" in ended.stderr


def test_speak_rejects_a_vocoder_as_the_voice(trained, tmp_path):
    ended = myxtts("speak", "--checkpoint", trained[0], "--text", "Hello.",
                   "--out", tmp_path / "hello.wav")

    assert ended.returncode in (1, 2)
    assert "vocoder" in ended.stderr and not (tmp_path / "hello.wav").exists()


def test_dry_run_writes_nothing(demo_corpus, tmp_path):
    ended = train_vocoder(tmp_path / "run", demo_corpus, "--dry-run", "--json")

    assert ended.returncode == 0, ended.stderr
    shape = json.loads(ended.stdout)["signatures"][0]
    assert (shape["mel"], shape["samples"]) == (33, 32 * 256)
    assert not (tmp_path / "run").exists()


def test_vocoder_is_trained_on_gta_mels_of_a_voice(trained, demo_corpus, tmp_path):
    """The recordings are the same, but the losses differ, because every second mel is a GTA mel."""
    ended = train(tmp_path / "voice", demo_corpus, "--max-steps", 4)
    assert ended.returncode == 0, ended.stderr
    assert f"vocoder --max-minutes 10 --mels-from {tmp_path / 'voice'}" in ended.stderr
    ended = train_vocoder(tmp_path / "run", demo_corpus, "--max-steps", 4,
                          "--mels-from", tmp_path / "voice")
    assert ended.returncode == 0, ended.stderr

    assert f"mels: every second one is a GTA mel of {tmp_path / 'voice'}" in ended.stderr
    assert step_records(tmp_path / "run")[0]["loss"] != step_records(trained[0])[0]["loss"]
    # After further training of the voice, a resumed vocoder still uses the checkpoint of its first start.
    train(tmp_path / "voice", demo_corpus, "--max-steps", 6)
    ended = train_vocoder(tmp_path / "run", demo_corpus, "--max-steps", 6, "--mels-from", tmp_path / "voice")
    assert "step_00000004" in ended.stderr, ended.stderr
    for flags in ((), ("--dry-run",)):  # rejected before the corpus is read
        ended = train_vocoder(tmp_path / "other", demo_corpus, "--mels-from", trained[0], *flags)
        assert ended.returncode == 1 and "is a vocoder; --mels-from expects" in ended.stderr
        ended = train_vocoder(tmp_path / "other", demo_corpus, "--mels-from", tmp_path / "voice", *flags,
                              model__mel_fmax=7600)
        assert ended.returncode == 1 and "mel_fmax is 8000, not 7600" in ended.stderr
        assert not (tmp_path / "other" / "checkpoints").exists()


def test_audio_resynthesises_a_recording_with_the_vocoder(trained, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").iterdir())
    vocoded, griffin_lim = tmp_path / "vocoded.wav", tmp_path / "griffin_lim.wav"
    ended = myxtts("audio", clip, "--out", vocoded, "--vocoder", trained[0], "--json")
    assert ended.returncode == 0, ended.stderr
    assert myxtts("audio", clip, "--out", griffin_lim).returncode == 0

    assert vocoded.stat().st_size == griffin_lim.stat().st_size
    assert vocoded.read_bytes() != griffin_lim.read_bytes()
    assert json.loads(ended.stdout)["wav"] == str(vocoded)

    # A vocoder accepts mels of recordings whose silence is trimmed in another way.
    whole = tmp_path / "whole.wav"
    ended = myxtts("audio", clip, "--out", whole, "--vocoder", trained[0], "--no-trim-silence")
    assert ended.returncode == 0, ended.stderr
    assert whole.stat().st_size > vocoded.stat().st_size


def test_audio_rejects_unsuitable_vocoders_and_flags(trained, demo_corpus, tmp_path):
    clip = next((demo_corpus / "train" / "wavs").iterdir())
    wav = tmp_path / "audio.wav"
    for flags, code, message in (
            (["--out", wav, "--vocoder", trained[0], "--n-mels", "100"], 1, "trained with another mel spec"),
            (["--out", wav, "--vocoder", tmp_path / "none"], 2, "none"),
            (["--vocoder", trained[0]], 2, "add --out FILE.wav"),
            (["--out", wav, "--vocoder", trained[0], "--iterations", "4"], 2, "--vocoder")):
        ended = myxtts("audio", clip, *flags)

        assert (ended.returncode, message in ended.stderr) == (code, True), ended.stderr
        assert not wav.exists()
