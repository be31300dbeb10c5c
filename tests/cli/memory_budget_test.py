"""Announced and measured memory of a training, and the memory budget."""

import json
import re

import pytest
from training import train, write_tones

# A model of realistic size.
REAL = {"model__text_encoder_dim": 192, "model__text_encoder_conv_layers": 2,
        "model__text_encoder_layers": 3, "model__text_encoder_ffn_dim": 576,
        "model__audio_encoder_dim": 128, "model__audio_encoder_layers": 3,
        "model__speaker_embedding_dim": 128, "model__decoder_dim": 256, "model__decoder_layers": 6,
        "model__decoder_ffn_dim": 768, "training__gradient_accumulation_steps": 1,
        "data__reference_audio_length": 3, "training__threads": 2}
PLANS = {"buckets": (12, []),
         "fixed": (8, ["--enable-static-shapes", "--max-text-length", 64, "--max-mel-frames", 256]),
         "large": (24, ["--enable-static-shapes", "--max-text-length", 64, "--max-mel-frames", 128])}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 100, seconds=1.0)
    write_tones(folder / "val", 4)
    return folder


@pytest.mark.parametrize("plan", PLANS)
def test_peak_memory_is_within_10_percent_of_the_announced_figure(plan, corpus, tmp_path):
    batch_size, flags = PLANS[plan]
    settings = {**REAL, "data__batch_size": batch_size}
    dry = train(tmp_path / "run", corpus, *flags, "--dry-run", "--json", **settings)
    assert dry.returncode == 0, dry.stderr
    announced = json.loads(dry.stdout)["memory_bytes"]

    result = train(tmp_path / "run", corpus, *flags, "--max-steps", 2, "--json", **settings)
    assert result.returncode == 0, result.stderr

    measured = json.loads(result.stdout)["peak_rss_bytes"]
    assert measured == pytest.approx(announced, rel=0.1), (measured / 1e6, announced / 1e6)


def test_run_over_budget_is_refused_with_a_batch_size_that_fits(corpus, tmp_path):
    settings = {**REAL, "data__batch_size": 12}
    announced = json.loads(
        train(tmp_path / "run", corpus, "--dry-run", "--json", **settings).stdout)["memory_bytes"]
    budget = int(announced * 0.85)

    result = train(tmp_path / "run", corpus, "--max-steps", 2, "--memory-budget", budget, **settings)

    assert result.returncode == 2, result.stderr
    assert "this training needs" in result.stderr and "--memory-budget" in result.stderr
    assert not (tmp_path / "run" / "metrics.jsonl").exists()
    smaller = re.search(r"--batch-size (\d+)", result.stderr)
    assert smaller, result.stderr
    settings["data__batch_size"] = int(smaller[1])
    result = train(tmp_path / "run", corpus, "--max-steps", 2, "--memory-budget", budget, **settings)
    assert result.returncode == 0, result.stderr


def test_invalid_memory_budget_is_refused(corpus, tmp_path):
    result = train(tmp_path / "run", corpus, "--max-steps", 2, "--memory-budget", "plenty")

    assert result.returncode == 2
    assert "6GB" in result.stderr
