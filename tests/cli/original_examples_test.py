"""The examples of the original's documents run as they are written there.

Those with two GPUs fall back where there are none, and are here once more on two lanes of the CPU. A
corpus lies where the original looked for it; what is added are an end after two steps, a small model
and a run folder.
"""

import re
import shlex
import shutil
import subprocess

import pytest
from training import PROGRAM, SETTINGS, block, newest, state_of

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
def workplace(demo_corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("original")
    shutil.copytree(demo_corpus / "train", folder / "dataset" / "dataset_train")
    shutil.copytree(demo_corpus / "val", folder / "dataset" / "dataset_eval")
    (folder / "work" / "configs").mkdir(parents=True)
    answer = subprocess.run([PROGRAM, "config", "show"], check=True, text=True, capture_output=True)
    (folder / "work" / "configs" / "config.yaml").write_text(answer.stdout)
    return folder / "work"


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_original_runs_as_written(example, workplace, tmp_path):
    small = [word for key, value in SETTINGS.items() if key.startswith("model.")
             for word in ("--set", f"{key}={value}")]
    ended = subprocess.run([PROGRAM, "train", *shlex.split(example), "--max-steps", "2", *small,
                            "--checkpoint-dir", tmp_path / "run"],
                           check=False, text=True, capture_output=True, cwd=workplace, timeout=300)

    assert ended.returncode == 0, ended.stderr
    assert state_of(newest(tmp_path / "run"))["step"] == 2
    said = block(ended)
    assert "Static shapes (pad_to_fixed_length): True" in said
    if "fixed" in example or "static" in example:
        rows = [line for line in said if line.startswith("  ") and "MB" in line]
        assert len(rows) == 1, said
    if "--data-device" in example:
        assert "Intelligent GPU Pipeline: Multi-GPU Mode" in ended.stderr
    if "--model-start-delay 3.5" in example and "--data-device" in example:
        assert "Buffer Size: 75" in ended.stderr
        assert "Multi-GPU Mode: Waiting 3.5s for data pipeline to warm up..." in ended.stderr
        waited = float(re.search(r"training starting now \(\d+ batch\w* ready after ([\d.]+) s",
                                 ended.stderr)[1])
        assert waited >= 3.5
    for flag, words in [("--max-text-length", "Max text length"), ("--max-mel-frames", "Max mel frames")]:
        if flag in example:
            assert f"{words}: {example.split(flag)[1].split()[0]}" in said
