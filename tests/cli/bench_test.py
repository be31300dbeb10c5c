"""`myxtts bench`, and which commands load LibTorch and the OpenMP settings of the program."""

import json
import os
import pathlib
import re
import subprocess
import time

import pytest

PROGRAM = os.environ["MYXTTS"]
# Without OpenMP variables the program uses its own settings.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}


def run(*arguments, program=PROGRAM, **extra):
    return subprocess.run([program, *arguments], check=False, text=True, capture_output=True,
                          env={**ENVIRONMENT, **extra}, timeout=60)


def has_libtorch():
    return "without LibTorch" not in run("--version").stdout


needs_libtorch = pytest.mark.skipif(not has_libtorch(), reason="a build without LibTorch")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["bench", "--help"]])
def test_help_and_version_return_quickly_without_libtorch(arguments):
    loaded = run(*arguments, LD_DEBUG="files").stderr
    times = []
    for _ in range(5):
        start = time.perf_counter()
        assert run(*arguments).returncode == 0
        times.append(time.perf_counter() - start)

    assert "libtorch" not in loaded.replace("libtorch-", "")  # a folder name in the library path
    assert min(times) < 0.1


def test_json_report_has_the_documented_fields():
    report = json.loads(run("bench", "mel", "--seconds", "1", "--json").stdout)

    assert set(report) >= {"results", "machine", "version"}
    for result in report["results"]:
        assert set(result) == {"name", "value", "unit"}
        assert result["value"] > 0


def mel_values(*arguments):
    report = json.loads(run("bench", "mel", *arguments, "--json").stdout)
    return {result["name"]: result["value"] for result in report["results"]}


def test_audio_flag_measures_a_recording():
    values = mel_values("--audio", pathlib.Path(__file__).parents[1] / "golden/mel/phrase.wav")

    assert values["mel_fast"] > values["mel_reference"]
    assert values["mel_fast_largest_difference"] < 5e-3


def test_missing_recording_is_a_usage_error():
    result = run("bench", "mel", "--audio", "nowhere.wav")

    assert result.returncode == 2
    assert "nowhere.wav: no such file" in result.stderr


@needs_libtorch
def test_mel_extractors_agree_and_ratios_match_their_values():
    values = mel_values("--seconds", "1")

    assert values["mel_largest_difference"] < 5e-3
    assert values["mel_fast_to_libtorch"] == pytest.approx(
        values["mel_fast"] / values["mel_libtorch"])
    assert values["mel_libtorch_to_reference"] == pytest.approx(
        values["mel_libtorch"] / values["mel_reference"])


@needs_libtorch
def test_openmp_is_loaded_once_with_the_program_settings():
    result = run("bench", "mel", "--seconds", "0.1", OMP_DISPLAY_ENV="verbose", LD_DEBUG="libs")

    assert len(set(re.findall(r"calling init: (\S*libgomp\S*)", result.stderr))) == 1
    settings = result.stderr.rsplit("OPENMP DISPLAY ENVIRONMENT BEGIN", maxsplit=1)[1]
    assert re.search(r"OMP_WAIT_POLICY = 'PASSIVE'", settings)
    assert re.search(r"GOMP_SPINCOUNT = '10000'", settings)


@needs_libtorch
def test_openmp_settings_of_the_user_are_kept():
    result = run("bench", "mel", "--seconds", "0.1", OMP_DISPLAY_ENV="true",
                 OMP_NUM_THREADS="2", OMP_WAIT_POLICY="active")

    assert result.returncode == 0
    assert result.stderr.count("OPENMP DISPLAY ENVIRONMENT BEGIN") == 1
    assert re.search(r"OMP_WAIT_POLICY = 'ACTIVE'", result.stderr)


@pytest.mark.parametrize("arguments", [["--seconds", "0"], ["--seconds", "x"], ["--device", "tpu9x"]])
def test_invalid_value_is_a_usage_error(arguments):
    if arguments[0] == "--device" and not has_libtorch():
        pytest.skip("device names are checked with LibTorch only")
    assert run("bench", "mel", *arguments).returncode == 2


def test_loader_bench_reports_every_variant(myxtts, demo_corpus):
    """Mels load faster from the disk cache or from memory than from the recordings."""
    result = myxtts("bench", "loader", "--train-data", demo_corpus, "--batch-size", 2, "--rounds", 1,
                    "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    values = {result["name"]: result["value"] for result in report["results"]}

    assert set(values) == {
        "loader_inline", "loader_files", "loader_prepared", "loader_voices", "loader_first_epoch",
        "loader_second_epoch", "loader_memory", "loader_second_to_first_epoch",
        "loader_second_epoch_to_prepared"}
    assert values["loader_second_epoch"] > values["loader_first_epoch"]
    assert values["loader_second_epoch"] > values["loader_prepared"]
    assert values["loader_memory"] > values["loader_prepared"]


@pytest.mark.parametrize(("arguments", "message"), [
    (["--batch-size", "0"], "--batch-size 0: expected 1 to 256"),
    (["--rounds", "0"], "--rounds 0: expected 1 to 1000"),
    (["--num-workers", "-1"], "--num-workers -1: expected 0 (one per core) to 256"),
])
def test_invalid_loader_bench_flags_are_usage_errors(myxtts, demo_corpus, arguments, message):
    result = myxtts("bench", "loader", "--train-data", demo_corpus, *arguments)

    assert result.returncode == 2
    assert message in result.stderr


def test_loader_bench_without_a_corpus_suggests_corpus_demo(myxtts, tmp_path):
    result = myxtts("bench", "loader", cwd=tmp_path)

    assert result.returncode == 2
    assert "myxtts corpus demo" in result.stderr
