#!/usr/bin/env python3
"""Compares end-to-end synthesis on one thread: `myxtts bench speak` and a PyTorch model with the same weights.

A round is one run of each side, the fastest of several calls, in wall time. Ratios are computed per round; the
median is printed with the smallest and the largest. Symbols to mel and mel to waveform are the same work on both
sides. End-to-end synthesis, text to the bytes of a WAV file, has two rows. In both, myxtts converts the text to
phonemes with a persistent espeak-ng process and normalises loudness; PyTorch starts from the symbols and does not
normalise loudness. In the first row PyTorch does without espeak-ng, which is less work than that of myxtts; in the
second it starts an espeak-ng process, as simple programs do. Both sides synthesise the text first: the run fails if
the lengths differ or if the waveforms differ in more than level.

speak_peers.py MYXTTS --checkpoint RUN [--vocoder RUN] [--text TEXT] [--rounds N] [--json]

RUN is the run folder of a voice with the regression decoder. The default of --vocoder is RUN/vocoder.
"""

import argparse
import dataclasses
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

for variable in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # read when the libraries load
    os.environ[f"{variable}_NUM_THREADS"] = "1"

import numpy  # noqa: E402
import safetensors.torch  # noqa: E402
import soundfile  # noqa: E402
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import alternate  # noqa: E402
from acoustic_reference import AcousticModel, Config, Convolution3  # noqa: E402
from mel_spec import FLOOR, SAMPLE_RATE  # noqa: E402
from vocoder_reference import vocoder_of  # noqa: E402

TEXT = "The boat sailed away in the morning and came home."
CALLS, WARM_UP = 7, 2
POSTFILTER, RADIUS = 0.3, 3  # strength (`speak --postfilter`), and channels on each side
LEAD_SAMPLES = 1103  # silence before the speech of myxtts, 0.05 s
MIN_SIMILARITY = 0.999
# Name of the row, result of myxtts, result of PyTorch.
PARTS = (("end to end", "speak_vocoder", "symbols_to_wav"),
         ("with an espeak-ng", "speak_vocoder", "text_to_wav"),
         ("symbols to mel", "speak_mel", "mel"),
         ("mel to waveform", "speak_vocoder_only", "waveform"))


@dataclasses.dataclass
class Checkpoint:
    tensors: dict  # EMA weights by name
    model: dict  # the section `model`
    normalisation: tuple  # mean and standard deviation of mels


class Convolution(nn.Module):
    """A Convolution3 with its kernel in the layout of conv1d."""

    def __init__(self, three):
        super().__init__()
        kernel = three.weight.detach().unflatten(1, (3, -1)).transpose(1, 2)
        self.kernel, self.bias = nn.Parameter(kernel.contiguous()), three.bias

    def forward(self, x):
        return functional.conv1d(x.mT, self.kernel, self.bias, padding=1).mT


def convert_kernels(module):
    """Replaces every Convolution3 below a module, so that kernels are converted once and not per call."""
    for name, child in module.named_children():
        if isinstance(child, Convolution3):
            setattr(module, name, Convolution(child))
        else:
            convert_kernels(child)


def newest_checkpoint(run):
    checkpoints = sorted((run / "checkpoints").glob("step_" + "[0-9]" * 8))
    if not checkpoints:
        raise SystemExit(f"speak_peers.py: {run}: no checkpoints; expected a run folder")
    return checkpoints[-1]


def read_checkpoint(program, run):
    folder = newest_checkpoint(run)
    metadata = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    tensors = safetensors.torch.load_file(folder / "model.safetensors")
    config = alternate.run_json([program, "config", "show", "--config", run / "config.yaml", "--json"])["config"]
    ema = {name.removeprefix("ema."): value for name, value in tensors.items() if name.startswith("ema.")}
    ema["speakers.mean"] = tensors.get("speakers.mean")
    return Checkpoint(ema, config["model"], (metadata["mel_mean"], metadata["mel_std"]))


