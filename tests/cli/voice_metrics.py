"""Measurements of a trained voice: log-mels of recordings, and start times of phones."""

import subprocess

import numpy
import soundfile
import soxr

RATE = 16000
WINDOW, HOP, BANDS = 512, 200, 40
SILENCE_NEPERS = 9.0  # below the loudest frame
DOUBLE_SYMBOLS = {"aɪ", "eɪ", "ɔɪ", "aʊ", "oʊ", "tʃ", "dʒ"}  # two symbols of espeak-ng, one phone of flite
STRESS, LENGTH = "ˈˌ", "ː"


def mel_of_hz(hertz):
    return 2595 * numpy.log10(1 + hertz / 700)


def mel_filters():
    bin_mels = mel_of_hz(numpy.linspace(0, RATE / 2, WINDOW // 2 + 1))[:, None]
    edges = numpy.linspace(mel_of_hz(60), mel_of_hz(7600), BANDS + 2)
    rise = (bin_mels - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - bin_mels) / (edges[2:] - edges[1:-1])
    return numpy.maximum(0, numpy.minimum(rise, fall))


def log_mel(path):
    """Returns the log-mel [frames, bands] of a recording of any sample rate, with silence trimmed at both ends."""
    samples, rate = soundfile.read(path, dtype="float64")
    samples = samples if rate == RATE else soxr.resample(samples, rate, RATE)
    frames = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(samples, WINDOW // 2), WINDOW)[::HOP]
    power = numpy.abs(numpy.fft.rfft(frames * numpy.hanning(WINDOW))) ** 2
    mel = numpy.log(numpy.maximum(1e-8, power @ mel_filters()))
    loudness = mel.mean(axis=1)
    loud = numpy.flatnonzero(loudness > loudness.max() - SILENCE_NEPERS)
    return mel[loud[0]:loud[-1] + 1]


def distance(one, other):
    """Returns the distance of two log-mels by dynamic time warping, after subtracting the mean of each."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    frame_distances = numpy.sqrt(((one[:, None] - other[None]) ** 2).mean(axis=2))
    costs = [0.0] + [numpy.inf] * len(other)
    for row in frame_distances:
        previous, costs[0] = costs[0], numpy.inf
        for j, frame_distance in enumerate(row, 1):
            previous, costs[j] = costs[j], frame_distance + min(previous, costs[j], costs[j - 1])
    return costs[-1] / (len(one) + len(other))


def mean_spectrum(paths):
    """Returns the mean log-mel spectrum [bands] of recordings, with its mean over the bands subtracted."""
    mean = numpy.mean([log_mel(path).mean(axis=0) for path in paths], axis=0)
    return mean - mean.mean()


def flite_starts(text, voice):
    """Returns the start times of the phones of flite, in seconds from the first phone."""
    output = subprocess.run(["flite", "-voice", voice, "-psdur", "-t", text, "none"], check=True, text=True,
                            capture_output=True).stdout
    ends = [(name, float(end)) for name, end in (phone.split(":") for phone in output.split())]
    starts = [start for (name, _), (_, start) in zip(ends[1:], ends, strict=False) if name != "pau"]
    return numpy.array(starts) - starts[0]


def aligned_starts(alignment):
    """Returns the start times of the phones in an alignment (samples/*_alignment.json), in seconds from the first."""
    frame_starts = numpy.concatenate([[0], numpy.cumsum(alignment["frames"])[:-1]])
    starts, previous = [], ""
    for symbol, start in zip(alignment["symbols"], frame_starts, strict=True):
        if symbol in STRESS or symbol == LENGTH:
            continue
        if not symbol.isalpha():
            previous = ""
        elif previous + symbol in DOUBLE_SYMBOLS:
            previous = ""
        else:
            starts.append(start)
            previous = symbol
    return (numpy.array(starts) - starts[0]) * alignment["frame_s"]
