"""The data path of `myxtts train` as a person sees it: modes, cache, trace."""

import json
import os
import shutil
import subprocess

import pytest
import training


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return training.write_tones(tmp_path_factory.mktemp("tones") / "corpus", 40)


@pytest.fixture(scope="module")
def plain(tmp_path_factory, corpus):
    """A run that loads everything inline: what every other way must equal to the bit."""
    run = tmp_path_factory.mktemp("plain") / "run"
    ended = training.train(run, corpus, "--max-steps", 6)
    assert ended.returncode == 0, ended.stderr
    return training.facts(run)


@pytest.mark.parametrize("flags", [
    ["--num-workers", 2], ["--num-workers", 4, "--buffer-size", 1], ["--buffer-size", "auto"],
    ["--cache", "off", "--num-workers", 2], ["--set", "data.use_native_loading=false"],
])
def test_workers_buffer_and_cache_change_no_number(tmp_path, corpus, plain, flags):
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 6, *flags)

    assert ended.returncode == 0, ended.stderr
    assert training.differences(training.facts(tmp_path / "run"), plain) == []


def test_the_second_run_finds_its_mels_on_disk(tmp_path, corpus, plain):
    flags = ["--max-steps", 6, "--cache", "disk", "--cache-dir", tmp_path / "cache"]
    first = training.train(tmp_path / "first", corpus, *flags)
    moved = shutil.copytree(corpus, tmp_path / "elsewhere")
    second = training.train(tmp_path / "second", moved, *flags)

    assert "cache: 0 of 40 recordings found" in first.stderr + first.stdout
    assert "cache: 40 of 40 recordings found" in second.stderr + second.stdout
    for run in ("first", "second"):
        assert training.differences(training.facts(tmp_path / run), plain) == []


def test_two_lanes_on_the_cpu(tmp_path, corpus):
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 4, "--data-device", "cpu:0",
                           "--model-device", "cpu:1", "--num-workers", 1, "--model-start-delay", 0.5)

    assert ended.returncode == 0, ended.stderr
    lines = [line for line in ended.stderr.splitlines()
             if line.startswith("[pipeline]") and "the model has 1 of 2 cores" not in line]
    assert lines[0] == "[pipeline] Intelligent GPU Pipeline: Multi-GPU Mode"
    assert lines[1] == "[pipeline] Multi-GPU Mode: Model will be placed on cpu:1"
    assert "Waiting 0.5s for data pipeline to warm up" in lines[2]
    assert lines[3].startswith("[pipeline] Model training starting now")
    assert "Data Processing Device: cpu:0 (1 worker" in ended.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["mode"] == "multi_device"


@pytest.mark.parametrize("flags", [[], ["--device", "cuda:1"], ["--precision", "auto"]])
def test_gpus_that_are_not_there_fall_back_with_the_reason(tmp_path, corpus, flags):
    words = ["--data-gpu", 0, "--model-gpu", 1, "--num-workers", 1, *flags]
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 2, *words)

    assert ended.returncode == 0, ended.stderr
    assert "[pipeline] Multi-GPU setup failed: cuda:" in ended.stderr
    assert "[pipeline] Falling back to Single-GPU Buffered Mode" in ended.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["mode"] == "single_buffered"


def test_two_lanes_on_one_core_fall_back(tmp_path, corpus):
    words = training.command(tmp_path / "run", corpus, "--max-steps", 2, "--data-device", "cpu:0",
                             "--model-device", "cpu:1", "--num-workers", 1)
    ended = subprocess.run(["taskset", "-c", str(min(os.sched_getaffinity(0))), *words], check=False, text=True,
                           capture_output=True, stdin=subprocess.DEVNULL, timeout=300)

    assert ended.returncode == 0, ended.stderr
    assert ("[pipeline] Multi-GPU setup failed: two lanes need two cores, and this process may use one\n"
            "[pipeline] Falling back to Single-GPU Buffered Mode\n") in ended.stderr
    assert "Model training starting now" in ended.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["mode"] == "single_buffered"
    assert training.state_of(training.newest(tmp_path / "run"))["step"] == 2


def test_a_run_that_fell_back_goes_on_with_its_own_settings(tmp_path, corpus):
    """Its config.yaml has what was asked for, not what was found on the day."""
    run = tmp_path / "run"
    first = training.train(run, corpus, "--max-steps", 2, "--data-gpu", 0, "--model-gpu", 1, "--device",
                           "cuda:1", "--num-workers", 1)
    again = training.train(run, corpus, "--max-steps", 3, "--num-workers", 1)

    assert first.returncode == 0 and again.returncode == 0, first.stderr + again.stderr
    assert "[pipeline] Multi-GPU setup failed: cuda:" in again.stderr
    assert training.state_of(training.newest(run))["step"] == 3


