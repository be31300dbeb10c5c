"""The data pipeline of `myxtts train`: lanes and fallbacks, workers and buffers, mel cache, invalid flags, trace."""

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
def inline_state(tmp_path_factory, corpus):
    """The reproducible state of a run that loads all data on the calling thread."""
    run = tmp_path_factory.mktemp("inline") / "run"
    result = training.train(run, corpus, "--max-steps", 6)
    assert result.returncode == 0, result.stderr
    return training.reproducible_state(run)


@pytest.mark.parametrize("flags", [
    ["--num-workers", 2], ["--num-workers", 4, "--buffer-size", 1], ["--buffer-size", "auto"],
    ["--cache", "off", "--num-workers", 2], ["--set", "data.use_native_loading=false"],
])
def test_workers_buffer_and_cache_do_not_change_results(tmp_path, corpus, inline_state, flags):
    result = training.train(tmp_path / "run", corpus, "--max-steps", 6, *flags)

    assert result.returncode == 0, result.stderr
    assert training.differences(training.reproducible_state(tmp_path / "run"), inline_state) == []


def test_second_run_reads_mels_from_the_disk_cache(tmp_path, corpus, inline_state):
    flags = ["--max-steps", 6, "--cache", "disk", "--cache-dir", tmp_path / "cache"]
    first = training.train(tmp_path / "first", corpus, *flags)
    moved_corpus = shutil.copytree(corpus, tmp_path / "elsewhere")
    second = training.train(tmp_path / "second", moved_corpus, *flags)

    assert "cache: 0 of 40 recordings found" in first.stderr + first.stdout
    assert "cache: 40 of 40 recordings found" in second.stderr + second.stdout
    for run in ("first", "second"):
        assert training.differences(training.reproducible_state(tmp_path / run), inline_state) == []


def test_two_lanes_on_the_cpu(tmp_path, corpus):
    result = training.train(tmp_path / "run", corpus, "--max-steps", 4, "--data-device", "cpu:0",
                            "--model-device", "cpu:1", "--num-workers", 1, "--model-start-delay", 0.5)

    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stderr.splitlines()
             if line.startswith("[pipeline]") and "the model lane has 1 of 2 cores" not in line]
    assert lines[0] == "[pipeline] Intelligent GPU Pipeline: Multi-GPU Mode"
    assert lines[1] == "[pipeline] Multi-GPU Mode: Model will be placed on cpu:1"
    assert "Waiting 0.5s for data pipeline to warm up" in lines[2]
    assert lines[3].startswith("[pipeline] Model training starting now")
    assert "Data Processing Device: cpu:0 (1 worker" in result.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["mode"] == "multi_device"


@pytest.mark.parametrize("flags", [[], ["--device", "cuda:1"], ["--precision", "auto"]])
def test_missing_gpus_fall_back_with_the_reason(tmp_path, corpus, flags):
    flags = ["--data-gpu", 0, "--model-gpu", 1, "--num-workers", 1, *flags]
    result = training.train(tmp_path / "run", corpus, "--max-steps", 2, *flags)

    assert result.returncode == 0, result.stderr
    assert "[pipeline] Multi-GPU setup failed: cuda:" in result.stderr
    assert "[pipeline] Falling back to Single-GPU Buffered Mode" in result.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["mode"] == "single_buffered"


def test_two_lanes_on_one_core_fall_back(tmp_path, corpus):
    command = training.command(tmp_path / "run", corpus, "--max-steps", 2, "--data-device", "cpu:0",
                               "--model-device", "cpu:1", "--num-workers", 1)
    result = subprocess.run(["taskset", "-c", str(min(os.sched_getaffinity(0))), *command], check=False, text=True,
                            capture_output=True, stdin=subprocess.DEVNULL, timeout=300)

    assert result.returncode == 0, result.stderr
    assert ("[pipeline] Multi-GPU setup failed: two lanes need two cores, and this process may use one\n"
            "[pipeline] Falling back to Single-GPU Buffered Mode\n") in result.stderr
    assert "Model training starting now" in result.stderr
    assert json.loads((tmp_path / "run/summary.json").read_text())["mode"] == "single_buffered"
    assert training.checkpoint_state(training.newest_checkpoint(tmp_path / "run"))["step"] == 2


