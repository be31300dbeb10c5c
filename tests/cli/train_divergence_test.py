"""Losses that are not finite: refused, named, counted; then back; then an end that says what to do."""

import hashlib
import json
import re
import shutil

import numpy
import pytest
import safetensors.numpy
from checkpoints_test import crc32c
from training import newest, saves, train, updates, write_tones

INFINITE = {"training__mel_loss_weight": "1e39"}  # float32 ends before


@pytest.fixture
def run(tmp_path):
    return tmp_path / "voice"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Sixteen tones; only one text has a question mark."""
    folder = write_tones(tmp_path_factory.mktemp("tones") / "corpus", 16)
    metadata = folder / "metadata.csv"
    metadata.write_text(metadata.read_text().replace("u009|hum", "u009|hum?"))
    assert "hum?" in metadata.read_text()
    return folder


def poison(save, symbol):
    """Makes the weights of one symbol infinite, and the save whole again."""
    symbols = json.loads((save / "config.json").read_text())["symbols"].splitlines()[2]
    tensors = safetensors.numpy.load_file(save / "model.safetensors")
    manifest = (save / "manifest.json").read_text()
    seal = manifest.index('  "manifest_sha256"')
    body = manifest[:seal]
    for name in ("text.embedding", "ema.text.embedding"):
        assert len(tensors[name]) == len(symbols)
        old = crc32c(tensors[name].tobytes())
        tensors[name] = tensors[name].copy()
        tensors[name][symbols.index(symbol)] = numpy.inf
        body = body.replace(f'"{name}": "{old}"', f'"{name}": "{crc32c(tensors[name].tobytes())}"')
    content = safetensors.numpy.save(tensors, {"format": "pt"})
    body = body.replace(hashlib.sha256((save / "model.safetensors").read_bytes()).hexdigest(),
                        hashlib.sha256(content).hexdigest())
    (save / "model.safetensors").write_bytes(content)
    digest = hashlib.sha256(body.encode()).hexdigest()
    (save / "manifest.json").write_text(f'{body}  "manifest_sha256": "{digest}"\n}}\n')


def tensors_of(save):
    """All but the generator: a refused update has used it."""
    found = {}
    for name in ("model", "trainer"):
        found |= {tensor: fields["data"] for tensor, fields in
                  safetensors.deserialize((save / f"{name}.safetensors").read_bytes())}
    return {name: data for name, data in found.items() if not name.startswith("generator.")}


def test_a_bad_update_is_refused_named_and_counted_and_changes_nothing(corpus, tmp_path):
    """One utterance of sixteen leads to a loss that is not finite, once in each epoch."""
    settings = {"data__val_split": 0, "training__schedule_steps": 100}
    run = tmp_path / "voice"
    assert train(run, corpus, "--max-steps", 2, **settings).returncode == 0
    poison(newest(run), "?")
    other = shutil.copytree(run, tmp_path / "other")

    ended = train(run, corpus, "--max-steps", 10, "--json", **settings)

    assert ended.returncode == 0, ended.stderr
    refused = [line["step"] for line in updates(run) if line.get("skipped")]
    assert 1 <= len(refused) <= 3 and [line["step"] for line in updates(run)] == list(range(1, 11))
    assert all(line["loss"] is None for line in updates(run) if line.get("skipped"))
    assert json.loads(ended.stdout)["skipped_steps"] == len(refused)
    said = re.findall(r"step (\d+) skipped: the loss is not finite; .*utterances (.*?)\)", ended.stderr)
    assert [int(step) for step, _ in said] == refused
    assert all("u009" in utterances.split() for _, utterances in said)

    step = refused[0]
    assert train(other, corpus, "--max-steps", step - 1, **settings).returncode == 0
    before = tensors_of(newest(other))
    assert train(other, corpus, "--max-steps", step, **settings).returncode == 0
    after = tensors_of(newest(other))
    assert newest(other).name == f"step_{step:08}"
    assert [name for name in after if after[name] != before[name]] == []
    assert train(other, corpus, "--max-steps", step + 1, **settings).returncode == 0
    assert tensors_of(newest(other))["optimizer.count"] != after["optimizer.count"]


def test_without_a_save_it_ends_with_what_to_do(run, corpus):
    ended = train(run, corpus, "--max-steps", 20, training__max_bad_steps=3, **INFINITE)

    assert ended.returncode == 1
    assert "3 consecutive steps were not finite at step 3 and there is no checkpoint" in ended.stderr
    assert "lower the learning rate (--lr 0.001)" in ended.stderr
    assert not (run / "checkpoints").exists()


def test_goes_back_to_the_last_good_save_and_ends_if_that_does_not_help(run, corpus):
    train(run, corpus, "--max-steps", 4, training__val_step=4)  # the best save, too
    good = (newest(run) / "model.safetensors").read_bytes()

    ended = train(run, corpus, "--max-steps", 40, training__max_bad_steps=3, training__save_step=1,
                  training__val_step=4, **INFINITE)

    assert ended.returncode == 1
    assert ended.stderr.count("rolled back from step 7 to the checkpoint of step 4") == 3
    assert "after 3 restores of the newest valid checkpoint" in ended.stderr
    assert "12 skipped so far" in ended.stderr
    assert saves(run) == ["step_00000004"], "nothing was saved between refused updates"
    assert (newest(run) / "model.safetensors").read_bytes() == good

    healed = train(run, corpus, "--max-steps", 6, training__mel_loss_weight=1)
    assert healed.returncode == 0, healed.stderr
    assert [line["step"] for line in updates(run)] == [1, 2, 3, 4, 5, 6]
