"""Saves and Python's safetensors: its files are read here, and ours there."""

import importlib.util
import json
import pathlib
import struct

import numpy
import safetensors
import safetensors.numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "checkpoints"
SHORT_NAMES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "float16": "F16",
               "bfloat16": "BF16", "int32": "I32", "float32": "F32", "int64": "I64",
               "float64": "F64"}


def golden_script():
    path = ROOT / "tools" / "golden" / "make_safetensors.py"
    spec = importlib.util.spec_from_file_location("make_safetensors", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


TABLE = crc_table()


def crc32c(data):
    state = 0xFFFFFFFF
    for byte in data:
        state = (state >> 8) ^ TABLE[(state ^ byte) & 0xFF]
    return f"{state ^ 0xFFFFFFFF:08x}"


def test_reads_what_python_writes_to_the_bit(myxtts, tmp_path):
    script = golden_script()
    tensors = script.random_tensors(1000, seed=7)
    file = tmp_path / "random.safetensors"
    file.write_bytes(script.file_bytes(tensors, {"a": "b"}))

    answer = myxtts("inspect", file, "--json")

    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    assert report["metadata"] == {"a": "b"}
    found = {row["name"]: (row["dtype"], row["shape"], row["crc32c"]) for row in report["tensors"]}
    assert found == {name: (SHORT_NAMES[dtype], shape, crc32c(data))
                     for name, (dtype, shape, data) in tensors.items()}


def test_python_reads_what_we_write(myxtts):
    """tests/golden/checkpoints/version_1 is what CheckpointStore writes today: load_save_test.cpp holds that."""
    save = GOLDEN / "version_1" / "step_00000012"
    manifest = json.loads((save / "manifest.json").read_text())
    for name in ("model.safetensors", "trainer.safetensors"):
        read = safetensors.deserialize((save / name).read_bytes())
        wanted = manifest["files"][name]["crc32c"]
        assert {tensor: crc32c(fields["data"]) for tensor, fields in read} == wanted

    model = safetensors.numpy.load_file(save / "model.safetensors")
    assert model["encoder.weight"].shape == (4, 3)
    assert model["encoder.weight"].dtype == numpy.float32
    assert model["count"].shape == (2,)
    assert myxtts("inspect", save).returncode == 0


def test_python_would_write_the_same_bytes():
    """The header too: its order, its padding, its metadata."""
    file = GOLDEN / "version_1" / "step_00000012" / "model.safetensors"
    model = safetensors.numpy.load_file(file)

    assert safetensors.numpy.save(model, {"format": "pt"}) == file.read_bytes()


def test_hostile_files_are_refused_in_a_line(myxtts, tmp_path):
    """The two faults published for another C++ reader, and a header that claims 226 GB."""
    def file_with(header, payload=b""):
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + payload

    hostile = {
        "overflow": file_with({"a": {"dtype": "F32", "shape": [2**32, 2**30],
                                     "data_offsets": [0, 0]}}),
        "beyond": file_with({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}}),
        "claim": file_with({"a": {"dtype": "F32", "shape": [60_000_000_000],
                                  "data_offsets": [0, 240_000_000_000]}}, b"1234"),
        "length": struct.pack("<Q", 2**63) + b"{}",
        "deep": file_with(b'{"a":' + b"[" * 1_000_000),
        "reuse": file_with({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
                            "b": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}}, b"12"),
    }
    for name, content in hostile.items():
        file = tmp_path / f"{name}.safetensors"
        file.write_bytes(content)
        answer = myxtts("inspect", file)
        assert answer.returncode == 1, (name, answer)
        assert answer.stderr.startswith("myxtts: ") and answer.stderr.count("\n") == 1, answer.stderr
