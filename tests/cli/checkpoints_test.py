"""Compatibility of checkpoints with the safetensors library of Python, in both directions."""

import importlib.util
import json
import pathlib
import struct

import numpy
import safetensors
import safetensors.numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "checkpoints"
SAFETENSORS_DTYPES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "float16": "F16",
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


CRC_TABLE = crc_table()


def crc32c(data):
    state = 0xFFFFFFFF
    for byte in data:
        state = (state >> 8) ^ CRC_TABLE[(state ^ byte) & 0xFF]
    return f"{state ^ 0xFFFFFFFF:08x}"


def test_inspect_reads_files_written_by_python_exactly(myxtts, tmp_path):
    script = golden_script()
    tensors = script.random_tensors(1000, seed=7)
    file = tmp_path / "random.safetensors"
    file.write_bytes(script.file_bytes(tensors, {"a": "b"}))

    result = myxtts("inspect", file, "--json")

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["metadata"] == {"a": "b"}
    listed = {row["name"]: (row["dtype"], row["shape"], row["crc32c"]) for row in report["tensors"]}
    assert listed == {name: (SAFETENSORS_DTYPES[dtype], shape, crc32c(data))
                      for name, (dtype, shape, data) in tensors.items()}


def test_python_reads_checkpoints_of_the_program(myxtts):
    """load_checkpoint_test.cpp asserts that CheckpointStore still writes the bytes of version_1."""
    checkpoint = GOLDEN / "version_1" / "step_00000012"
    manifest = json.loads((checkpoint / "manifest.json").read_text())
    for name in ("model.safetensors", "trainer.safetensors"):
        tensors = safetensors.deserialize((checkpoint / name).read_bytes())
        expected = manifest["files"][name]["crc32c"]
        assert {tensor: crc32c(fields["data"]) for tensor, fields in tensors} == expected

    model = safetensors.numpy.load_file(checkpoint / "model.safetensors")
    assert model["encoder.weight"].shape == (4, 3)
    assert model["encoder.weight"].dtype == numpy.float32
    assert model["count"].shape == (2,)
    assert myxtts("inspect", checkpoint).returncode == 0


def test_python_writes_the_same_bytes():
    """The headers are equal in order, padding and metadata, too."""
    file = GOLDEN / "version_1" / "step_00000012" / "model.safetensors"
    model = safetensors.numpy.load_file(file)

    assert safetensors.numpy.save(model, {"format": "pt"}) == file.read_bytes()


def test_malicious_files_are_refused_with_a_one_line_message(myxtts, tmp_path):
    """Integer overflow, overlapping tensors, deep nesting, and sizes beyond the end of the file."""
    def file_with(header, payload=b""):
        text = header if isinstance(header, bytes) else json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + payload

    malicious = {
        "overflow": file_with({"a": {"dtype": "F32", "shape": [2**32, 2**30],
                                     "data_offsets": [0, 0]}}),
        "beyond": file_with({"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}}),
        "huge": file_with({"a": {"dtype": "F32", "shape": [60_000_000_000],
                                 "data_offsets": [0, 240_000_000_000]}}, b"1234"),
        "length": struct.pack("<Q", 2**63) + b"{}",
        "deep": file_with(b'{"a":' + b"[" * 1_000_000),
        "overlap": file_with({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},
                              "b": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]}}, b"12"),
    }
    for name, content in malicious.items():
        file = tmp_path / f"{name}.safetensors"
        file.write_bytes(content)
        result = myxtts("inspect", file)
        assert result.returncode == 1, (name, result)
        assert result.stderr.startswith("myxtts: ") and result.stderr.count("\n") == 1, result.stderr
