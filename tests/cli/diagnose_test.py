"""`myxtts diagnose` on small corpora: silent about healthy ones, right about what was planted."""

import json
import os
import subprocess

import pytest
from training import SETTINGS, write_tones

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
    assert "verdict              healthy: no retracing detected" in healed.stdout


def test_retracing_refuses_before_step_1_what_leaves_out_most(corpus, tmp_path):
    ended = diagnose("retracing", corpus, "--max-mel-frames", 35, "--json", cwd=tmp_path)

    assert ended.returncode == 1, ended.stderr
    answer = json.loads(ended.stdout)
    assert answer["findings"][0]["id"] == "limits_leave_out"
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
        "read", "decode", "resample", "prepare", "mel", "text", "pad"]
    assert all(stage["wall_s"] >= 0 for stage in answer["stages"])
    assert answer["loader"]["batches"] == 12 and answer["training"]["steps"] == 12
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
