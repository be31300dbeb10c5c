"""Monotonic alignment search of the PyTorch model, as in Glow-TTS and VITS: scores in PyTorch, dynamic
programming compiled by numba, rows on all cores.

B rows, T symbols, M frames, C mel channels.
"""

import numba
import numpy
import torch

IMPOSSIBLE = numpy.float32(-1e9)


@numba.njit(parallel=True, cache=False)
def search_rows(table, text_lengths, mel_lengths, durations):
    """Fills durations [B, T], which must be zeros. table [B, M, T] has the score of each frame for each
    symbol and is overwritten by the best path sums."""
    for row in numba.prange(len(table)):  # pylint: disable=not-an-iterable
        symbols, frames = text_lengths[row], mel_lengths[row]
        for m in range(1, frames):
            for t in range(max(0, symbols + m - frames), min(symbols, m + 1)):
                stay = IMPOSSIBLE if t == m else table[row, m - 1, t]
                advance = IMPOSSIBLE if t == 0 else table[row, m - 1, t - 1]
                table[row, m, t] += max(stay, advance)
        symbol = symbols - 1
        for m in range(frames - 1, -1, -1):
            durations[row, symbol] += 1
            if symbol > 0 and (symbol == m or
                               table[row, m - 1, symbol] <= table[row, m - 1, symbol - 1]):
                symbol -= 1


@torch.no_grad()
def search_durations(means, mel, text_lengths, mel_lengths):
    """Returns the frames per symbol, [B, T] int64. means [B, T, C] and mel [B, M, C] have the same units."""
    # log N(mel; mean, 1) without the terms that are equal for all symbols.
    scores = torch.baddbmm(-0.5 * means.square().sum(-1)[:, None], mel, means.mT)
    durations = torch.zeros(means.shape[:2], dtype=torch.int64)
    search_rows(scores.numpy(), text_lengths.numpy(), mel_lengths.numpy(), durations.numpy())
    return durations
