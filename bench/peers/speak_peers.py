#!/usr/bin/env python3
"""A text to a WAV on one thread: ours by `myxtts bench speak --json` beside the same weights in PyTorch, in turns.

A round is one run of each side, the fastest of several calls, all by the clock; ratios are taken round by round
and the median is shown with the smallest and the largest. The mel of the symbols and the sound of the mel are the
same work on both sides. Of all of it, from the text to the bytes of a WAV, there are two: ours pronounces the text by
an espeak-ng that stays and brings the sound to a loudness; PyTorch's has the symbols given and no loudness, once
without any espeak-ng, which is less than ours has to do, and once starting one, as simple programs do. Before that
both speak the text: another length, or a sound that is not the same up to its level, fails the run.

speak_peers.py MYXTTS --checkpoint RUN [--vocoder RUN] [--text TEXT] [--rounds N] [--json]

RUN is the folder of a voice (decoder by regression) and, without --vocoder, RUN/vocoder that of its vocoder.
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

import turns  # noqa: E402
from acoustic_reference import AcousticModel, Config, Convolution3  # noqa: E402
from mel_spec import FLOOR, SAMPLE_RATE  # noqa: E402
from vocoder_reference import vocoder_of  # noqa: E402

TEXT = "The boat sailed away in the morning and came home."
CALLS, WARM_UP = 7, 2
SHARPNESS, REACH = 0.3, 3  # `speak --sharpness`, and channels around one
LEAD_SAMPLES = 1103  # silence that ours begins with, 0.05 s
LEAST_LIKENESS = 0.999
# In words, what of ours, beside which part of PyTorch's.
PARTS = (("text to WAV", "speak_vocoder", "symbols_to_wav"),
         ("and an espeak-ng", "speak_vocoder", "text_to_wav"),
         ("symbols to mel", "speak_mel", "mel"),
         ("mel to sound", "speak_vocoder_only", "sound"))


@dataclasses.dataclass
class Save:
    tensors: dict  # averaged weights by name
    model: dict  # the section `model`
    scale: tuple  # mean and deviation of mels


class Convolution(nn.Module):
    """A Convolution3 whose kernel lies as conv1d wants it."""

    def __init__(self, three):
        super().__init__()
        kernel = three.weight.detach().unflatten(1, (3, -1)).transpose(1, 2)
        self.kernel, self.bias = nn.Parameter(kernel.contiguous()), three.bias

    def forward(self, x):
        return functional.conv1d(x.mT, self.kernel, self.bias, padding=1).mT


def lay_out(module):
    """Every Convolution3 below a module, laid out once instead of at each call."""
    for name, child in module.named_children():
        if isinstance(child, Convolution3):
            setattr(module, name, Convolution(child))
        else:
            lay_out(child)


def newest_save(run):
    saves = sorted((run / "checkpoints").glob("step_" + "[0-9]" * 8))
    if not saves:
        raise SystemExit(f"speak_peers.py: {run}: expected a run folder with saves; there is none")
    return saves[-1]


def read_save(program, run):
    folder = newest_save(run)
    facts = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    tensors = safetensors.torch.load_file(folder / "model.safetensors")
    config = turns.answer_of([program, "config", "show", "--config", run / "config.yaml", "--json"])["config"]
    averaged = {name.removeprefix("ema."): value for name, value in tensors.items() if name.startswith("ema.")}
    averaged["speakers.mean"] = tensors.get("speakers.mean")
    return Save(averaged, config["model"], (facts["mel_mean"], facts["mel_std"]))


class Speaker:
    """PyTorch's side."""

    def __init__(self, program, run, vocoder_run, text):
        torch.set_num_threads(1)
        save = read_save(program, run)
        if save.model["decoder"] != "regression":
            raise SystemExit(f"speak_peers.py: {run}: its decoder is '{save.model['decoder']}', the twin has only "
                             "'regression'")
        config = Config(**{field.name: save.model[field.name] for field in dataclasses.fields(Config)})
        self.model = AcousticModel(config, len(save.tensors["text.embedding"]), *save.scale)
        self.model.load_state_dict({name: save.tensors[name] for name in self.model.state_dict()})
        lay_out(self.model.eval())
        vocoder = read_save(program, vocoder_run)
        self.vocoder = vocoder_of(vocoder.tensors, vocoder.model, vocoder.scale).eval()
        self.voice = save.tensors["speakers.mean"][0]
        stages = turns.answer_of([program, "text", "--config", run / "config.yaml", "--json", text])
        self.text, self.ids = stages["normalised"], torch.tensor(stages["ids"])

    def pronounce(self):
        subprocess.run(["espeak-ng", "-q", "--ipa", "-v", "en-us", self.text], check=True, capture_output=True)

    @torch.inference_mode()
    def mel(self):
        mel = self.model.speak(self.ids, self.voice)
        around = functional.avg_pool1d(functional.pad(mel[None], (REACH, REACH), mode="replicate"),
                                       2 * REACH + 1, stride=1)[0]
        return (mel + SHARPNESS * (mel - around)).clamp_min(float(numpy.log(FLOOR)))

    @torch.inference_mode()
    def sound(self, mel):
        return self.vocoder(mel[None])[0].numpy()

    def wav(self):
        file = io.BytesIO()
        soundfile.write(file, self.sound(self.mel()), SAMPLE_RATE, format="WAV", subtype="PCM_16")
        return file.getvalue()


