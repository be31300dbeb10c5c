#!/usr/bin/env python3
"""Writes tests/golden/checkpoints/python.safetensors, as Python's safetensors 0.8 writes it.

    .venv/bin/python tools/golden/make_safetensors.py

200 tensors of every supported dtype and many shapes, with names that need escaping.
"""

import pathlib
import random

import numpy
import safetensors

TARGET = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "checkpoints"
# dtype name of the library: bytes per element
DTYPES = {"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "float16": 2, "bfloat16": 2, "int32": 4,
          "float32": 4, "int64": 8, "float64": 8}
NAMES = ["quote\"d", "back\\slash", "tab\there", "\u00e9t\u00e9", "\u0633\u0644\u0627\u0645", "",
         "nul\u0000", "del\u007f", "\U0001f600"]


def random_tensors(count, seed):
    """Returns {name: (dtype, shape, bytes)}."""
    rng = random.Random(seed)
    tensors = {}
    for i in range(count):
        dtype = rng.choice(list(DTYPES))
        shape = [rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(rng.randrange(4))]
        size = DTYPES[dtype]
        for length in shape:
            size *= length
        data = rng.randbytes(size)
        if dtype == "bool":
            data = bytes(byte & 1 for byte in data)
        name = NAMES[i] if i < len(NAMES) else f"layer.{i}.weight"
        tensors[name] = (dtype, shape, data)
    return tensors


def file_bytes(tensors, metadata):
    """Returns the file as the library writes it. The library takes the bytes as pointers."""
    arrays = {name: numpy.frombuffer(data, numpy.uint8) for name, (_, _, data) in tensors.items()}
    specs = {name: safetensors.TensorSpec(dtype=dtype, shape=shape, data_len=len(data),
                                          data_ptr=arrays[name].ctypes.data)
             for name, (dtype, shape, data) in tensors.items()}
    return safetensors.serialize(specs, metadata)


def main():
    TARGET.mkdir(parents=True, exist_ok=True)
    tensors = random_tensors(200, seed=1)
    (TARGET / "python.safetensors").write_bytes(file_bytes(tensors, {"format": "pt \"\u00e9\""}))


if __name__ == "__main__":
    main()
