"""Reads and writes the file that myxtts and the PyTorch model exchange: a model, a batch and its results.

The file is a safetensors file. Tensors: the weights by name, inputs.X for the fields of Inputs,
loss.X for each mean loss, gradient.NAME of the weighted sum of the losses. Metadata: the sizes as
model.KEY, mel_mean and mel_std, and in files of myxtts the optimiser settings as training.KEY.
"""

import dataclasses

import safetensors
import safetensors.torch
import torch

from acoustic_reference import AcousticModel, Config, Inputs, mean_losses, total_loss

MAX_RELATIVE_DIFFERENCE = 1e-4  # relative to the largest value of a tensor


@dataclasses.dataclass
class Results:
    losses: dict[str, torch.Tensor]  # [] each
    gradients: dict[str, torch.Tensor]


def results_of(model, inputs):
    """Runs forward and backward of the PyTorch model on a batch."""
    model.zero_grad()
    losses = mean_losses(model(inputs), inputs, model.config)
    total_loss(losses).backward()
    return Results({name: value.detach() for name, value in losses.items()},
                   {name: value.grad.clone() for name, value in model.named_parameters()})


def write(path, model, inputs, results):
    tensors = {name: value.detach() for name, value in model.named_parameters()}
    for group, values in (("inputs", vars(inputs)), ("loss", results.losses),
                          ("gradient", results.gradients)):
        tensors |= {f"{group}.{name}": value.contiguous() for name, value in values.items()}
    metadata = {f"model.{key}": str(value).lower() for key, value in vars(model.config).items()}
    metadata |= {"mel_mean": str(model.mel_mean), "mel_std": str(model.mel_std)}
    safetensors.torch.save_file(tensors, path, metadata)


def read(path):
    """Returns the PyTorch model with the weights of the file, the batch, and the results in the file."""
    with safetensors.safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
        metadata = file.metadata()

    def group(prefix):
        return {name.removeprefix(prefix): value for name, value in tensors.items()
                if name.startswith(prefix)}

    config = Config(**{field.name: parse(field.type, metadata[f"model.{field.name}"])
                       for field in dataclasses.fields(Config)})
    model = AcousticModel(config, len(tensors["text.embedding"]), float(metadata["mel_mean"]),
                          float(metadata["mel_std"]))
    model.load_state_dict({name: tensors[name] for name in model.state_dict()})
    return model, Inputs(**group("inputs.")), Results(group("loss."), group("gradient."))


def parse(kind, text):
    return text == "true" if kind is bool else kind(text)


def differences(found, expected):
    """Returns {name: largest difference relative to the largest expected value}."""
    if found.keys() != expected.keys():
        raise SystemExit(f"tensors of one side only: {sorted(found.keys() ^ expected.keys())}")
    return {name: relative_difference(found[name], value) for name, value in expected.items()}


def relative_difference(found, expected):
    if torch.equal(found, expected):
        return 0.0
    ratio = (found - expected).abs().max() / expected.abs().max()
    return ratio.item() if ratio.isfinite() else float("inf")  # NaN would pass every comparison
