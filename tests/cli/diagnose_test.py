"""`myxtts diagnose` on small corpora: silent about healthy ones, right about what was planted."""

import json
import os
import subprocess

import pytest
from training import SETTINGS, train, write_tones

PROGRAM = os.environ["MYXTTS"]
# A model whose step takes longer than what lies between two steps.
LARGER = {"model.text_encoder_dim": 64, "model.text_encoder_ffn_dim": 256, "model.decoder_dim": 128,
          "model.decoder_layers": 4, "model.decoder_ffn_dim": 512}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_tones(tmp_path_factory.mktemp("tones") / "corpus", 60, seconds=0.4)


def diagnose(verb, corpus, *flags, cwd, **settings):
    values = {**SETTINGS, **{key.replace("__", "."): value for key, value in settings.items()}}
    sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    return subprocess.run([PROGRAM, "diagnose", verb, "--train-data", str(corpus), *map(str, flags),
                           *sets], check=False, text=True, capture_output=True, cwd=cwd,
                          stdin=subprocess.DEVNULL, timeout=300)


def test_retracing_of_a_plan_is_healthy_and_leaves_nothing_behind(corpus, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    before = sorted(path.name for path in corpus.iterdir())
    environment = {**os.environ, "TMPDIR": str(temporary)}
    sets = [word for key, value in SETTINGS.items() for word in ("--set", f"{key}={value}")]

    ended = subprocess.run([PROGRAM, "diagnose", "retracing", "--train-data", corpus, "--steps", "6",
                            "--json", *sets], check=False, text=True, capture_output=True, cwd=work,
                           env=environment, stdin=subprocess.DEVNULL, timeout=300)

    assert ended.returncode == 0, ended.stdout + ended.stderr
    answer = json.loads(ended.stdout)
    assert answer["healthy"] is True
    assert answer["summary"]["steps"] == 6 and answer["summary"]["retraces"] == 0
    assert answer["summary"]["step_s"]["mean"] > 0
    assert len(answer["record"]["steps"]) == 6
    planned = {shape["shape"] for shape in answer["batches"]["shapes"]}
    assert {step["signature"] for step in answer["record"]["steps"]} <= planned
    assert list(work.iterdir()) == [] and list(temporary.iterdir()) == []
    assert sorted(path.name for path in corpus.iterdir()) == before


def test_retracing_says_it_in_words_and_its_remedy_helps(corpus, tmp_path):
    ended = diagnose("retracing", corpus, "--steps", 4, "--dynamic-shapes", cwd=tmp_path)
    assert ended.returncode == 1, ended.stderr
    for section in ("CONFIG VALIDATION", "BATCH SHAPES", "TRAINING STEPS", "DIAGNOSTIC SUMMARY"):
        assert section in ended.stdout
    assert "retracing detected" in ended.stdout and "RETRACE\n" in ended.stdout
    remedy = next(line for line in ended.stdout.splitlines() if line.startswith("CRITICAL: "))
    flags = remedy.rsplit(": ", 1)[1].split()

    healed = diagnose("retracing", corpus, "--steps", 4, *flags, cwd=tmp_path)

    assert healed.returncode == 0, healed.stdout
    assert "diagnosis            healthy: no retracing detected" in healed.stdout


def test_retracing_refuses_before_step_1_what_leaves_out_most(corpus, tmp_path):
    ended = diagnose("retracing", corpus, "--max-mel-frames", 35, "--json", cwd=tmp_path)

    assert ended.returncode == 1, ended.stderr
    answer = json.loads(ended.stdout)
    assert answer["findings"][0]["id"] == "filtered_by_length"
    assert answer["findings"][0]["remedy"].startswith("--max-mel-frames ")
    assert answer["summary"]["steps"] == 0


@pytest.mark.parametrize("flags", [["--steps", "0"], ["--config", "nowhere.yaml"], ["--stepz", "3"]])
def test_retracing_refuses_a_wrong_command_line(flags, corpus, tmp_path):
    ended = diagnose("retracing", corpus, *flags, cwd=tmp_path)

    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""


def test_bottleneck_is_silent_about_a_model_that_never_waits(corpus, tmp_path):
    """Nothing about loading, whatever else the machine is busy with."""
    page = tmp_path / "page.html"
    ended = diagnose("bottleneck", corpus, "--num-batches", 12, "--json", "--html", page,
                     cwd=tmp_path, data__num_workers=1, **{key.replace(".", "__"): value
                                                           for key, value in LARGER.items()})

    answer = json.loads(ended.stdout)
    ids = {finding["id"] for finding in answer["findings"]}
    assert not ids & {"one_worker", "slow_disk", "file_latency", "resampling_every_file", "huge_mp3s",
                      "slow_text", "bad_files", "dynamic_shapes", "retraces"}, answer["findings"]
    assert ended.returncode == (0 if answer["healthy"] else 1), ended.stderr
    assert [stage["name"] for stage in answer["stages"]] == [
        "read", "decode", "resample", "prepare", "mel", "text", "pad", "copy", "step"]
    assert all(stage["wall_s"] >= 0 for stage in answer["stages"])
    assert answer["loader"]["batches"] == 12 and answer["training"]["steps"] == 11  # without the first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html"]
    html = page.read_text()
    assert "Lanes over time" in html and "<script" not in html and "http" not in html.split("<h1")[1]


def test_bottleneck_prints_its_sections(corpus, tmp_path):
    ended = diagnose("bottleneck", corpus, "--num-batches", 4, cwd=tmp_path)

    assert ended.returncode in (0, 1), ended.stderr
    for section in ("STAGES ALONE", "LOADER ALONE", "TRAINING", "MACHINE", "FINDINGS"):
        assert section in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("limited by ")


@pytest.mark.parametrize("flags", [["--num-batches", "1"], ["--num-batchez", "3"]])
def test_bottleneck_refuses_a_wrong_command_line(flags, corpus, tmp_path):
    ended = diagnose("bottleneck", corpus, *flags, cwd=tmp_path)

    assert ended.returncode == 2, ended.stderr
    assert ended.stdout == ""


def test_recommend_gives_reasons_and_a_file_that_trains(corpus, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    ended = diagnose("recommend", corpus, "--dynamic-shapes", "--write", "best.yaml", "--json", cwd=work)

    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    advice = {one["key"]: one for one in answer["recommendations"]}
    assert {"data.max_mel_frames", "data.shape_buckets", "data.batch_size", "data.num_workers",
            "data.pipeline_buffer_size", "data.feature_cache", "training.precision"} <= set(advice)
    assert all(one["reason"] for one in answer["recommendations"])
    assert advice["data.shape_buckets"]["change"] and "--shape-buckets auto" in answer["flags"]
    assert answer["trials"][0]["speed"] > 0 and answer["check"] is None
    assert [path.name for path in work.iterdir()] == ["best.yaml"]

    ended = subprocess.run([PROGRAM, "train", "--config", "best.yaml", "--checkpoint-dir", "run",
                            "--max-steps", "3", "--json"], check=False, text=True, cwd=work,
                           capture_output=True, stdin=subprocess.DEVNULL, timeout=300)

    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["retraces"] == 0


def test_recommend_proves_its_gain_or_says_that_there_is_none(corpus, tmp_path):
    ended = diagnose("recommend", corpus, "--cache", "off", "--apply-check", cwd=tmp_path)

    assert ended.returncode == 0, ended.stderr
    assert "off -> auto" in ended.stdout
    assert "round 3" in ended.stdout
    result = next(line for line in ended.stdout.splitlines() if line.startswith("  result "))
    assert "gain: " in result and "3 rounds" in result
    assert "=== Final Training Configuration ===" not in ended.stderr  # trials are quiet


def test_a_profile_looks_at_the_steps_that_it_was_asked_for(corpus, tmp_path):
    run = tmp_path / "run"
    ended = train(run, corpus, "--max-steps", 8, "--profile", 4)

    assert ended.returncode == 0, ended.stderr
    said = [line for line in ended.stderr.splitlines() if line.startswith("[profile]")]
    assert any("4 steps" in line for line in said) and any("aten::" in line for line in said)
    answer = json.loads((run / "profile.json").read_text())
    assert answer["steps"] == 4 and len(answer["record"]["steps"]) == 4
    assert abs(sum(answer["time_split"].values()) - 1) < 1e-6
    inside = sum(one["share"] for one in answer["operators"])
    assert 0.05 < inside <= 1.01
    trace = json.loads((run / "profile_trace.json").read_text())
    steps = [event for event in trace if event.get("name") == "step"]
    assert 4 <= len(steps) <= 5
    assert json.loads((run / "record.json").read_text())["version"] == 1


def test_a_profile_of_a_run_that_ends_before_it_is_complete(corpus, tmp_path):
    ended = train(tmp_path / "run", corpus, "--max-steps", 3, "--profile", 100,
                  "--trace", tmp_path / "trace.json")

    assert ended.returncode == 0, ended.stderr
    answer = json.loads((tmp_path / "run" / "profile.json").read_text())
    assert answer["steps"] == 2 and answer["trace"] == ""


def test_a_profile_of_nonsense_is_refused(corpus, tmp_path):
    ended = train(tmp_path / "run", corpus, "--profile", -3)

    assert ended.returncode == 2 and "--profile" in ended.stderr