class TorchVoice:
    """The voice and its vocoder in PyTorch."""

    def __init__(self, program, run, vocoder_run, text):
        torch.set_num_threads(1)
        checkpoint = read_checkpoint(program, run)
        if checkpoint.model["decoder"] != "regression":
            raise SystemExit(f"speak_peers.py: {run}: decoder '{checkpoint.model['decoder']}'; expected 'regression', "
                             "the only decoder of the PyTorch model")
        config = Config(**{field.name: checkpoint.model[field.name] for field in dataclasses.fields(Config)})
        self.model = AcousticModel(config, len(checkpoint.tensors["text.embedding"]), *checkpoint.normalisation)
        self.model.load_state_dict({name: checkpoint.tensors[name] for name in self.model.state_dict()})
        convert_kernels(self.model.eval())
        vocoder = read_checkpoint(program, vocoder_run)
        self.vocoder = vocoder_of(vocoder.tensors, vocoder.model, vocoder.normalisation).eval()
        self.speaker_embedding = checkpoint.tensors["speakers.mean"][0]
        stages = alternate.run_json([program, "text", "--config", run / "config.yaml", "--json", text])
        self.text, self.ids = stages["normalised"], torch.tensor(stages["ids"])

    def run_espeak(self):
        subprocess.run(["espeak-ng", "-q", "--ipa", "-v", "en-us", self.text], check=True, capture_output=True)

    @torch.inference_mode()
    def mel(self):
        mel = self.model.synthesise(self.ids, self.speaker_embedding)
        smooth = functional.avg_pool1d(functional.pad(mel[None], (RADIUS, RADIUS), mode="replicate"),
                                       2 * RADIUS + 1, stride=1)[0]
        return (mel + POSTFILTER * (mel - smooth)).clamp_min(float(numpy.log(FLOOR)))

    @torch.inference_mode()
    def waveform(self, mel):
        return self.vocoder(mel[None])[0].numpy()

    def wav(self):
        file = io.BytesIO()
        soundfile.write(file, self.waveform(self.mel()), SAMPLE_RATE, format="WAV", subtype="PCM_16")
        return file.getvalue()


def similarity(samples, other):
    """Returns the cosine of two waveforms: 1 if they differ in level only."""
    return float(numpy.dot(samples, other) / max(1e-12, numpy.linalg.norm(samples) * numpy.linalg.norm(other)))


def check_same_waveform(voice, ours):
    expected = voice.waveform(voice.mel())
    found = ours[LEAD_SAMPLES:][:expected.size]
    if found.size != expected.size or not similarity(expected, found) >= MIN_SIMILARITY:
        raise SystemExit(f"speak_peers.py: the waveforms differ: myxtts has {found.size} samples, PyTorch {expected.size}; "
                         f"similarity {similarity(expected[:found.size], found):.4f}, expected at least {MIN_SIMILARITY}")


def fastest_s(work):
    times = []
    for _ in range(WARM_UP + CALLS):
        before = time.perf_counter()
        work()
        times.append(time.perf_counter() - before)
    return min(times[WARM_UP:])


def peer_speeds(voice):
    """Returns {part: x real time} of PyTorch."""
    mel = voice.mel()
    seconds = voice.waveform(mel).size / SAMPLE_RATE
    return {"symbols_to_wav": seconds / fastest_s(voice.wav),
            "text_to_wav": seconds / fastest_s(lambda: (voice.run_espeak(), voice.wav())),
            "mel": seconds / fastest_s(voice.mel),
            "waveform": seconds / fastest_s(lambda: voice.waveform(mel))}


def compare_parts(rounds):
    """Returns a row per part. rounds: [(myxtts, PyTorch)], each {part: x real time}"""
    rows = []
    for name, our_part, peer_part in PARTS:
        sides = [{"myxtts": ours[our_part], "PyTorch": peer[peer_part]} for ours, peer in rounds]
        ours, other = alternate.compare(sides, "myxtts")
        rows.append({"name": name, "myxtts": ours["x_real_time"], "PyTorch": other["x_real_time"],
                     "ratio": other["myxtts_speedup"], "smallest": other["smallest"], "largest": other["largest"]})
    return rows


def our_samples(program, arguments, vocoder, folder):
    out = folder / "ours.wav"
    alternate.run_json([program, "speak", "--checkpoint", arguments.checkpoint, "--vocoder", vocoder,
                     "--text", arguments.text, "--out", out, "--json"])
    return soundfile.read(out, dtype="float32")[0]


def measure(arguments, folder):
    vocoder = arguments.vocoder or arguments.checkpoint / "vocoder"
    voice = TorchVoice(arguments.program, arguments.checkpoint, vocoder, arguments.text)
    check_same_waveform(voice, our_samples(arguments.program, arguments, vocoder, folder))
    rounds = []
    for _ in range(arguments.rounds):
        machine, ours = alternate.run_myxtts(arguments.program, "speak", "--checkpoint", arguments.checkpoint,
                                             "--vocoder", vocoder, "--text", arguments.text, "--threads", "1")
        rounds.append((ours, peer_speeds(voice)))
    return {"machine": machine, "rounds": arguments.rounds, "results": compare_parts(rounds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--checkpoint", type=pathlib.Path, required=True, help="run folder of a voice")
    parser.add_argument("--vocoder", type=pathlib.Path, help="run folder of a vocoder; default: RUN/vocoder")
    parser.add_argument("--text", default=TEXT)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = measure(arguments, pathlib.Path(folder))
    if arguments.json:
        print(json.dumps(report))
        return
    print(f"one thread, PyTorch {torch.__version__}, {report['rounds']} rounds, on {report['machine']}")
    for row in report["results"]:
        print(f"  {row['name']:<18} {row['myxtts']:6.1f} x real time, PyTorch {row['PyTorch']:6.1f}, "
              f"ratio {row['ratio']:.2f} ({row['smallest']:.2f} to {row['largest']:.2f})")


if __name__ == "__main__":
    sys.exit(main())
