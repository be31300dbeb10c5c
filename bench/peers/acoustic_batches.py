"""Batches of a corpus as PyTorch trainers usually build them: sorted in chunks, padded to the longest row."""

import dataclasses

import safetensors.torch
import torch
from torch.nn.utils.rnn import pad_sequence

from acoustic_reference import Inputs

BATCH_SIZE = 16
BATCHES_PER_CHUNK = 8
MEL_PAD = -11.5
REFERENCE_FRAMES = 258


@dataclasses.dataclass
class Corpus:
    texts: list[torch.Tensor]  # [T] int64 each
    mels: list[torch.Tensor]  # [M, C] float32 each, natural logarithm


def read_corpus(path):
    """Reads the corpus.safetensors of the program acoustic_step: concatenated utterances and their lengths."""
    tensors = safetensors.torch.load_file(path)
    return Corpus(*(list(tensors[name].split(tensors[f"{name}_lengths"].tolist()))
                    for name in ("text", "mel")))


def epoch_of(corpus, crop_frames):
    """Returns the batches of an epoch, sorted by length. Every N-th batch is then a sample of the epoch."""
    generator = torch.Generator().manual_seed(1)
    lengths = torch.tensor([len(mel) for mel in corpus.mels])
    order = torch.randperm(len(lengths), generator=generator)
    batches = []
    for chunk in order.split(BATCH_SIZE * BATCHES_PER_CHUNK):
        for rows in chunk[lengths[chunk].argsort()].split(BATCH_SIZE):
            batches.append(batch_of(corpus, rows.tolist(), crop_frames, generator))
    return sorted(batches, key=lambda batch: batch.mel.shape[1])


def batch_of(corpus, rows, crop_frames, generator):
    texts = [corpus.texts[row] for row in rows]
    mels = [corpus.mels[row] for row in rows]
    others = torch.randint(len(corpus.mels), (len(rows),), generator=generator).tolist()
    mel_lengths = torch.tensor([len(mel) for mel in mels])
    latest = (mel_lengths - crop_frames).clamp_min(0)
    return Inputs(
        text=pad_sequence(texts, batch_first=True),
        text_lengths=torch.tensor([len(text) for text in texts]),
        mel=pad_sequence(mels, batch_first=True, padding_value=MEL_PAD),
        mel_lengths=mel_lengths,
        reference=torch.stack([clip_of(corpus.mels[other], generator) for other in others]),
        crop_starts=(torch.rand(len(rows), generator=generator) * (latest + 1)).long(),
        durations=None)


def clip_of(mel, generator):
    """Returns a reference clip from a random position. A shorter mel is repeated."""
    latest = max(len(mel) - REFERENCE_FRAMES, 0)
    start = int(torch.randint(latest + 1, (), generator=generator))
    return mel[(start + torch.arange(REFERENCE_FRAMES)) % len(mel)]


def padding_of(batches):
    """Returns the share of frames that are padding."""
    real = sum(int(batch.mel_lengths.sum()) for batch in batches)
    return 1 - real / sum(batch.mel.shape[0] * batch.mel.shape[1] for batch in batches)
