"""The vocoder of src/model in idiomatic PyTorch: a convolution over the mel, ConvNeXt blocks, and torch.istft
of the predicted spectrum. It loads the model.safetensors of a checkpoint of train-vocoder.

B rows, K frames, C mel channels, F bins of the spectrum of a frame.
"""

import math

import numpy
import torch
from torch import nn

from acoustic_reference import ConvNext, Norm
from mel_spec import HOP, N_FFT, mel_filters


def envelope_of(filters):
    """Returns weight [F, C] and bias [F] that interpolate the log-mel linearly at each FFT bin: the initial
    log-magnitude."""
    bins, channels = filters.shape[1], filters.shape[0]
    sums = filters.sum(axis=1, dtype=numpy.float64)
    centres = (filters * numpy.arange(bins)).sum(axis=1, dtype=numpy.float64) / sums
    levels = numpy.log(sums)
    weight, bias = numpy.zeros((bins, channels)), numpy.zeros(bins)
    for bin_index in range(bins):
        above = int(numpy.searchsorted(centres, bin_index))
        high, low = min(above, channels - 1), max(above - 1, 0)
        width = centres[high] - centres[low]
        share = (bin_index - centres[low]) / width if width > 0 else 0.0
        weight[bin_index, low] += 1 - share
        weight[bin_index, high] += share
        bias[bin_index] = -(1 - share) * levels[low] - share * levels[high]
    return torch.tensor(weight, dtype=torch.float32), torch.tensor(bias, dtype=torch.float32)


class Vocoder(nn.Module):
    def __init__(self, channels, width, num_blocks, hidden, mel_mean, mel_std):
        super().__init__()
        self.mel_mean, self.mel_std = mel_mean, mel_std
        self.first = nn.Conv1d(channels, width, 7, padding=3)
        self.blocks = nn.ModuleList(ConvNext(width, hidden, 0) for _ in range(num_blocks))
        self.norm = Norm(width)
        self.magnitude = nn.Linear(width, N_FFT // 2 + 1)
        self.phase = nn.Linear(width, N_FFT // 2 + 1)
        self.envelope = nn.Linear(channels, N_FFT // 2 + 1)
        self.register_buffer("window", torch.hann_window(N_FFT))
        self.max_log_magnitude = math.log(float(self.window.sum()))

    def forward(self, mel):
        """Maps log-mels [B, K, C] to samples [B, (K - 1) hop]."""
        x = self.first(((mel - self.mel_mean) / self.mel_std).mT).mT
        for block in self.blocks:
            x = block(x, 1, None)
        states = self.norm(x)
        magnitude = (self.magnitude(states) + self.envelope(mel)).clamp_max(self.max_log_magnitude).exp()
        return torch.istft(torch.polar(magnitude, self.phase(states)).mT, N_FFT, HOP, window=self.window)


def vocoder_of(tensors, sizes, normalisation):
    """Returns the PyTorch vocoder with the weights of a checkpoint. tensors: {name: tensor}; sizes: the section
    `model`; normalisation: mean and standard deviation of mels."""
    model = Vocoder(sizes["n_mels"], sizes["vocoder_initial_channel"], sizes["vocoder_layers"],
                    sizes["vocoder_ffn_dim"], *normalisation)
    weights = {}
    for name, value in tensors.items():
        name = name.removeprefix("vocoder.")
        if name.split(".")[0] in ("in", "norm", "magnitude", "phase"):
            weights[name.replace("in.", "first.", 1) if name.startswith("in.") else name] = value
        elif name[0].isdigit():
            weights[f"blocks.{name}"] = value
    # The checkpoint has [out, 7 in], the leftmost frame first.
    weights["first.weight"] = weights["first.weight"].unflatten(1, (7, -1)).transpose(1, 2).contiguous()
    weights["envelope.weight"], weights["envelope.bias"] = envelope_of(mel_filters())
    weights["window"] = model.window
    model.load_state_dict(weights)
    return model
