"""myxtts bench, and the two halves of the program: what loads LibTorch and what must not."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time

import pytest

PROGRAM = os.environ["MYXTTS"]
# The settings of OpenMP are the program's business here.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}


def run(*arguments, program=PROGRAM, **extra):
    return subprocess.run([program, *arguments], check=False, text=True, capture_output=True,
                          env={**ENVIRONMENT, **extra}, timeout=60)


def has_libtorch():
    return "without LibTorch" not in run("--version").stdout


needs_libtorch = pytest.mark.skipif(not has_libtorch(), reason="a build without LibTorch")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["bench", "--help"]])
def test_answers_at_once_and_without_libtorch(arguments):
    loaded = run(*arguments, LD_DEBUG="files").stderr
    times = []
    for _ in range(5):
        start = time.perf_counter()
        assert run(*arguments).returncode == 0
        times.append(time.perf_counter() - start)

    assert "libtorch" not in loaded.replace("libtorch-", "")  # the cache folder's name
    assert min(times) < 0.1


def test_json_holds_the_contract():
    report = json.loads(run("bench", "mel", "--seconds", "1", "--json").stdout)

    assert set(report) >= {"results", "machine", "version"}
    for result in report["results"]:
        assert set(result) == {"name", "value", "unit"}
        assert result["value"] > 0


def mel_values(*arguments):
    report = json.loads(run("bench", "mel", *arguments, "--json").stdout)
    return {result["name"]: result["value"] for result in report["results"]}


def test_a_recording_takes_the_place_of_the_sound():
    values = mel_values("--audio", pathlib.Path(__file__).parents[1] / "golden/mel/phrase.wav")

    assert values["mel_fast"] > values["mel_reference"]
    assert values["mel_fast_largest_difference"] < 5e-3


def test_a_recording_that_is_not_there_is_exit_2():
    result = run("bench", "mel", "--audio", "nowhere.wav")

    assert result.returncode == 2
    assert "nowhere.wav: no such file" in result.stderr


@needs_libtorch
def test_the_mels_agree_and_the_ratios_are_theirs():
    values = mel_values("--seconds", "1")

    assert values["mel_largest_difference"] < 5e-3
    assert values["mel_fast_to_libtorch"] == pytest.approx(
        values["mel_fast"] / values["mel_libtorch"])
    assert values["mel_libtorch_to_reference"] == pytest.approx(
        values["mel_libtorch"] / values["mel_reference"])


@needs_libtorch
def test_openmp_is_loaded_once_with_our_settings():
    result = run("bench", "mel", "--seconds", "0.1", OMP_DISPLAY_ENV="verbose", LD_DEBUG="libs")

    assert len(set(re.findall(r"calling init: (\S*libgomp\S*)", result.stderr))) == 1
    last = result.stderr.rsplit("OPENMP DISPLAY ENVIRONMENT BEGIN", maxsplit=1)[1]
    assert re.search(r"OMP_NUM_THREADS = '1'", last)
    assert re.search(r"OMP_WAIT_POLICY = 'PASSIVE'", last)
    assert re.search(r"GOMP_SPINCOUNT = '10000'", last)


@needs_libtorch
def test_what_the_person_set_for_openmp_stays():
    result = run("bench", "mel", "--seconds", "0.1", OMP_DISPLAY_ENV="true",
                 OMP_NUM_THREADS="2", OMP_WAIT_POLICY="active")

    assert result.returncode == 0
    assert result.stderr.count("OPENMP DISPLAY ENVIRONMENT BEGIN") == 1
    assert re.search(r"OMP_WAIT_POLICY = 'ACTIVE'", result.stderr)


@needs_libtorch
def test_missing_tensor_library_is_one_line_with_the_remedy(tmp_path):
    alone = shutil.copy(PROGRAM, tmp_path / "myxtts")

    result = run("bench", "mel", program=str(alone))

    assert result.returncode == 1
    assert "libmyxtts_torch.so" in result.stderr and "make build" in result.stderr
    assert run("--help", program=str(alone)).returncode == 0


@pytest.mark.parametrize("arguments", [["--seconds", "0"], ["--seconds", "x"], ["--device", "tpu9x"]])
def test_wrong_value_is_exit_2(arguments):
    if arguments[0] == "--device" and not has_libtorch():
        pytest.skip("only LibTorch knows devices")
    assert run("bench", "mel", *arguments).returncode == 2


def test_the_loader_is_measured_by_every_way(myxtts, demo_corpus):
    """Out of the cache is faster than by computing, and memory is the fastest, by far more than noise."""
    answer = myxtts("bench", "loader", "--train-data", demo_corpus, "--batch-size", 2, "--rounds", 1,
                    "--json")
    assert answer.returncode == 0, answer.stderr
    report = json.loads(answer.stdout)
    values = {result["name"]: result["value"] for result in report["results"]}

    assert set(values) == {
        "loader_inline", "loader_files", "loader_prepared", "loader_voices", "loader_first_epoch",
        "loader_second_epoch", "loader_memory", "loader_second_to_first_epoch",
        "loader_second_epoch_to_prepared"}
    assert values["loader_second_epoch"] > values["loader_first_epoch"]
    assert values["loader_second_epoch"] > values["loader_prepared"]
    assert values["loader_memory"] > values["loader_prepared"]


@pytest.mark.parametrize(("arguments", "words"), [
    (["--batch-size", "0"], "--batch-size 0: expected 1 to 256"),
    (["--rounds", "0"], "--rounds 0: expected 1 to 1000"),
    (["--num-workers", "-1"], "--num-workers -1: expected 0 (one per core) to 256"),
])
def test_a_wrong_loader_bench_is_refused(myxtts, demo_corpus, arguments, words):
    answer = myxtts("bench", "loader", "--train-data", demo_corpus, *arguments)

    assert answer.returncode == 2
    assert words in answer.stderr


def test_a_loader_bench_without_a_corpus_says_how_to_make_one(myxtts, tmp_path):
    answer = myxtts("bench", "loader", cwd=tmp_path)

    assert answer.returncode == 2
    assert "myxtts corpus demo" in answer.stderr
