"""Each injected fault is the first finding of `myxtts diagnose`. Healthy runs have no findings."""

import pytest
from fault_cases import (CAUSED_BY_OTHER_PROGRAMS, FAULTS, HEALTHY, CannotInject, apply_suggestion, finding_ids,
                         inject_fault, run)
from training import SCALE

# The faults that `make test` injects: fast ones, for four groups of rules.
QUICK = {"dynamic_shapes", "file_latency", "resampling_every_file", "shared_core"}
# The faults that make the model wait for data most of the time.
LOADING_BOUND = {"one_worker", "slow_disk", "file_latency", "huge_mp3s", "resampling_every_file"}
# The faults that are not tested while other programs slow down the steps.
NEEDS_IDLE_MACHINE = {"model_too_small"}
full_suite = pytest.mark.skipif(SCALE == 1, reason="injected by make test-full")


@pytest.mark.parametrize("fault", [
    pytest.param(fault, marks=[] if fault in QUICK else full_suite) for fault in FAULTS])
def test_injected_fault_is_the_first_finding(fault, tmp_path):
    try:
        case, report = inject_fault(FAULTS[fault], tmp_path)
    except CannotInject as reason:
        pytest.skip(str(reason))
    if fault in NEEDS_IDLE_MACHINE and "machine_busy" in finding_ids(report):
        pytest.skip("other programs keep the cores busy, so step times are not reliable")

    assert finding_ids(report)[:1] == [fault], report["findings"]
    assert report["healthy"] is False
    if fault in LOADING_BOUND:
        assert report["limit"] == "loading", report["limited_by"]
    suggestion = report["findings"][0]["remedy"]
    applied = apply_suggestion(suggestion, case, tmp_path)
    # `corpus check` exits with 1 because it reports the damaged files.
    expected_code = 1 if "corpus check" in suggestion and fault == "bad_files" else 0
    assert suggestion and applied.returncode == expected_code, f"{suggestion}\n{applied.stderr}"
    if fault == "long_silences":
        assert "long_silence (60)" in applied.stdout


@full_suite
@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_run_has_no_findings(name, tmp_path):
    report = run(HEALTHY[name], tmp_path)

    assert set(finding_ids(report)) <= CAUSED_BY_OTHER_PROGRAMS, report["findings"]
