"""The two sides of acoustic_step.py. Each runs optimiser steps and returns
{batches, frames, wall_s, cpu_s}: frames without padding, CPU seconds of all threads."""

import json
import subprocess
import time

import safetensors
import torch
from torch._dynamo import utils as dynamo

from acoustic_reference import mean_losses, total_loss


class MyxttsRunner:
    """The program build/release/acoustic_step, which reads one command per line."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.plan = self.read_json()  # the program prints it after it has written its files

    def read_json(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} failed")
        return json.loads(line)

    def run(self, command):
        print(command, file=self.process.stdin, flush=True)
        return self.read_json()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class TorchRunner:
    """The PyTorch model with its optimiser."""

    def __init__(self, model, settings):
        self.model = model
        self.clip_norm = settings["gradient_clip_norm"]
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=settings["learning_rate"], eps=settings["eps"],
            betas=(settings["beta1"], settings["beta2"]), weight_decay=settings["weight_decay"],
            fused=True)

    def step(self, inputs):
        self.optimizer.zero_grad()
        total_loss(mean_losses(self.model(inputs), inputs, self.model.config)).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip_norm)
        self.optimizer.step()

    def run(self, batches):
        start, cpu_start = time.perf_counter(), time.process_time()
        for inputs in batches:
            self.step(inputs)
        return {"wall_s": time.perf_counter() - start, "cpu_s": time.process_time() - cpu_start,
                "batches": len(batches),
                "frames": sum(int(inputs.mel_lengths.sum()) for inputs in batches)}


def optimizer_settings(path):
    """Reads the optimiser settings of myxtts from a file that the program wrote."""
    with safetensors.safe_open(path, framework="pt") as file:
        metadata = file.metadata()
    keys = "learning_rate beta1 beta2 eps weight_decay gradient_clip_norm".split()
    return {key: float(metadata[f"training.{key}"]) for key in keys}


def compilations():
    """Returns the number of graphs compiled so far and how many of them were recompilations."""
    metrics = [one for one in dynamo.get_compilation_metrics() if one.is_forward is not False]
    return {"graphs": len(metrics),
            "recompilations": sum(bool(one.recompile_reason) for one in metrics)}