def test_run_after_a_fallback_resumes_with_the_requested_settings(tmp_path, corpus):
    """config.yaml has the requested devices, not the fallback."""
    run = tmp_path / "run"
    first = training.train(run, corpus, "--max-steps", 2, "--data-gpu", 0, "--model-gpu", 1, "--device",
                           "cuda:1", "--num-workers", 1)
    resumed = training.train(run, corpus, "--max-steps", 3, "--num-workers", 1)

    assert first.returncode == 0 and resumed.returncode == 0, first.stderr + resumed.stderr
    assert "[pipeline] Multi-GPU setup failed: cuda:" in resumed.stderr
    assert training.checkpoint_state(training.newest_checkpoint(run))["step"] == 3


def test_missing_single_gpu_is_an_error(tmp_path, corpus):
    for more in ([], ["--dry-run"]):
        result = training.train(tmp_path / "run", corpus, "--max-steps", 2, "--device", "cuda:0", *more)

        assert result.returncode == 1, result.stderr
        assert "CUDA" in result.stderr, result.stderr


@pytest.mark.parametrize("flags,messages", [
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
def test_invalid_settings_are_refused_with_the_valid_range(tmp_path, corpus, flags, messages):
    result = training.train(tmp_path / "run", corpus, "--max-steps", 2, *flags)

    assert result.returncode == 2, result.stderr
    for message in messages:
        assert message in result.stderr, result.stderr
    assert not (tmp_path / "run").exists()


def assert_valid_trace(events):
    """Asserts the rules of the Trace Event Format. Perfetto drops events that violate them."""
    spans_by_thread = {}
    for event in events:
        assert isinstance(event["name"], str) and event["name"]
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name") and event["args"]["name"], event
        elif event["ph"] == "C":
            assert event["ts"] >= 0 and all(isinstance(value, (int, float)) for value in event["args"].values())
        else:
            assert event["ph"] == "X" and event["ts"] >= 0 and event["dur"] >= 0, event
            spans_by_thread.setdefault((event["pid"], event["tid"]), []).append(event)
    named = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    assert set(spans_by_thread) <= named
    for spans in spans_by_thread.values():  # spans of one thread are disjoint or nested
        ends = []
        for span in sorted(spans, key=lambda span: (span["ts"], -span["dur"])):
            while ends and ends[-1] <= span["ts"] + 0.0005:  # times are rounded to a nanosecond
                ends.pop()
            end = span["ts"] + span["dur"]
            assert not ends or end <= ends[-1] + 0.0015, span
            ends.append(end)


def test_trace_covers_the_steps(tmp_path, corpus):
    trace = tmp_path / "trace.json"
    result = training.train(tmp_path / "run", corpus, "--max-steps", 5, "--num-workers", 1, "--trace", trace)

    assert result.returncode == 0, result.stderr
    events = json.loads(trace.read_text())
    assert_valid_trace(events)
    spans = [event for event in events if event["ph"] == "X"]
    steps = [span for span in spans if span["name"] == "step"]
    phases = [span for span in spans if span["name"] in ("wait for data", "compute", "host")]
    assert len(steps) == 5
    assert sum(span["dur"] for span in phases) >= 0.95 * sum(span["dur"] for span in steps)
    copies = [span for span in spans if span["name"] == "copy"]
    computes = [span for span in spans if span["name"] == "compute"]
    copies_in_steps = [copy for copy in copies  # preparation and validation also copy batches
                       if any(span["ts"] <= copy["ts"] and
                              copy["ts"] + copy["dur"] <= span["ts"] + span["dur"] + 1.0 for span in computes)]
    assert len(copies_in_steps) >= 5
    assert any(event["ph"] == "C" and event["name"] == "buffer" for event in events)
    assert any(span["name"] == "collate" for span in spans)


# Checkpoints and sample images also read recordings, mainly the first ones such as u000.
@pytest.mark.parametrize("utterance", ["u007", "u000"])
def test_recording_deleted_during_training_is_logged_once(tmp_path, corpus, utterance):
    copied_corpus = shutil.copytree(corpus, tmp_path / "corpus")
    run = tmp_path / "run"
    process = training.start(run, copied_corpus, "--max-steps", 60, "--cache", "off", "--num-workers", 1,
                             "--buffer-size", 1, training__save_step=20)
    training.wait_for_step(run, 2, process)
    (copied_corpus / f"wavs/{utterance}.wav").unlink()

    assert process.wait(timeout=120) == 0, training.log_text(run)
    assert training.log_text(run).count(f"[data] {utterance}: missing") == 1
    assert training.newest_checkpoint(run).name == "step_00000060"
