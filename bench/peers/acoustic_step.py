#!/usr/bin/env python3
"""Our acoustic model beside its twin in PyTorch: one set of weights, one batch, one alignment.

    acoustic_step.py PROGRAM        build/release/acoustic_step, our side

Compares losses and gradients (exit 1 if they differ by more than 1e-4 of a tensor's largest value),
then times updates (forward, backward, clipping, AdamW). The sides take turns, so that what else the
machine does meets both.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import safetensors
import torch

import acoustic_exchange
from acoustic_twin import mean_losses, total_loss

NUM_THREADS = 2
# As `myxtts train` runs, and both sides here: threads sleep while they wait. Spinning ones would
# take the time of whoever's turn it is.
OPENMP = {"OMP_NUM_THREADS": str(NUM_THREADS), "OMP_WAIT_POLICY": "passive"}
WARM_UP_UPDATES = 2
UPDATES_PER_TURN = 2
FEWEST_ROUNDS = 5
BUDGET_S = 30.0


class Ours:
    """The program, waiting for numbers of updates to make."""

    def __init__(self, program, path):
        self.process = subprocess.Popen([program, path], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise SystemExit(f"{program} failed")

    def updates(self, count):
        """[wall, CPU] milliseconds of each."""
        print(count, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Twin:
    def __init__(self, model, inputs, settings):
        self.model, self.inputs = model, inputs
        self.clip_norm = settings["gradient_clip_norm"]
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=settings["learning_rate"], eps=settings["eps"],
            betas=(settings["beta1"], settings["beta2"]), weight_decay=settings["weight_decay"],
            fused=True)

    def update(self):
        self.optimizer.zero_grad()
        sums = self.model(self.inputs)
        total_loss(mean_losses(sums, self.inputs, self.model.config)).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip_norm)
        self.optimizer.step()

    def updates(self, count):
        times = []
        for _ in range(count):
            start, cpu_start = time.perf_counter(), time.process_time()
            self.update()
            times.append([1e3 * (time.perf_counter() - start),
                          1e3 * (time.process_time() - cpu_start)])
        return times


def optimizer_settings(path):
    with safetensors.safe_open(path, framework="pt") as file:
        metadata = file.metadata()
    keys = "learning_rate beta1 beta2 eps weight_decay gradient_clip_norm".split()
    return {key: float(metadata[f"training.{key}"]) for key in keys}


def compare(model, inputs, ours):
    """Prints the largest differences of each kind; False if one is too large."""
    twins = acoustic_exchange.results_of(model, inputs)
    good = True
    for kind in ("losses", "gradients"):
        shares = acoustic_exchange.differences(getattr(ours, kind), getattr(twins, kind))
        worst = max(shares, key=shares.get)
        print(f"  {len(shares)} {kind} differ by at most {shares[worst]:.1e} of a tensor's largest"
              f" value ({worst})")
        good &= shares[worst] <= acoustic_exchange.LARGEST_SHARE
    return good


def race(ours, twin):
    """[wall, CPU] milliseconds of both sides' updates, round by round."""
    for side in (ours, twin):
        side.updates(WARM_UP_UPDATES)
    rounds = []
    start = time.perf_counter()
    while len(rounds) < FEWEST_ROUNDS or time.perf_counter() - start < BUDGET_S:
        rounds.append((ours.updates(UPDATES_PER_TURN), twin.updates(UPDATES_PER_TURN)))
    return rounds


def print_times(rounds):
    print(f"  {'ms per update':<24} {'myxtts':>10} {'PyTorch':>10}   ratio, {len(rounds)} rounds")
    for column, what in enumerate(("wall", "CPU, of all threads")):
        # Of each round: what else the machine does changes from round to round.
        pairs = [[statistics.median(times[column] for times in side) for side in one]
                 for one in rounds]
        ratios = [twin / ours for ours, twin in pairs]
        ours, twin = (statistics.median(values) for values in zip(*pairs))
        print(f"  {what:<24} {ours:10.1f} {twin:10.1f}   {statistics.median(ratios):.2f}"
              f" ({min(ratios):.2f} to {max(ratios):.2f})")


def main(program):
    if not OPENMP.items() <= os.environ.items():  # libgomp has read them already: start anew
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | OPENMP)
    torch.set_num_threads(NUM_THREADS)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ours.safetensors"
        ours = Ours(program, path)
        model, inputs, results = acoustic_exchange.read(path)
        settings = optimizer_settings(path)
    rows, frames, _ = inputs.mel.shape
    parameters = sum(value.numel() for value in model.parameters())
    print(f"acoustic model of {parameters / 1e6:.1f} million parameters, {rows} rows of {frames} "
          f"frames, {NUM_THREADS} threads, PyTorch {torch.__version__}")
    good = compare(model, inputs, results)
    print_times(race(ours, Twin(model, inputs, settings)))
    ours.end()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
