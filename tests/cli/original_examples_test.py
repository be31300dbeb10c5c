"""The example commands in the documentation of the original MyXTTS run as written.

Examples with two GPUs fall back to one device if there are no GPUs. Two examples repeat them with two
lanes on the CPU. The corpus is in the folder that the original used by default. The tests add flags for
two steps, a small model and a run folder.
"""

import re
import shlex
import shutil
import subprocess

import pytest
from training import PROGRAM, SETTINGS, checkpoint_state, configuration_block, newest_checkpoint

TRAIN, EVAL = "../dataset/dataset_train", "../dataset/dataset_eval"
EXAMPLES = [
    "--enable-static-shapes --batch-size 16",
    "--enable-static-shapes --max-text-length 200 --max-mel-frames 800 --batch-size 16",
    "--model-size tiny --enable-static-shapes --batch-size 8 --max-text-length 150 "
    "--max-mel-frames 600",
    "--enable-static-shapes --optimization-level enhanced --batch-size 16 --max-text-length 200 "
    f"--max-mel-frames 800 --train-data {TRAIN} --val-data {EVAL}",
    "--pad-to-fixed-length --batch-size 16",
    f"--train-data {TRAIN} --val-data {EVAL}",
    f"--train-data {TRAIN} --val-data {EVAL} --buffer-size 100",
    f"--train-data {TRAIN} --val-data {EVAL} --data-gpu 0 --model-gpu 1",
    f"--train-data {TRAIN} --val-data {EVAL} --data-gpu 0 --model-gpu 1 --buffer-size 75 "
    "--model-start-delay 3.5",
    f"--train-data {TRAIN} --val-data {EVAL} --data-device cpu:0 --model-device cpu:1",
    f"--train-data {TRAIN} --val-data {EVAL} --data-device cpu:0 --model-device cpu:1 --buffer-size 75 "
    "--model-start-delay 3.5",
    "--batch-size 16 --num-workers 16",
    "--config configs/config.yaml",
]


@pytest.fixture(scope="module")
def work_folder(demo_corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("original")
    shutil.copytree(demo_corpus / "train", folder / "dataset" / "dataset_train")
    shutil.copytree(demo_corpus / "val", folder / "dataset" / "dataset_eval")
    (folder / "work" / "configs").mkdir(parents=True)
    result = subprocess.run([PROGRAM, "config", "show"], check=True, text=True, capture_output=True)
    (folder / "work" / "configs" / "config.yaml").write_text(result.stdout)
    return folder / "work"


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_of_the_original_runs_as_written(example, work_folder, tmp_path):
    small_model = [argument for key, value in SETTINGS.items() if key.startswith("model.")
                   for argument in ("--set", f"{key}={value}")]
    result = subprocess.run([PROGRAM, "train", *shlex.split(example), "--max-steps", "2", *small_model,
                             "--checkpoint-dir", tmp_path / "run"],
                            check=False, text=True, capture_output=True, cwd=work_folder, timeout=300)

    assert result.returncode == 0, result.stderr
    assert checkpoint_state(newest_checkpoint(tmp_path / "run"))["step"] == 2
    block = configuration_block(result)
    assert "Static shapes (pad_to_fixed_length): True" in block
    if "fixed" in example or "static" in example:
        signatures = [line for line in block if line.startswith("  ") and "MB" in line]
        assert len(signatures) == 1, block
    if "--data-device" in example:
        assert "Intelligent GPU Pipeline: Multi-GPU Mode" in result.stderr
    if "--model-start-delay 3.5" in example and "--data-device" in example:
        assert "Buffer Size: 75" in result.stderr
        assert "Multi-GPU Mode: Waiting 3.5s for data pipeline to warm up..." in result.stderr
        waited = float(re.search(r"training starting now \(\d+ batch\w* ready after ([\d.]+) s",
                                 result.stderr)[1])
        assert waited >= 3.5
    for flag, label in [("--max-text-length", "Max text length"), ("--max-mel-frames", "Max mel frames")]:
        if flag in example:
            assert f"{label}: {example.split(flag)[1].split()[0]}" in block
