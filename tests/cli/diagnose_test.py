"""`myxtts diagnose` on small corpora: reports, findings, suggestions and wrong command lines."""

import json
import os
import subprocess

import pytest
from training import SETTINGS, train, write_tones

PROGRAM = os.environ["MYXTTS"]
# A model whose step takes longer than the time between two steps.
LARGER = {"model.text_encoder_dim": 64, "model.text_encoder_ffn_dim": 256, "model.decoder_dim": 128,
          "model.decoder_layers": 4, "model.decoder_ffn_dim": 512}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_tones(tmp_path_factory.mktemp("tones") / "corpus", 60, seconds=0.4)


def diagnose(subcommand, corpus, *flags, cwd, **settings):
    values = {**SETTINGS, **{key.replace("__", "."): value for key, value in settings.items()}}
    sets = [argument for key, value in values.items() for argument in ("--set", f"{key}={value}")]
    return subprocess.run([PROGRAM, "diagnose", subcommand, "--train-data", str(corpus), *map(str, flags),
                           *sets], check=False, text=True, capture_output=True, cwd=cwd,
                          stdin=subprocess.DEVNULL, timeout=300)


def test_retracing_with_a_shape_plan_is_healthy_and_leaves_no_files(corpus, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    before = sorted(path.name for path in corpus.iterdir())
    environment = {**os.environ, "TMPDIR": str(temporary)}
    sets = [argument for key, value in SETTINGS.items() for argument in ("--set", f"{key}={value}")]

    result = subprocess.run([PROGRAM, "diagnose", "retracing", "--train-data", corpus, "--steps", "6",
                             "--json", *sets], check=False, text=True, capture_output=True, cwd=work,
                            env=environment, stdin=subprocess.DEVNULL, timeout=300)

    assert result.returncode == 0, result.stdout + result.stderr
    report = json.loads(result.stdout)
    assert report["healthy"] is True
    assert report["summary"]["steps"] == 6 and report["summary"]["retraces"] == 0
    assert report["summary"]["step_s"]["mean"] > 0
    assert len(report["record"]["steps"]) == 6
    planned = {shape["shape"] for shape in report["batches"]["shapes"]}
    assert {step["signature"] for step in report["record"]["steps"]} <= planned
    assert list(work.iterdir()) == [] and list(temporary.iterdir()) == []
    assert sorted(path.name for path in corpus.iterdir()) == before


def test_retracing_prints_its_sections_and_a_working_suggestion(corpus, tmp_path):
    result = diagnose("retracing", corpus, "--steps", 4, "--dynamic-shapes", cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    for section in ("CONFIG VALIDATION", "BATCH SHAPES", "TRAINING STEPS", "DIAGNOSTIC SUMMARY"):
        assert section in result.stdout
    assert "retracing detected" in result.stdout and "RETRACE\n" in result.stdout
    suggestion = next(line for line in result.stdout.splitlines() if line.startswith("CRITICAL: "))
    flags = suggestion.rsplit(": ", 1)[1].split()

    fixed = diagnose("retracing", corpus, "--steps", 4, *flags, cwd=tmp_path)

    assert fixed.returncode == 0, fixed.stdout
    assert "diagnosis            healthy: no retracing detected" in fixed.stdout


def test_retracing_refuses_a_length_limit_that_filters_most_utterances(corpus, tmp_path):
    result = diagnose("retracing", corpus, "--max-mel-frames", 35, "--json", cwd=tmp_path)

    assert result.returncode == 1, result.stderr
    report = json.loads(result.stdout)
    assert report["findings"][0]["id"] == "filtered_by_length"
    assert report["findings"][0]["remedy"].startswith("--max-mel-frames ")
    assert report["summary"]["steps"] == 0


@pytest.mark.parametrize("flags", [["--steps", "0"], ["--config", "nowhere.yaml"], ["--stepz", "3"]])
def test_retracing_refuses_an_invalid_command_line(flags, corpus, tmp_path):
    result = diagnose("retracing", corpus, *flags, cwd=tmp_path)

    assert result.returncode == 2, result.stderr
    assert result.stdout == ""


def test_bottleneck_has_no_loader_findings_if_the_model_never_waits(corpus, tmp_path):
    """There are no findings about loading, even if other programs use the machine."""
    page = tmp_path / "page.html"
    result = diagnose("bottleneck", corpus, "--num-batches", 12, "--json", "--html", page,
                      cwd=tmp_path, data__num_workers=1, **{key.replace(".", "__"): value
                                                            for key, value in LARGER.items()})

    report = json.loads(result.stdout)
    ids = {finding["id"] for finding in report["findings"]}
    assert not ids & {"one_worker", "slow_disk", "file_latency", "resampling_every_file", "huge_mp3s",
                      "slow_text", "bad_files", "dynamic_shapes", "retraces"}, report["findings"]
    assert result.returncode == (0 if report["healthy"] else 1), result.stderr
    assert [stage["name"] for stage in report["stages"]] == [
        "read", "decode", "resample", "prepare", "mel", "text", "pad", "copy", "step"]
    assert all(stage["wall_s"] >= 0 for stage in report["stages"])
    assert report["loader"]["batches"] == 12 and report["training"]["steps"] == 11  # the first step is excluded
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html"]
    html = page.read_text()
    assert "Lanes over time" in html and "<script" not in html and "http" not in html.split("<h1")[1]


def test_bottleneck_prints_its_sections(corpus, tmp_path):
    result = diagnose("bottleneck", corpus, "--num-batches", 4, cwd=tmp_path)

    assert result.returncode in (0, 1), result.stderr
    for section in ("STAGES ALONE", "LOADER ALONE", "TRAINING", "MACHINE", "FINDINGS"):
        assert section in result.stdout
    assert result.stdout.splitlines()[-1].startswith("limited by ")


@pytest.mark.parametrize("flags", [["--num-batches", "1"], ["--num-batchez", "3"]])
def test_bottleneck_refuses_an_invalid_command_line(flags, corpus, tmp_path):
    result = diagnose("bottleneck", corpus, *flags, cwd=tmp_path)

    assert result.returncode == 2, result.stderr
    assert result.stdout == ""


def test_recommend_gives_reasons_and_writes_a_usable_configuration(corpus, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    result = diagnose("recommend", corpus, "--dynamic-shapes", "--write", "best.yaml", "--json", cwd=work)

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    recommendations = {one["key"]: one for one in report["recommendations"]}
    assert {"data.max_mel_frames", "data.shape_buckets", "data.batch_size", "data.num_workers",
            "data.pipeline_buffer_size", "data.feature_cache", "training.precision"} <= set(recommendations)
    assert all(one["reason"] for one in report["recommendations"])
    assert recommendations["data.shape_buckets"]["change"] and "--shape-buckets auto" in report["flags"]
    assert report["trials"][0]["speed"] > 0 and report["check"] is None
    assert [path.name for path in work.iterdir()] == ["best.yaml"]

    result = subprocess.run([PROGRAM, "train", "--config", "best.yaml", "--checkpoint-dir", "run",
                             "--max-steps", "3", "--json"], check=False, text=True, cwd=work,
                            capture_output=True, stdin=subprocess.DEVNULL, timeout=300)

    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["retraces"] == 0


def test_recommend_measures_the_gain_of_its_settings(corpus, tmp_path):
    result = diagnose("recommend", corpus, "--cache", "off", "--apply-check", cwd=tmp_path)

    assert result.returncode == 0, result.stderr
    assert "off -> auto" in result.stdout
    assert "round 3" in result.stdout
    gain = next(line for line in result.stdout.splitlines() if line.startswith("  result "))
    assert "gain: " in gain and "3 rounds" in gain
    assert "=== Final Training Configuration ===" not in result.stderr  # trials log nothing


def test_profile_covers_the_requested_number_of_steps(corpus, tmp_path):
    run = tmp_path / "run"
    result = train(run, corpus, "--max-steps", 8, "--profile", 4)

    assert result.returncode == 0, result.stderr
    profile_lines = [line for line in result.stderr.splitlines() if line.startswith("[profile]")]
    assert any("4 steps" in line for line in profile_lines)
    assert any("aten::" in line for line in profile_lines)
    report = json.loads((run / "profile.json").read_text())
    assert report["steps"] == 4 and len(report["record"]["steps"]) == 4
    assert abs(sum(report["time_split"].values()) - 1) < 1e-6
    operator_share = sum(one["share"] for one in report["operators"])
    assert 0.05 < operator_share <= 1.01
    trace = json.loads((run / "profile_trace.json").read_text())
    steps = [event for event in trace if event.get("name") == "step"]
    assert 4 <= len(steps) <= 5
    assert json.loads((run / "record.json").read_text())["version"] == 1


def test_profile_of_a_run_that_ends_early_has_the_steps_so_far(corpus, tmp_path):
    result = train(tmp_path / "run", corpus, "--max-steps", 3, "--profile", 100,
                   "--trace", tmp_path / "trace.json")

    assert result.returncode == 0, result.stderr
    report = json.loads((tmp_path / "run" / "profile.json").read_text())
    assert report["steps"] == 2 and report["trace"] == ""


def test_negative_number_of_profiled_steps_is_refused(corpus, tmp_path):
    result = train(tmp_path / "run", corpus, "--profile", -3)

    assert result.returncode == 2 and "--profile" in result.stderr
