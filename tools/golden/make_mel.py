#!/usr/bin/env python3
"""Writes the log-mels in tests/golden/mel, as librosa 0.11 computes them.

    python3 -m venv venv && venv/bin/pip install librosa==0.11.0
    venv/bin/python tools/golden/make_mel.py clips DIR     cuts the clips out of the WAV files of LJ Speech
    venv/bin/python tools/golden/make_mel.py all           computes every golden file from the clips
    venv/bin/python tools/golden/make_mel.py one IN.wav OUT.npy [--n-fft 1024 --n-mels 80 ...]

librosa gets float64 samples and computes in double precision; its float32 path has errors of up to
1e-3 in the logarithm of nearly silent frames. The .npy files hold the natural logarithm of
max(floor, mel), [frames, channels] float32. Half a unit in the last place of float32 is 5e-7 here,
far below the tolerance of the tests (1e-5).
"""

import argparse
import pathlib

import librosa
import numpy as np
import soundfile

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "mel"

# name of the clip: (file of LJ Speech, first sample, number of samples)
CLIPS = {
    "phrase": ("LJ001-0002.wav", 0, None),
    "word": ("LJ001-0004.wav", 11025, 15000),
    "blink": ("LJ001-0004.wav", 30000, 301),  # shorter than half a frame
}

DEFAULT = dict(n_fft=1024, win_length=1024, hop_length=256, n_mels=80, fmin=0.0, fmax=8000.0, floor=1e-5)
NARROW = dict(n_fft=2048, win_length=1200, hop_length=300, n_mels=40, fmin=55.0, fmax=7600.0, floor=1e-3)

# name of the golden file: (clip, settings)
MELS = {
    "phrase.default": ("phrase", DEFAULT),
    "word.default": ("word", DEFAULT),
    "word.narrow": ("word", NARROW),
    "blink.default": ("blink", DEFAULT),
}


def log_mel(samples, rate, n_fft, win_length, hop_length, n_mels, fmin, fmax, floor):
    mel = librosa.feature.melspectrogram(
        y=samples, sr=rate, n_fft=n_fft, win_length=win_length, hop_length=hop_length,
        window="hann", center=True, pad_mode="reflect", power=1.0,
        n_mels=n_mels, fmin=fmin, fmax=fmax, htk=False, norm="slaney", dtype=np.float64)
    return np.log(np.maximum(floor, mel)).T.astype(np.float32)


def write(wav, out, settings):
    samples, rate = soundfile.read(wav, dtype="float64")
    if samples.ndim > 1:
        samples = samples.mean(axis=1)
    mel = log_mel(samples, rate, **settings)
    np.save(out, np.ascontiguousarray(mel))
    print(f"{out}: {mel.shape[0]} frames, {mel.shape[1]} channels, {mel.min():.4f} to {mel.max():.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    clips = commands.add_parser("clips")
    clips.add_argument("wavs", type=pathlib.Path)
    commands.add_parser("all")
    one = commands.add_parser("one")
    one.add_argument("wav", type=pathlib.Path)
    one.add_argument("out", type=pathlib.Path)
    for name, value in DEFAULT.items():
        one.add_argument("--" + name.replace("_", "-"), type=type(value), default=value)
    args = parser.parse_args()

    if args.command == "clips":
        for name, (file, start, count) in CLIPS.items():
            samples, rate = soundfile.read(args.wavs / file, dtype="int16")
            end = None if count is None else start + count
            soundfile.write(GOLDEN / f"{name}.wav", samples[start:end], rate, subtype="PCM_16")
    elif args.command == "all":
        for name, (clip, settings) in MELS.items():
            write(GOLDEN / f"{clip}.wav", GOLDEN / f"{name}.npy", settings)
        for clip in ("phrase", "word"):
            samples, _ = soundfile.read(GOLDEN / f"{clip}.wav", dtype="float64")
            for top_db in (20, 40):
                _, (start, end) = librosa.effects.trim(samples, top_db=top_db)
                print(f"librosa.effects.trim of {clip} at {top_db} dB keeps {start} to {end}")
    else:
        write(args.wav, args.out, {name: getattr(args, name) for name in DEFAULT})


if __name__ == "__main__":
    main()
