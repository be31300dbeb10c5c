#!/usr/bin/env python3
"""Compares the training step of myxtts with a PyTorch model of the same weights.

    acoustic_step.py PROGRAM [--rounds N] [--compile automatic|static|none] [--json]

PROGRAM is build/release/acoustic_step. It runs prepared steps, as `myxtts train` does.

Same work: both sides train on the same batches of several signatures of the shape plan, with the same
weights and alignments. The PyTorch model runs eagerly and through torch.compile. Losses and gradients are
compared first: exit 1 if they differ by more than 1e-4 of the largest value of a tensor.

Own batches: both sides train on the same corpus and search alignments themselves. myxtts uses the shapes
of its plan. The PyTorch model uses batches that are sorted in chunks and padded to their longest row, runs
eagerly and searches with numba on all cores.

Batches are in memory before the clock starts. The sides run in alternation, so that other load on the
machine affects both; ratios are computed per round. Three rounds took nine minutes on two cores, seven of
them compilation by torch.compile; --compile none omits it.
"""

import argparse
import copy
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

import torch

import acoustic_batches
import acoustic_exchange
from acoustic_runners import MyxttsRunner, TorchRunner, compilations, optimizer_settings
from alignment_search import search_durations

NUM_THREADS = 2
# Both sides run like `myxtts train`: waiting threads sleep. Spinning threads would take CPU time from the
# side that is measured.
ENVIRONMENT = {"OMP_NUM_THREADS": str(NUM_THREADS), "OMP_WAIT_POLICY": "passive",
               "NUMBA_NUM_THREADS": str(NUM_THREADS)}
SLICES = 6  # parts of an epoch; a round runs one of them
COMPILE_DYNAMIC = {"automatic": None, "static": False}
MAX_DIFFERENT_DURATIONS = 0.01  # share; rounding decides between paths of equal score


class Comparison:
    """Collects the results. Prints them while it runs, unless JSON was requested."""

    def __init__(self, is_json):
        self.is_json = is_json
        self.results = []
        self.good = True

    def log(self, line):
        if not self.is_json:
            print(line, flush=True)

    def add(self, name, value, unit, **more):
        self.results.append({"name": name, "value": value, "unit": unit, **more})

    def check(self, side, model, batches, results, is_required=True):
        """Compares losses and gradients of myxtts with those of the PyTorch model, batch by batch. With
        `is_required` a difference fails the comparison."""
        worst = {"losses": (0.0, ""), "gradients": (0.0, "")}
        for inputs, ours in zip(batches, results):
            expected = acoustic_exchange.results_of(model, inputs)
            for kind in worst:
                differences = acoustic_exchange.differences(getattr(ours, kind), getattr(expected, kind))
                worst[kind] = max(worst[kind], *((value, name) for name, value in differences.items()))
        for kind, (value, name) in worst.items():
            self.log(f"  {side}: {kind} differ by at most {value:.1e} of a tensor's largest value"
                     f" ({name})")
            self.add(f"{side}_{kind}_difference", value, "share")
            self.good &= not is_required or value <= acoustic_exchange.MAX_RELATIVE_DIFFERENCE

    def check_search(self, model, batches):
        """Compares the durations found by the PyTorch model with those of myxtts."""
        different = symbols = 0
        for inputs in batches:
            _, _, means = model.encode(inputs)
            found = search_durations(means, model.normalised(inputs.mel), inputs.text_lengths,
                                     inputs.mel_lengths)
            different += int((found != inputs.durations).sum())
            symbols += int(inputs.text_lengths.sum())
        self.log(f"  search: {different} of {symbols} durations differ")
        self.add("search_durations_difference", different / symbols, "share")
        self.good &= different <= MAX_DIFFERENT_DURATIONS * symbols

    def race(self, name, sides, rounds):
        """Runs the sides in alternation. sides: {name: function of the round number}, myxtts first."""
        rounds = [{side: run(number) for side, run in sides.items()} for number in range(rounds)]
        ours = next(iter(sides))
        self.log(f"  {'':<24} {'frames/s':>9} {'ms/step':>10} {'CPU ms':>8}   ratio of {ours}, "
                 f"{len(rounds)} rounds")
        for side in sides:
            per_step = {key: statistics.median(one[side][key] / one[side]["batches"] for one in rounds)
                        for key in ("wall_s", "cpu_s")}
            speed = statistics.median(one[side]["frames"] / one[side]["wall_s"] for one in rounds)
            self.add(f"{name}_{side}", speed, "frames/s")
            ratios = self.ratios(f"{name}_to_{side}", rounds, ours, side) if side != ours else ""
            self.log(f"  {side:<24} {speed:9.0f} {1e3 * per_step['wall_s']:10.0f}"
                     f" {1e3 * per_step['cpu_s']:8.0f}   {ratios}")

    def ratios(self, name, rounds, ours, side):
        """Adds the ratios of the speeds, computed per round, and returns them as text."""
        texts = []
        for key, suffix, prefix in (("wall_s", "", ""), ("cpu_s", "_cpu", "by CPU time ")):
            values = [one[ours]["frames"] / one[ours][key] * one[side][key] / one[side]["frames"]
                      for one in rounds]
            median = statistics.median(values)
            self.add(name + suffix, median, "ratio", low=min(values), high=max(values))
            texts.append(f"{prefix}{median:.2f} ({min(values):.2f} to {max(values):.2f})")
        return ", ".join(texts)


