"""The acoustic model of src/model in idiomatic PyTorch, with the same parameter names and losses. It loads the
model.safetensors of a checkpoint.

B rows, T symbols, M frames, K decoder frames, C mel channels, R frames of the reference clip; H, D and V are
the widths of text encoder, decoder and speaker embedding. Activations are [B, L, width].

The two implementations differ on purpose: src/model pads to fixed shapes and uses fused operators, this file
gathers, scatters and calls the convolutions and the attention of PyTorch. Durations are part of the inputs, or
come from alignment_search.py.
"""

import dataclasses

import torch
from torch import nn
from torch.nn import functional

from alignment_search import search_durations

MASKED_SCORE = -1e4  # finite: a row without symbols must not become NaN
FRAME_FEATURES = 2  # position within the symbol, and the duration of the symbol


@dataclasses.dataclass
class Config:
    """The keys of the section `model` that this model uses, with the defaults of `tiny`."""

    n_mels: int = 80
    text_encoder_dim: int = 192
    text_encoder_conv_layers: int = 2
    text_encoder_layers: int = 3
    text_encoder_heads: int = 2
    text_encoder_ffn_dim: int = 576
    audio_encoder_dim: int = 128
    audio_encoder_layers: int = 3
    speaker_embedding_dim: int = 128
    decoder_dim: int = 256
    decoder_layers: int = 6
    decoder_ffn_dim: int = 768
    decoder_crop_frames: int = 0  # 0: whole utterances
    dropout_rate: float = 0.0
    use_energy_predictor: bool = False


@dataclasses.dataclass
class Inputs:
    """A micro-batch, and optional durations that replace the alignment search."""

    text: torch.Tensor  # [B, T] int64
    text_lengths: torch.Tensor  # [B]
    mel: torch.Tensor  # [B, M, C] float32, natural logarithm
    mel_lengths: torch.Tensor  # [B]
    reference: torch.Tensor  # [B, R, C]
    crop_starts: torch.Tensor  # [B]
    durations: torch.Tensor | None  # [B, T] int64, row sums are the mel lengths; None: search


def length_mask(lengths, positions):
    """Returns [B, L, 1] with 1 at positions below the length of the row."""
    return (torch.arange(positions) < lengths[:, None]).float()[..., None]


def gelu(x):
    return functional.gelu(x, approximate="tanh")


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return functional.layer_norm(x, self.scale.shape, self.scale, self.shift)


class SpeakerFilm(nn.Linear):
    """Scales and shifts by the speaker embedding."""

    def __init__(self, voice_width, width):
        super().__init__(voice_width, 2 * width)

    def forward(self, x, voice):  # pylint: disable=arguments-differ
        scale, shift = super().forward(voice)[:, None].chunk(2, dim=-1)
        return x * (1 + scale) + shift


class Convolution3(nn.Linear):
    """A convolution with kernel size 3. The weight is [out, 3 in], the left neighbour first."""

    def __init__(self, width, out):
        super().__init__(3 * width, out)

    def forward(self, x):  # pylint: disable=arguments-renamed
        kernel = self.weight.unflatten(1, (3, -1)).transpose(1, 2)  # [out, in, 3]
        return functional.conv1d(x.mT, kernel, self.bias, padding=1).mT


class ConvNext(nn.Module):
    def __init__(self, width, hidden, voice_width):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(width, 7) / 7**0.5)
        self.kernel_bias = nn.Parameter(torch.zeros(width))
        self.norm = Norm(width)
        self.voice = SpeakerFilm(voice_width, width) if voice_width else None
        self.wide = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)

    def forward(self, x, mask, voice):
        y = functional.conv1d(x.mT, self.kernel[:, None], self.kernel_bias, padding=3,
                              groups=len(self.kernel)).mT
        y = self.norm(y)
        if self.voice is not None:
            y = self.voice(y, voice)
        return x + mask * self.narrow(gelu(self.wide(y)))


def rotate(x):
    """Applies rotary position embeddings to the pairs (d, d + D/2) of [B, heads, T, D]."""
    first, second = x.chunk(2, dim=-1)
    half = first.shape[-1]
    speeds = 10000.0 ** (-torch.arange(half) / half)
    angles = torch.arange(x.shape[-2])[:, None] * speeds
    # No complex numbers: torch.compile does not generate code for them.
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


