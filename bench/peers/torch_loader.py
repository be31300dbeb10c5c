#!/usr/bin/env python3
"""A loader the way one writes it for PyTorch: a DataLoader whose two workers read by soundfile and
make mels by torch.stft. Runs in .venv-bench; see loader_side.py.
"""

import soundfile
import torch
from torch.nn.utils.rnn import pad_sequence

import loader_side
from mel_spec import FLOOR, HOP, N_FFT


class Mels(torch.utils.data.Dataset):
    def __init__(self, paths, filters):
        self.paths = paths
        self.filters = torch.from_numpy(filters)
        self.window = torch.hann_window(N_FFT)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        sound = torch.from_numpy(soundfile.read(self.paths[index], dtype="float32")[0])
        spectrum = torch.stft(sound, N_FFT, HOP, window=self.window, center=True,
                              pad_mode="reflect", return_complex=True).abs()
        return torch.log(torch.clamp(self.filters @ spectrum, min=FLOOR)).T  # [M, C]


def collate(mels):
    return pad_sequence(mels, batch_first=True), torch.tensor([len(mel) for mel in mels])


def open_loader(paths, filters):
    return torch.utils.data.DataLoader(
        Mels(paths, filters), loader_side.BATCH_SIZE, num_workers=loader_side.NUM_WORKERS,
        persistent_workers=True, collate_fn=collate, worker_init_fn=lambda _: torch.set_num_threads(1))


if __name__ == "__main__":
    loader_side.run(f"PyTorch {torch.__version__}", open_loader)
