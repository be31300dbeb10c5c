#!/usr/bin/env python3
"""A typical PyTorch data loader: a DataLoader with two workers that read with soundfile and compute mels with
torch.stft. Runs in .venv-bench; see loader_common.py.
"""

import soundfile
import torch
from torch.nn.utils.rnn import pad_sequence

import loader_common
from mel_spec import FLOOR, HOP, N_FFT


class MelDataset(torch.utils.data.Dataset):
    def __init__(self, paths, filters):
        self.paths = paths
        self.filters = torch.from_numpy(filters)
        self.window = torch.hann_window(N_FFT)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        samples = torch.from_numpy(soundfile.read(self.paths[index], dtype="float32")[0])
        spectrum = torch.stft(samples, N_FFT, HOP, window=self.window, center=True,
                              pad_mode="reflect", return_complex=True).abs()
        return torch.log(torch.clamp(self.filters @ spectrum, min=FLOOR)).T  # [M, C]


def collate(mels):
    return pad_sequence(mels, batch_first=True), torch.tensor([len(mel) for mel in mels])


def open_loader(paths, filters):
    return torch.utils.data.DataLoader(
        MelDataset(paths, filters), loader_common.BATCH_SIZE, num_workers=loader_common.NUM_WORKERS,
        persistent_workers=True, collate_fn=collate, worker_init_fn=lambda _: torch.set_num_threads(1))


if __name__ == "__main__":
    loader_common.run(f"PyTorch {torch.__version__}", open_loader)