def test_one_gpu_that_is_not_there_is_an_error(tmp_path, corpus):
    for more in ([], ["--dry-run"]):
        ended = training.train(tmp_path / "run", corpus, "--max-steps", 2, "--device", "cuda:0", *more)

        assert ended.returncode == 1, ended.stderr
        assert "CUDA" in ended.stderr, ended.stderr


@pytest.mark.parametrize("flags,words", [
    (["--data-device", "cpu:0", "--model-device", "cpu:0", "--num-workers", 1],
     ["both cpu:0", "expected two different devices"]),
    (["--data-gpu", 1, "--model-gpu", 1, "--num-workers", 1],
     ["both cuda:1", "expected two different devices"]),
    (["--data-gpu", -1], ["data.data_gpu is -1", "[0, 63]"]), (["--model-gpu", 64], ["is 64", "[0, 63]"]),
    (["--buffer-size", 0], ["pipeline_buffer_size is 0", "[1, 65536], or auto"]),
    (["--buffer-size", 1000000], ["is 1000000", "[1, 65536], or auto"]),
    (["--model-start-delay", -1], ["is -1", "[0, 3600]"]), (["--num-workers", 257], ["[0, 256], or auto"]),
    (["--prefetch-buffer-size", 65], ["is 65", "[1, 64]"]),
    (["--cache", "maybe"], ["'maybe'", "expected auto, ram, disk, off"]),
    (["--cache", "disk", "--cache-limit", "plenty"], ["'plenty'", "800MB or 20GB"]),
    (["--memory-budget", "plenty"], ["'plenty'", "auto", "800MB or 6GB"]),
])
def test_settings_that_cannot_be_are_refused_with_the_range(tmp_path, corpus, flags, words):
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 2, *flags)

    assert ended.returncode == 2, ended.stderr
    for word in words:
        assert word in ended.stderr, ended.stderr
    assert not (tmp_path / "run").exists()


def assert_is_a_trace(events):
    """The rules of the Trace Event Format by which Perfetto drops an event that breaks one."""
    open_spans = {}
    for event in events:
        assert isinstance(event["name"], str) and event["name"]
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name") and event["args"]["name"], event
        elif event["ph"] == "C":
            assert event["ts"] >= 0 and all(isinstance(value, (int, float)) for value in event["args"].values())
        else:
            assert event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0, event
            open_spans.setdefault((event["pid"], event["tid"]), []).append(event)
    named = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    assert set(open_spans) <= named
    for spans in open_spans.values():  # of one thread: beside each other, or one inside of the other
        ends = []
        for span in sorted(spans, key=lambda span: (span["ts"], -span["dur"])):
            while ends and ends[-1] <= span["ts"] + 0.0005:  # written to a nanosecond
                ends.pop()
            end = span["ts"] + span["dur"]
            assert not ends or end <= ends[-1] + 0.0015, span
            ends.append(end)


def test_a_trace_covers_the_steps(tmp_path, corpus):
    trace = tmp_path / "trace.json"
    ended = training.train(tmp_path / "run", corpus, "--max-steps", 5, "--num-workers", 1, "--trace", trace)

    assert ended.returncode == 0, ended.stderr
    events = json.loads(trace.read_text())
    assert_is_a_trace(events)
    spans = [event for event in events if event["ph"] == "X"]
    steps = [span for span in spans if span["name"] == "step"]
    parts = [span for span in spans if span["name"] in ("wait for data", "compute", "host")]
    assert len(steps) == 5
    assert sum(span["dur"] for span in parts) >= 0.95 * sum(span["dur"] for span in steps)
    copies = [span for span in spans if span["name"] == "copy"]
    computes = [span for span in spans if span["name"] == "compute"]
    within = [copy for copy in copies  # preparing and validating copy as well
              if any(span["ts"] <= copy["ts"] and
                     copy["ts"] + copy["dur"] <= span["ts"] + span["dur"] + 1.0 for span in computes)]
    assert len(within) >= 5
    assert any(event["ph"] == "C" and event["name"] == "buffer" for event in events)
    assert any(span["name"] == "collate" for span in spans)


# Saves and pictures are made of recordings too: of the first ones above all.
@pytest.mark.parametrize("lost", ["u007", "u000"])
def test_a_recording_that_vanishes_costs_one_line(tmp_path, corpus, lost):
    mine = shutil.copytree(corpus, tmp_path / "corpus")
    run = tmp_path / "run"
    process = training.start(run, mine, "--max-steps", 60, "--cache", "off", "--num-workers", 1,
                             "--buffer-size", 1, training__save_step=20)
    training.wait_for_step(run, 2, process)
    (mine / f"wavs/{lost}.wav").unlink()

    assert process.wait(timeout=120) == 0, training.said(run)
    assert training.said(run).count(f"[data] {lost}: missing") == 1
    assert training.newest(run).name == "step_00000060"