class Attention(nn.Module):
    def __init__(self, width, heads, hidden, voice_width):
        super().__init__()
        self.heads = heads
        self.attention_norm = Norm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.attention_out = nn.Linear(width, width)
        self.ffn_norm = Norm(width)
        self.voice = SpeakerFilm(voice_width, width)
        self.wide = Convolution3(width, hidden)
        self.narrow = nn.Linear(hidden, width)

    def attend(self, x, mask):
        parts = self.query_key_value(x).unflatten(-1, (3, self.heads, -1))
        query, key, value = parts.permute(2, 0, 3, 1, 4)  # [B, heads, T, H / heads] each
        bias = (1 - mask.mT[:, None]) * MASKED_SCORE  # [B, 1, 1, T]
        context = functional.scaled_dot_product_attention(rotate(query), rotate(key), value, bias)
        return self.attention_out(context.transpose(1, 2).flatten(2))

    def forward(self, x, mask, voice):
        x = x + mask * self.attend(self.attention_norm(x), mask)
        y = self.voice(self.ffn_norm(x), voice) * mask
        return x + mask * self.narrow(gelu(self.wide(y)))


class TextEncoder(nn.Module):
    def __init__(self, config, num_symbols):
        super().__init__()
        width, voice = config.text_encoder_dim, config.speaker_embedding_dim
        hidden = config.text_encoder_ffn_dim
        self.embedding = nn.Parameter(torch.randn(num_symbols, width))
        self.convolution = nn.ModuleList(
            ConvNext(width, hidden, voice) for _ in range(config.text_encoder_conv_layers))
        self.attention = nn.ModuleList(
            Attention(width, config.text_encoder_heads, hidden, voice)
            for _ in range(config.text_encoder_layers))
        self.norm = Norm(width)
        self.dropout = nn.Dropout(config.dropout_rate)

    def forward(self, text, mask, voice):
        x = functional.embedding(text, self.embedding) * mask
        for block in [*self.convolution, *self.attention]:
            x = self.dropout(block(x, mask, voice))
        return self.norm(x) * mask


class Tower(nn.ModuleDict):
    """ConvNeXt blocks between two linear layers. A ModuleDict, because the parameter names contain `in`
    and 0, 1, ..."""

    def __init__(self, sizes, num_blocks, hidden, voice_width):
        width_in, width, width_out = sizes
        super().__init__({"in": nn.Linear(width_in, width), "norm": Norm(width),
                          "out": nn.Linear(width, width_out)})
        self.num_blocks = num_blocks
        for i in range(num_blocks):
            self[str(i)] = ConvNext(width, hidden, voice_width)

    def forward(self, x, mask, voice=None):
        """Returns the normalised states. The caller applies the layer "out"."""
        x = self["in"](x) * mask
        for i in range(self.num_blocks):
            x = self[str(i)](x, mask, voice)
        return self["norm"](x)


class SymbolHead(nn.Module):
    """Predicts one number per symbol."""

    def __init__(self, width):
        super().__init__()
        self.first = Convolution3(width, width)
        self.first_norm = Norm(width)
        self.second = Convolution3(width, width)
        self.second_norm = Norm(width)
        self.out = nn.Linear(width, 1)

    def forward(self, states, mask):
        x = self.first_norm(gelu(self.first(states * mask))) * mask
        return self.out(self.second_norm(gelu(self.second(x)))).squeeze(-1)


class EnergyHead(SymbolHead):
    def __init__(self, width):
        super().__init__(width)
        self.embedding = nn.Linear(1, width)


