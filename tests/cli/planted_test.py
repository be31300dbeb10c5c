"""What is planted is found, before everything else; where nothing is planted nothing is found."""

import pytest
from planted import BY_OTHERS, FAULTS, HEALTHY, CannotPlant, found, paste, plant_and_run, run
from training import SCALE

# Those that `make test` plants: fast ones, of four families of rules.
ALWAYS = {"dynamic_shapes", "file_latency", "resampling_every_file", "shared_core"}
# Those in which the model waits most of its time.
STARVED = {"one_worker", "slow_disk", "file_latency", "huge_mp3s", "resampling_every_file"}
# Those that are not judged where other programs make every step longer.
NOT_BESIDE_OTHERS = {"model_too_small"}
full_suite = pytest.mark.skipif(SCALE == 1, reason="planted by make test-full")


@pytest.mark.parametrize("fault", [
    pytest.param(fault, marks=[] if fault in ALWAYS else full_suite) for fault in FAULTS])
def test_a_planted_fault_is_found_first(fault, tmp_path):
    try:
        plant, answer = plant_and_run(FAULTS[fault], tmp_path)
    except CannotPlant as why:
        pytest.skip(str(why))
    if fault in NOT_BESIDE_OTHERS and "machine_busy" in found(answer):
        pytest.skip("other programs keep the cores busy: how long steps take says nothing")

    assert found(answer)[:1] == [fault], answer["findings"]
    assert answer["healthy"] is False
    if fault in STARVED:
        assert answer["limit"] == "loading", answer["limited_by"]
    remedy = answer["findings"][0]["remedy"]
    pasted = paste(remedy, plant, tmp_path)
    found_something = 1 if "corpus check" in remedy and fault == "bad_files" else 0
    assert remedy and pasted.returncode == found_something, f"{remedy}\n{pasted.stderr}"
    if fault == "long_silences":
        assert "long_silence (60)" in pasted.stdout


@full_suite
@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_run_is_not_accused(name, tmp_path):
    answer = run(HEALTHY[name], tmp_path)

    assert set(found(answer)) <= BY_OTHERS, answer["findings"]