def compiled_runner(comparison, model, settings, batches, results, dynamic):
    """Returns a runner with torch.compile that has run on all batches."""
    runner = TorchRunner(copy.deepcopy(model), settings)
    runner.model.compile(dynamic=dynamic)
    start = time.perf_counter()
    comparison.check("compile", runner.model, batches, results, is_required=False)  # the eager model agreed
    first_s = time.perf_counter() - start
    runner.run(batches)
    compile_s = first_s - runner.run(batches)["wall_s"]
    counts = compilations()
    comparison.log(f"  compile: {compile_s:.0f} s more than a warm pass over the batches, "
                   f"{counts['graphs']} graphs, {counts['recompilations']} of them recompilations")
    comparison.add("compile_time", compile_s, "s")
    for name, count in counts.items():
        comparison.add(f"compile_{name}", count, "count")
    return runner


def same_work(comparison, ours, folder, args):
    read = [acoustic_exchange.read(folder / f"{i}.safetensors")
            for i in range(len(ours.plan["fixed"]))]
    model = read[0][0]
    batches, results = [one[1] for one in read], [one[2] for one in read]
    settings = optimizer_settings(folder / "0.safetensors")
    parameters = sum(value.numel() for value in model.parameters())
    comparison.log(f"acoustic model of {parameters / 1e6:.1f} million parameters, fp32, "
                   f"{NUM_THREADS} threads, PyTorch {torch.__version__}\n"
                   f"same work: batches {', '.join(ours.plan['fixed'])} with fixed alignments")
    comparison.check("eager", model, batches, results)
    comparison.check_search(model, batches)
    eager = TorchRunner(copy.deepcopy(model), settings)
    peers = {"PyTorch eager": eager}
    if args.compile != "none":
        peers["torch.compile"] = compiled_runner(comparison, model, settings, batches, results,
                                                 COMPILE_DYNAMIC[args.compile])
    ours.run("fixed")
    eager.run(batches)
    before = compilations()
    comparison.race("same_work",
                    {"myxtts": lambda _: ours.run("fixed")} |
                    {name: lambda _, peer=peer: peer.run(batches) for name, peer in peers.items()},
                    args.rounds)
    late = compilations()["graphs"] - before["graphs"]
    if late:
        comparison.log(f"  {late} graphs were compiled during the rounds")
    return model, settings


def own_batches(comparison, ours, folder, model, settings, rounds):
    corpus = acoustic_batches.read_corpus(folder / "corpus.safetensors")
    epoch = acoustic_batches.epoch_of(corpus, model.config.decoder_crop_frames)
    padding = acoustic_batches.padding_of(epoch)
    plan = ours.plan
    comparison.log(f"own batches: an epoch of {len(corpus.mels)} utterances, myxtts: "
                   f"{plan['batches']} batches of {plan['signatures']} signatures,\n"
                   f"  PyTorch: {len(epoch)} batches of "
                   f"{len({(batch.text.shape, batch.mel.shape) for batch in epoch})} shapes with "
                   f"{100 * padding:.1f} % padding; both with alignment search")
    comparison.add("own_batches_padding", padding, "share")
    peer = TorchRunner(copy.deepcopy(model), settings)
    peer.run(epoch[::len(epoch) // 2])  # numba compiles
    ours.run(f"search 0 {plan['batches'] // 2}")
    comparison.race("own_batches",
                    {"myxtts": lambda number: ours.run(f"search {number % SLICES} {SLICES}"),
                     "PyTorch eager": lambda number: peer.run(epoch[number % SLICES::SLICES])},
                    rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", help="build/release/acoustic_step")
    parser.add_argument("--rounds", type=int, default=4, help="rounds of each comparison (default 4)")
    parser.add_argument("--compile", choices=[*COMPILE_DYNAMIC, "none"], default="automatic",
                        help="handling of shapes by torch.compile; none: omit torch.compile")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    args = parser.parse_args()
    if not ENVIRONMENT.items() <= os.environ.items():  # libgomp reads its settings when it is loaded: restart
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | ENVIRONMENT)
    torch.set_num_threads(NUM_THREADS)
    comparison = Comparison(args.json)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = name  # no reuse of graphs of an earlier run
        ours = MyxttsRunner(args.program, name)
        model, settings = same_work(comparison, ours, folder, args)
        own_batches(comparison, ours, folder, model, settings, args.rounds)
        ours.close()
    if args.json:
        print(json.dumps({"torch": torch.__version__, "threads": NUM_THREADS,
                          "rounds": args.rounds, "results": comparison.results}))
    return 0 if comparison.good else 1


if __name__ == "__main__":
    sys.exit(main())