def likeness(sound, other):
    """1 for sounds that differ in their level only."""
    return float(numpy.dot(sound, other) / max(1e-12, numpy.linalg.norm(sound) * numpy.linalg.norm(other)))


def check_same_sound(speaker, ours):
    mine = speaker.sound(speaker.mel())
    theirs = ours[LEAD_SAMPLES:][:mine.size]
    if theirs.size != mine.size or not likeness(mine, theirs) >= LEAST_LIKENESS:
        raise SystemExit(f"speak_peers.py: the sides do not say the same: {mine.size} samples beside {theirs.size}, "
                         f"likeness {likeness(mine[:theirs.size], theirs):.4f}, expected {LEAST_LIKENESS}")


def fastest_s(work):
    times = []
    for _ in range(WARM_UP + CALLS):
        before = time.perf_counter()
        work()
        times.append(time.perf_counter() - before)
    return min(times[WARM_UP:])


def peer_times(speaker):
    """{part: x real time}"""
    mel = speaker.mel()
    seconds = speaker.sound(mel).size / SAMPLE_RATE
    return {"symbols_to_wav": seconds / fastest_s(speaker.wav),
            "text_to_wav": seconds / fastest_s(lambda: (speaker.pronounce(), speaker.wav())),
            "mel": seconds / fastest_s(speaker.mel),
            "sound": seconds / fastest_s(lambda: speaker.sound(mel))}


def compared(rounds):
    """rounds: [(ours, peer's)], each {part: x real time}. A row per part."""
    rows = []
    for words, our_part, peer_part in PARTS:
        sides = [{"myxtts": ours[our_part], "PyTorch": peer[peer_part]} for ours, peer in rounds]
        mine, other = turns.compare(sides, "myxtts")
        rows.append({"name": words, "myxtts": mine["x_real_time"], "PyTorch": other["x_real_time"],
                     "ratio": other["myxtts_beside_it"], "smallest": other["smallest"], "largest": other["largest"]})
    return rows


def our_sound(program, arguments, vocoder, folder):
    out = folder / "ours.wav"
    turns.answer_of([program, "speak", "--checkpoint", arguments.checkpoint, "--vocoder", vocoder,
                     "--text", arguments.text, "--out", out, "--json"])
    return soundfile.read(out, dtype="float32")[0]


def measure(arguments, folder):
    vocoder = arguments.vocoder or arguments.checkpoint / "vocoder"
    speaker = Speaker(arguments.program, arguments.checkpoint, vocoder, arguments.text)
    check_same_sound(speaker, our_sound(arguments.program, arguments, vocoder, folder))
    rounds = []
    for _ in range(arguments.rounds):
        machine, ours = turns.ours(arguments.program, "speak", "--checkpoint", arguments.checkpoint, "--vocoder",
                                   vocoder, "--text", arguments.text, "--threads", "1")
        rounds.append((ours, peer_times(speaker)))
    return {"machine": machine, "rounds": arguments.rounds, "results": compared(rounds)}


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
        print(f"  {row['name']:<16} {row['myxtts']:6.1f} x real time, PyTorch {row['PyTorch']:6.1f}: "
              f"{row['ratio']:.2f} x ({row['smallest']:.2f} to {row['largest']:.2f})")


if __name__ == "__main__":
    sys.exit(main())
