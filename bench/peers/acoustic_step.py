#!/usr/bin/env python3
"""Our training step beside its twin in PyTorch.

    acoustic_step.py PROGRAM [--rounds N] [--compile automatic|static|none] [--json]

PROGRAM is build/release/acoustic_step, our side: prepared steps, as `myxtts train` makes them.

Same work: updates of several signatures of the plan, the same weights, batches and alignments for
all; the twin runs eagerly and through torch.compile. First losses and gradients are compared: exit
1 if they differ by more than 1e-4 of a tensor's largest value.

As people write it: both train the same corpus and search alignments themselves. Ours has the shapes
of its plan; the twin has batches that are sorted in chunks and padded to their own longest, runs
eagerly and searches by numba on all cores.

Batches are ready in memory. The sides take turns, round by round, so that what else the machine
does meets all; ratios are those of each round. Three rounds took nine minutes on two cores, seven of
them torch.compile's compiling; --compile none leaves it out.
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
from acoustic_search import search_durations
from acoustic_sides import Ours, Twin, compilations, optimizer_settings

NUM_THREADS = 2
# As `myxtts train` runs, and both sides here: threads sleep while they wait. Spinning ones would
# take the time of whoever's turn it is.
SURROUNDINGS = {"OMP_NUM_THREADS": str(NUM_THREADS), "OMP_WAIT_POLICY": "passive",
                "NUMBA_NUM_THREADS": str(NUM_THREADS)}
SLICES = 6  # of an epoch; a round makes one of them
COMPILE_DYNAMIC = {"automatic": None, "static": False}
MOST_OTHER_DURATIONS = 0.01  # ways of equal length are decided by rounding


class Comparison:
    """Prints as it goes, unless JSON is wanted, and remembers."""

    def __init__(self, is_json):
        self.is_json = is_json
        self.results = []
        self.good = True

    def say(self, line):
        if not self.is_json:
            print(line, flush=True)

    def add(self, name, value, unit, **more):
        self.results.append({"name": name, "value": value, "unit": unit, **more})

    def check(self, who, model, batches, results, decides=True):
        """Losses and gradients of the twin against ours, batch by batch; `decides`: a difference is
        a fault of ours."""
        worst = {"losses": (0.0, ""), "gradients": (0.0, "")}
        for inputs, ours in zip(batches, results):
            twins = acoustic_exchange.results_of(model, inputs)
            for kind in worst:
                shares = acoustic_exchange.differences(getattr(ours, kind), getattr(twins, kind))
                worst[kind] = max(worst[kind], *((share, name) for name, share in shares.items()))
        for kind, (share, name) in worst.items():
            self.say(f"  {who}: {kind} differ by at most {share:.1e} of a tensor's largest value"
                     f" ({name})")
            self.add(f"{who}_{kind}_difference", share, "share")
            self.good &= not decides or share <= acoustic_exchange.LARGEST_SHARE

    def check_search(self, model, batches):
        """Durations that the twin finds against those that our side gave."""
        others = symbols = 0
        for inputs in batches:
            _, _, means = model.encode(inputs)
            found = search_durations(means, model.normalised(inputs.mel), inputs.text_lengths,
                                     inputs.mel_lengths)
            others += int((found != inputs.durations).sum())
            symbols += int(inputs.text_lengths.sum())
        self.say(f"  search: {others} of {symbols} durations differ")
        self.add("search_durations_difference", others / symbols, "share")
        self.good &= others <= MOST_OTHER_DURATIONS * symbols

    def race(self, name, sides, rounds):
        """sides: {who: function of the round}, ours first."""
        rounds = [{who: make(number) for who, make in sides.items()} for number in range(rounds)]
        ours = next(iter(sides))
        self.say(f"  {'':<24} {'frames/s':>9} {'ms/update':>10} {'CPU ms':>8}   {ours} to it, "
                 f"{len(rounds)} rounds")
        for who in sides:
            middle = {key: statistics.median(one[who][key] / one[who]["updates"] for one in rounds)
                      for key in ("wall_s", "cpu_s")}
            speed = statistics.median(one[who]["frames"] / one[who]["wall_s"] for one in rounds)
            self.add(f"{name}_{who}", speed, "frames/s")
            words = ""
            if who != ours:
                words = self.ratios(f"{name}_to_{who}", rounds, ours, who)
            self.say(f"  {who:<24} {speed:9.0f} {1e3 * middle['wall_s']:10.0f}"
                     f" {1e3 * middle['cpu_s']:8.0f}   {words}")

    def ratios(self, name, rounds, ours, who):
        """Of each round: what else the machine does changes from round to round."""
        words = []
        for key, suffix, what in (("wall_s", "", ""), ("cpu_s", "_cpu", "by CPU time ")):
            values = [one[ours]["frames"] / one[ours][key] * one[who][key] / one[who]["frames"]
                      for one in rounds]
            middle = statistics.median(values)
            self.add(name + suffix, middle, "ratio", low=min(values), high=max(values))
            words.append(f"{what}{middle:.2f} ({min(values):.2f} to {max(values):.2f})")
        return ", ".join(words)


def compiled_twin(comparison, model, settings, batches, results, dynamic):
    """A twin through torch.compile that has met all batches."""
    twin = Twin(copy.deepcopy(model), settings)
    twin.model.compile(dynamic=dynamic)
    start = time.perf_counter()
    comparison.check("compile", twin.model, batches, results, decides=False)  # eager has agreed
    first_s = time.perf_counter() - start
    twin.make(batches)
    compile_s = first_s - twin.make(batches)["wall_s"]
    counts = compilations()
    comparison.say(f"  compile: {compile_s:.0f} s beyond a pass over the batches, "
                   f"{counts['graphs']} graphs, {counts['recompilations']} of them recompilations")
    comparison.add("compile_time", compile_s, "s")
    for name, count in counts.items():
        comparison.add(f"compile_{name}", count, "count")
    return twin


def same_work(comparison, ours, folder, args):
    read = [acoustic_exchange.read(folder / f"{i}.safetensors")
            for i in range(len(ours.about["given"]))]
    model = read[0][0]
    batches, results = [one[1] for one in read], [one[2] for one in read]
    settings = optimizer_settings(folder / "0.safetensors")
    parameters = sum(value.numel() for value in model.parameters())
    comparison.say(f"acoustic model of {parameters / 1e6:.1f} million parameters, fp32, "
                   f"{NUM_THREADS} threads, PyTorch {torch.__version__}\n"
                   f"same work: updates of {', '.join(ours.about['given'])}, alignment given")
    comparison.check("eager", model, batches, results)
    comparison.check_search(model, batches)
    eager = Twin(copy.deepcopy(model), settings)
    twins = {"PyTorch eager": eager}
    if args.compile != "none":
        twins["torch.compile"] = compiled_twin(comparison, model, settings, batches, results,
                                               COMPILE_DYNAMIC[args.compile])
    ours.make("given")
    eager.make(batches)
    before = compilations()
    comparison.race("same_work",
                    {"myxtts": lambda _: ours.make("given")} |
                    {who: lambda _, twin=twin: twin.make(batches) for who, twin in twins.items()},
                    args.rounds)
    late = compilations()["graphs"] - before["graphs"]
    if late:
        comparison.say(f"  {late} graphs were compiled while the rounds ran")
    return model, settings


def as_people_write_it(comparison, ours, folder, model, settings, rounds):
    corpus = acoustic_batches.read_corpus(folder / "corpus.safetensors")
    epoch = acoustic_batches.epoch_of(corpus, model.config.decoder_crop_frames)
    padding = acoustic_batches.padding_of(epoch)
    about = ours.about
    comparison.say(f"as people write it: an epoch of {len(corpus.mels)} utterances, ours in "
                   f"{about['updates']} updates of {about['signatures']} signatures,\n"
                   f"  the twin's in {len(epoch)} batches of "
                   f"{len({(batch.text.shape, batch.mel.shape) for batch in epoch})} shapes with "
                   f"{100 * padding:.1f} % padding; each searches its alignments")
    comparison.add("as_written_padding", padding, "share")
    twin = Twin(copy.deepcopy(model), settings)
    twin.make(epoch[::len(epoch) // 2])  # numba compiles
    ours.make(f"search 0 {about['updates'] // 2}")
    comparison.race("as_written",
                    {"myxtts": lambda number: ours.make(f"search {number % SLICES} {SLICES}"),
                     "PyTorch eager": lambda number: twin.make(epoch[number % SLICES::SLICES])},
                    rounds)


def main():
    parser = argparse.ArgumentParser(description="Our training step beside its twin in PyTorch.")
    parser.add_argument("program", help="build/release/acoustic_step")
    parser.add_argument("--rounds", type=int, default=4, help="of each comparison (default 4)")
    parser.add_argument("--compile", choices=[*COMPILE_DYNAMIC, "none"], default="automatic",
                        help="what torch.compile does about shapes; none: leave it out")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    args = parser.parse_args()
    if not SURROUNDINGS.items() <= os.environ.items():  # libgomp has read them already: start anew
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | SURROUNDINGS)
    torch.set_num_threads(NUM_THREADS)
    comparison = Comparison(args.json)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = name  # what an earlier run compiled saves no time
        ours = Ours(args.program, name)
        model, settings = same_work(comparison, ours, folder, args)
        as_people_write_it(comparison, ours, folder, model, settings, args.rounds)
        ours.end()
    if args.json:
        print(json.dumps({"torch": torch.__version__, "threads": NUM_THREADS,
                          "rounds": args.rounds, "results": comparison.results}))
    return 0 if comparison.good else 1


if __name__ == "__main__":
    sys.exit(main())
