"""What the tests of a trained voice measure: log-mels of sounds, and where phones really are."""

import subprocess

import numpy
import soundfile
import soxr

RATE = 16000
WINDOW, HOP, BANDS = 512, 200, 40
SILENT = 9.0  # nepers below the loudest frame
TOGETHER = {"aɪ", "eɪ", "ɔɪ", "aʊ", "oʊ", "tʃ", "dʒ"}  # two symbols here, one phone of flite's
STRESS, LENGTH = "ˈˌ", "ː"


def mel_of_hz(hertz):
    return 2595 * numpy.log10(1 + hertz / 700)


def filters():
    place = mel_of_hz(numpy.linspace(0, RATE / 2, WINDOW // 2 + 1))[:, None]
    edges = numpy.linspace(mel_of_hz(60), mel_of_hz(7600), BANDS + 2)
    rise = (place - edges[:-2]) / (edges[1:-1] - edges[:-2])
    fall = (edges[2:] - place) / (edges[2:] - edges[1:-1])
    return numpy.maximum(0, numpy.minimum(rise, fall))


def log_mel(path):
    """[frames, bands] of a recording at any rate, without the silence at both ends."""
    samples, rate = soundfile.read(path, dtype="float64")
    samples = samples if rate == RATE else soxr.resample(samples, rate, RATE)
    frames = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(samples, WINDOW // 2), WINDOW)[::HOP]
    power = numpy.abs(numpy.fft.rfft(frames * numpy.hanning(WINDOW))) ** 2
    mel = numpy.log(numpy.maximum(1e-8, power @ filters()))
    loudness = mel.mean(axis=1)
    loud = numpy.flatnonzero(loudness > loudness.max() - SILENT)
    return mel[loud[0]:loud[-1] + 1]


def distance(one, other):
    """Of two log-mels as what is said: time is warped, and what all frames share does not count."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    apart = numpy.sqrt(((one[:, None] - other[None]) ** 2).mean(axis=2))
    costs = [0.0] + [numpy.inf] * len(other)
    for row in apart:
        last, costs[0] = costs[0], numpy.inf
        for j, here in enumerate(row, 1):
            last, costs[j] = costs[j], here + min(last, costs[j], costs[j - 1])
    return costs[-1] / (len(one) + len(other))


def colour(paths):
    """[bands]: the mean spectrum of a voice, without its loudness."""
    mean = numpy.mean([log_mel(path).mean(axis=0) for path in paths], axis=0)
    return mean - mean.mean()


def true_starts(text, voice):
    """When each phone of flite's begins, in seconds after the first one."""
    said = subprocess.run(["flite", "-voice", voice, "-psdur", "-t", text, "none"], check=True, text=True,
                          capture_output=True).stdout
    ends = [(name, float(end)) for name, end in (word.split(":") for word in said.split())]
    starts = [begin for (name, _), (_, begin) in zip(ends[1:], ends, strict=False) if name != "pau"]
    return numpy.array(starts) - starts[0]


def aligned_starts(alignment):
    """The same as the model in training places its symbols: a samples/..._alignment.json."""
    begins = numpy.concatenate([[0], numpy.cumsum(alignment["frames"])[:-1]])
    starts, before = [], ""
    for symbol, begin in zip(alignment["symbols"], begins, strict=True):
        if symbol in STRESS or symbol == LENGTH:
            continue
        if not symbol.isalpha():
            before = ""
        elif before + symbol in TOGETHER:
            before = ""
        else:
            starts.append(begin)
            before = symbol
    return (numpy.array(starts) - starts[0]) * alignment["frame_s"]
