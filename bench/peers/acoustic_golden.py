#!/usr/bin/env python3
"""Writes tests/golden/acoustic: losses and gradients of the PyTorch model for a small model and a batch.

    tools/setup.sh bench-venv                               creates .venv-bench, once
    .venv-bench/bin/python bench/peers/acoustic_golden.py

In whole.safetensors the decoder runs on whole utterances; in crops.safetensors it runs on crops, with the
energy predictor. tests/unit/checkpoint/tensors_reference_torch_test.cpp compares myxtts with both files.
"""

import pathlib

import torch

import acoustic_exchange
from acoustic_reference import AcousticModel, Config, Inputs

TARGET = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "acoustic"
SMALL = dict(n_mels=8, text_encoder_dim=16, text_encoder_conv_layers=1, text_encoder_layers=1,
             text_encoder_heads=2, text_encoder_ffn_dim=24, audio_encoder_dim=12,
             audio_encoder_layers=1, speaker_embedding_dim=8, decoder_dim=20, decoder_layers=2,
             decoder_ffn_dim=24)
CASES = {"whole": Config(**SMALL),
         "crops": Config(**SMALL, decoder_crop_frames=8, use_energy_predictor=True)}
NUM_SYMBOLS = 12
MEL_MEAN, MEL_STD = -5.5, 2.25
MEL_PAD = -11.5
REFERENCE_FRAMES = 9
# Frames per symbol of each row: the longest row, a padded row, a row shorter than a crop, and an empty row.
DURATIONS = [[3, 1, 4, 1, 5, 2, 3], [2, 7, 1, 8], [1, 2, 1, 2, 1], []]
CROP_STARTS = [9, 4, 0, 0]


def randomise(model, generator):
    """Replaces all weights by random values. Initial zeros would hide the gradients behind them."""
    for name, value in model.named_parameters():
        noise = torch.randn(value.shape, generator=generator)
        std = value.shape[-1] ** -0.5 if value.dim() > 1 else 0.2
        value.data = noise * std + (1.0 if name.endswith(".scale") else 0.0)


def make_inputs(config, generator):
    rows, text = len(DURATIONS), max(map(len, DURATIONS))
    durations = torch.zeros(rows, text, dtype=torch.int64)
    for row, frames in enumerate(DURATIONS):
        durations[row, :len(frames)] = torch.tensor(frames, dtype=torch.int64)
    mel_lengths = durations.sum(1)
    shape = (rows, int(mel_lengths.max()), config.n_mels)
    # Targets are far from any prediction, on both sides: near zero the sign of the L1 gradient would
    # depend on rounding.
    signs = torch.randint(2, shape, generator=generator) * 2 - 1
    mel = MEL_MEAN + MEL_STD * signs * (10 + torch.rand(shape, generator=generator))
    mel[torch.arange(shape[1]) >= mel_lengths[:, None]] = MEL_PAD
    clips = (rows, REFERENCE_FRAMES, config.n_mels)
    return Inputs(
        text=torch.randint(1, NUM_SYMBOLS, durations.shape, generator=generator) * (durations > 0),
        text_lengths=(durations > 0).sum(1), mel=mel, mel_lengths=mel_lengths,
        reference=MEL_MEAN + MEL_STD * torch.randn(clips, generator=generator),
        crop_starts=torch.tensor(CROP_STARTS) * (config.decoder_crop_frames > 0),
        durations=durations)


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, config in CASES.items():
        generator = torch.Generator().manual_seed(1)
        model = AcousticModel(config, NUM_SYMBOLS, MEL_MEAN, MEL_STD)
        randomise(model, generator)
        inputs = make_inputs(config, generator)
        results = acoustic_exchange.results_of(model, inputs)
        path = TARGET / f"{name}.safetensors"
        acoustic_exchange.write(path, model, inputs, results)
        losses = ", ".join(f"{loss} {value:.4f}" for loss, value in results.losses.items())
        print(f"{path.name}: {path.stat().st_size} bytes, {losses}")


if __name__ == "__main__":
    main()
