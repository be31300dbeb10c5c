"""Losses that are not finite: skipped steps, rollback to a checkpoint, and the error after too many rollbacks."""

import hashlib
import json
import re
import shutil

import numpy
import pytest
import safetensors.numpy
from checkpoints_test import crc32c
from training import checkpoint_names, newest_checkpoint, step_records, train, write_tones

INFINITE = {"training__mel_loss_weight": "1e39"}  # exceeds the range of float32


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


def poison(checkpoint, symbol):
    """Makes the embedding of one symbol infinite and corrects all checksums of the checkpoint."""
    symbols = json.loads((checkpoint / "config.json").read_text())["symbols"].splitlines()[2]
    tensors = safetensors.numpy.load_file(checkpoint / "model.safetensors")
    manifest = (checkpoint / "manifest.json").read_text()
    body_end = manifest.index('  "manifest_sha256"')
    body = manifest[:body_end]
    for name in ("text.embedding", "ema.text.embedding"):
        assert len(tensors[name]) == len(symbols)
        old = crc32c(tensors[name].tobytes())
        tensors[name] = tensors[name].copy()
        tensors[name][symbols.index(symbol)] = numpy.inf
        body = body.replace(f'"{name}": "{old}"', f'"{name}": "{crc32c(tensors[name].tobytes())}"')
    content = safetensors.numpy.save(tensors, {"format": "pt"})
    body = body.replace(hashlib.sha256((checkpoint / "model.safetensors").read_bytes()).hexdigest(),
                        hashlib.sha256(content).hexdigest())
    (checkpoint / "model.safetensors").write_bytes(content)
    digest = hashlib.sha256(body.encode()).hexdigest()
    (checkpoint / "manifest.json").write_text(f'{body}  "manifest_sha256": "{digest}"\n}}\n')


def tensors_of(checkpoint):
    """Returns all tensors of a checkpoint except the random generator, which a skipped step advances."""
    tensors = {}
    for name in ("model", "trainer"):
        tensors |= {tensor: fields["data"] for tensor, fields in
                    safetensors.deserialize((checkpoint / f"{name}.safetensors").read_bytes())}
    return {name: data for name, data in tensors.items() if not name.startswith("generator.")}


def test_step_with_a_non_finite_loss_is_skipped_and_changes_no_tensor(corpus, tmp_path):
    """The loss of one of sixteen utterances is not finite, so one step per epoch is skipped."""
    settings = {"data__val_split": 0, "training__schedule_steps": 100}
    run = tmp_path / "voice"
    assert train(run, corpus, "--max-steps", 2, **settings).returncode == 0
    poison(newest_checkpoint(run), "?")
    other = shutil.copytree(run, tmp_path / "other")

    ended = train(run, corpus, "--max-steps", 10, "--json", **settings)

    assert ended.returncode == 0, ended.stderr
    skipped = [line["step"] for line in step_records(run) if line.get("skipped")]
    assert 1 <= len(skipped) <= 3 and [line["step"] for line in step_records(run)] == list(range(1, 11))
    assert all(line["loss"] is None for line in step_records(run) if line.get("skipped"))
    assert json.loads(ended.stdout)["skipped_steps"] == len(skipped)
    logged = re.findall(r"step (\d+) skipped: the loss is not finite; .*utterances (.*?)\)", ended.stderr)
    assert [int(step) for step, _ in logged] == skipped
    assert all("u009" in utterances.split() for _, utterances in logged)

    step = skipped[0]
    assert train(other, corpus, "--max-steps", step - 1, **settings).returncode == 0
    before = tensors_of(newest_checkpoint(other))
    assert train(other, corpus, "--max-steps", step, **settings).returncode == 0
    after = tensors_of(newest_checkpoint(other))
    assert newest_checkpoint(other).name == f"step_{step:08}"
    assert [name for name in after if after[name] != before[name]] == []
    assert train(other, corpus, "--max-steps", step + 1, **settings).returncode == 0
    assert tensors_of(newest_checkpoint(other))["optimizer.count"] != after["optimizer.count"]


def test_divergence_without_a_checkpoint_is_an_error_with_a_suggestion(run, corpus):
    ended = train(run, corpus, "--max-steps", 20, training__max_bad_steps=3, **INFINITE)

    assert ended.returncode == 1
    assert "3 consecutive steps were not finite at step 3 and there is no checkpoint" in ended.stderr
    assert "lower the learning rate (--lr 0.001)" in ended.stderr
    assert not (run / "checkpoints").exists()


def test_rolls_back_to_the_newest_checkpoint_and_fails_after_three_rollbacks(run, corpus):
    train(run, corpus, "--max-steps", 4, training__val_step=4)  # also the best checkpoint
    good = (newest_checkpoint(run) / "model.safetensors").read_bytes()

    ended = train(run, corpus, "--max-steps", 40, training__max_bad_steps=3, training__save_step=1,
                  training__val_step=4, **INFINITE)

    assert ended.returncode == 1
    assert ended.stderr.count("rolled back from step 7 to the checkpoint of step 4") == 3
    assert "after 3 restores of the newest valid checkpoint" in ended.stderr
    assert "12 skipped so far" in ended.stderr
    assert checkpoint_names(run) == ["step_00000004"], "no checkpoint was written after a skipped step"
    assert (newest_checkpoint(run) / "model.safetensors").read_bytes() == good

    resumed = train(run, corpus, "--max-steps", 6, training__mel_loss_weight=1)
    assert resumed.returncode == 0, resumed.stderr
    assert [line["step"] for line in step_records(run)] == [1, 2, 3, 4, 5, 6]
