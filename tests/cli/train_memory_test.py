"""Resident memory does not grow with the number of steps and stays below the estimate before step 1."""

import json
import pathlib
import re
import time

import numpy
import pytest
from training import SCALE, start, train, write_tones

FIRST, LAST = (300, 2000) if SCALE > 1 else (150, 600)
MAX_BYTES_PER_STEP = 1024 if SCALE > 1 else 4096  # the slope over a short run is less accurate


def resident_bytes(process):
    return int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * 4096


@pytest.fixture
def corpus(tmp_path):
    return write_tones(tmp_path / "corpus", 40)


def test_resident_memory_does_not_grow(corpus, tmp_path):
    """The run has several shapes, checkpoints, validations and log lines, as a long run does."""
    run = tmp_path / "voice"
    process = start(run, corpus, "--max-steps", LAST, training__save_step=100, training__val_step=50,
                    training__keep_checkpoints=2, training__log_step=10)
    steps, sizes = [], []
    while process.poll() is None:
        try:
            size = resident_bytes(process)
            lines = (run / "metrics.jsonl").read_bytes().count(b'"grad_norm"')
        except (FileNotFoundError, IndexError, ProcessLookupError):
            lines = 0
        if lines >= FIRST and lines not in steps[-1:]:
            steps.append(lines)
            sizes.append(size)
        time.sleep(0.01)

    assert process.returncode == 0
    assert len(steps) > 20, "too few measurements for a slope"
    slope = numpy.polyfit(steps, sizes, 1)[0]
    assert slope < MAX_BYTES_PER_STEP, f"{slope:.0f} bytes per step from step {steps[0]} on"


@pytest.mark.parametrize("buffer", [2, 50, 500, "auto"])
def test_resident_memory_stays_below_the_estimate(corpus, tmp_path, buffer):
    """The buffer is full before the first step."""
    run = tmp_path / "voice"
    steps = 2000 if SCALE > 1 else 200
    ended = train(run, corpus, "--max-steps", steps, "--buffer-size", buffer, data__num_workers=2,
                  training__save_step=500, training__log_step=100)

    assert ended.returncode == 0, ended.stderr
    estimated_bytes = int(re.search(r"Memory: +(\d+) MB in total", ended.stdout + ended.stderr)[1]) * 1e6
    summary = json.loads((run / "summary.json").read_text())
    assert summary["peak_rss_bytes"] <= estimated_bytes
    max_depth = max(json.loads(line).get("buffer_depth", 0)
                    for line in (run / "metrics.jsonl").read_text().splitlines())
    line = re.search(r"Buffer Size: .*at most (?:(\d+) and )?(\d+) MB\)", ended.stderr)
    max_batches = int(line[1]) if buffer == "auto" else buffer
    initial = 50 if buffer == "auto" else buffer
    assert initial / 2 < max_depth <= max_batches
    assert f", {line[2]} for the buffer" in ended.stderr
