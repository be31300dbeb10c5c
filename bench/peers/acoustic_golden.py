#!/usr/bin/env python3
"""Writes tests/golden/acoustic: what the twin in PyTorch makes of a small model and a batch.

    make bench                                              makes .venv-bench, once
    .venv-bench/bin/python bench/peers/acoustic_golden.py

whole.safetensors has the decoder on whole utterances, crops.safetensors has it on crops and the
energy predictor on. tests/unit/checkpoint/tensors_twin_torch_test.cpp compares with them.
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
MEL_MEAN, MEL_DEVIATION = -5.5, 2.25
MEL_PAD = -11.5
REFERENCE_FRAMES = 9
# Frames of each symbol, row by row: one that fills the batch, one with room to spare, one that is
# shorter than a crop, and one that is empty.
DURATIONS = [[3, 1, 4, 1, 5, 2, 3], [2, 7, 1, 8], [1, 2, 1, 2, 1], []]
CROP_STARTS = [9, 4, 0, 0]


def randomise(model, chance):
    """Everything is moved from where it starts: behind zeros no gradient would be seen."""
    for name, value in model.named_parameters():
        noise = torch.randn(value.shape, generator=chance)
        spread = value.shape[-1] ** -0.5 if value.dim() > 1 else 0.2
        value.data = noise * spread + (1.0 if name.endswith(".scale") else 0.0)


def make_inputs(config, chance):
    rows, text = len(DURATIONS), max(map(len, DURATIONS))
    durations = torch.zeros(rows, text, dtype=torch.int64)
    for row, frames in enumerate(DURATIONS):
        durations[row, :len(frames)] = torch.tensor(frames, dtype=torch.int64)
    mel_lengths = durations.sum(1)
    shape = (rows, int(mel_lengths.max()), config.n_mels)
    # Far from whatever the model says, above and below: where |x| bends, the sign of a gradient
    # would hang on rounding.
    signs = torch.randint(2, shape, generator=chance) * 2 - 1
    mel = MEL_MEAN + MEL_DEVIATION * signs * (10 + torch.rand(shape, generator=chance))
    mel[torch.arange(shape[1]) >= mel_lengths[:, None]] = MEL_PAD
    clips = (rows, REFERENCE_FRAMES, config.n_mels)
    return Inputs(
        text=torch.randint(1, NUM_SYMBOLS, durations.shape, generator=chance) * (durations > 0),
        text_lengths=(durations > 0).sum(1), mel=mel, mel_lengths=mel_lengths,
        reference=MEL_MEAN + MEL_DEVIATION * torch.randn(clips, generator=chance),
        crop_starts=torch.tensor(CROP_STARTS) * (config.decoder_crop_frames > 0),
        durations=durations)


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, config in CASES.items():
        chance = torch.Generator().manual_seed(1)
        model = AcousticModel(config, NUM_SYMBOLS, MEL_MEAN, MEL_DEVIATION)
        randomise(model, chance)
        inputs = make_inputs(config, chance)
        results = acoustic_exchange.results_of(model, inputs)
        path = TARGET / f"{name}.safetensors"
        acoustic_exchange.write(path, model, inputs, results)
        losses = ", ".join(f"{loss} {value:.4f}" for loss, value in results.losses.items())
        print(f"{path.name}: {path.stat().st_size} bytes, {losses}")


if __name__ == "__main__":
    main()