class AcousticModel(nn.Module):
    def __init__(self, config, num_symbols, mel_mean=0.0, mel_std=1.0):
        super().__init__()
        self.config, self.mel_mean, self.mel_std = config, mel_mean, mel_std
        width, mels = config.text_encoder_dim, config.n_mels
        self.voice = Tower((mels, config.audio_encoder_dim, config.speaker_embedding_dim),
                           config.audio_encoder_layers, 2 * config.audio_encoder_dim, 0)
        self.text = TextEncoder(config, num_symbols)
        self.symbol_means = nn.Parameter(torch.zeros(num_symbols, mels))
        self.mean = nn.Linear(width, mels)
        self.duration = SymbolHead(width)
        self.energy = EnergyHead(width) if config.use_energy_predictor else None
        self.decoder = Tower((width + mels + FRAME_FEATURES, config.decoder_dim, mels),
                             config.decoder_layers, config.decoder_ffn_dim,
                             config.speaker_embedding_dim)

    def normalised(self, mel):
        return (mel - self.mel_mean) / self.mel_std

    def encode(self, inputs):
        """Returns the speaker embedding, the states and the mean mels of the symbols."""
        reference = self.normalised(inputs.reference)
        voice = self.voice["out"](self.voice(reference, mask=1).mean(1))
        states = self.text(inputs.text, length_mask(inputs.text_lengths, inputs.text.shape[1]),
                           voice)
        means = functional.embedding(inputs.text, self.symbol_means) + self.mean(states)
        return voice, states, means

    def forward(self, inputs):
        """Returns {loss: sum over valid elements} for mel, prior, duration and, if enabled, energy."""
        mel = self.normalised(inputs.mel)
        symbols_mask = length_mask(inputs.text_lengths, inputs.text.shape[1])
        frames_mask = length_mask(inputs.mel_lengths, mel.shape[1])
        voice, states, means = self.encode(inputs)
        durations = inputs.durations
        if durations is None:
            durations = search_durations(means, mel, inputs.text_lengths, inputs.mel_lengths)
        symbol_index = symbol_of_frame(durations, mel.shape[1])  # [B, M]
        sums = {"prior": absolute_error(mel, gather_rows(means, symbol_index), frames_mask)}
        detached = states.detach()
        target = durations.clamp_min(1).float().log()
        sums["duration"] = square_error(self.duration(detached, symbols_mask), target, symbols_mask)
        if self.energy is not None:
            energies = torch.zeros_like(target).scatter_add(
                1, symbol_index, mel.mean(-1) * frames_mask[..., 0]) / durations.clamp_min(1)
            sums["energy"] = square_error(self.energy(detached, symbols_mask), energies, symbols_mask)
            states = states + self.energy.embedding(energies[..., None])

        # The frames of the decoder, [B, K].
        crop = self.config.decoder_crop_frames
        frames = torch.arange(mel.shape[1]).expand(len(mel), -1)
        if 0 < crop < mel.shape[1]:
            frames = torch.arange(crop) + inputs.crop_starts[:, None]
        mask = (frames < inputs.mel_lengths[:, None]).float()[..., None]
        valid_frames = frames.clamp_max(mel.shape[1] - 1)
        predicted = self.decode(states, means, durations, frames,
                                symbol_index.gather(1, valid_frames), mask, voice)
        sums["mel"] = absolute_error(gather_rows(mel, valid_frames), predicted, mask)
        return sums

    def synthesise(self, text, voice):
        """Returns the mel [M, C] of a text [T] for a speaker embedding [V], with predicted durations."""
        row, mask, voices = text[None], torch.ones(1, len(text), 1), voice[None]
        states = self.text(row, mask, voices)
        means = functional.embedding(row, self.symbol_means) + self.mean(states)
        durations = self.duration(states, mask).exp().round().clamp_min(1).long()
        if self.energy is not None:
            states = states + self.energy.embedding(self.energy(states, mask)[..., None])
        frames = torch.arange(int(durations.sum()))[None]
        symbol_index = symbol_of_frame(durations, frames.shape[1])
        mel = self.decode(states, means, durations, frames, symbol_index, torch.ones(1, frames.shape[1], 1), voices)
        return mel[0] * self.mel_std + self.mel_mean

    def decode(self, states, means, durations, frames, symbol_index, mask, voice):
        length = durations.gather(1, symbol_index)
        begin = (durations.cumsum(1) - durations).gather(1, symbol_index)
        position = (frames + 0.5 - begin) / length.clamp_min(1)
        features = torch.stack([position, length.clamp_min(1).log()], dim=-1)
        base = gather_rows(means, symbol_index)
        x = torch.cat([gather_rows(states, symbol_index), base, features], dim=-1)
        return base + self.decoder["out"](self.decoder(x, mask, voice))


def symbol_of_frame(durations, num_frames):
    """Returns [B, M] int64. Frames past the end belong to the last position."""
    ends = durations.cumsum(1)
    frames = torch.arange(num_frames).expand(len(durations), -1).contiguous()
    return torch.searchsorted(ends, frames, right=True).clamp_max(durations.shape[1] - 1)


def gather_rows(values, index):
    """Gathers rows of [B, L, W] by [B, K] -> [B, K, W]."""
    return values.gather(1, index[..., None].expand(-1, -1, values.shape[-1]))


def absolute_error(a, b, mask):
    return ((a - b).abs() * mask).sum()


def square_error(a, b, mask):
    return ((a - b).square() * mask[..., 0]).sum()


LOSS_WEIGHTS = {"mel": 1.0, "prior": 1.0, "duration": 0.1, "energy": 0.1}


def mean_losses(sums, inputs, config):
    """Divides each sum by its number of elements."""
    frames, symbols = inputs.mel_lengths.sum(), inputs.text_lengths.sum()
    crop = config.decoder_crop_frames or inputs.mel.shape[1]
    decoder_frames = inputs.mel_lengths.clamp_max(crop).sum()
    counts = {"mel": decoder_frames * config.n_mels, "prior": frames * config.n_mels,
              "duration": symbols, "energy": symbols}
    return {name: value / counts[name] for name, value in sums.items()}


def total_loss(losses):
    return sum(LOSS_WEIGHTS[name] * value for name, value in losses.items())
