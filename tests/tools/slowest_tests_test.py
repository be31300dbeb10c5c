"""Tests of tools/slowest_tests.py with a small JUnit file."""

import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/slowest_tests.py"


def run(tmp_path, *arguments):
    cases = "".join(
        f'<testcase name="t{i}" time="{i / 10}" status="{"fail" if i == 3 else "run"}"/>'
        for i in range(12))
    report = tmp_path / "report.xml"
    report.write_text(f'<testsuite name="x" tests="12">{cases}</testsuite>')
    return subprocess.run([sys.executable, SCRIPT, *arguments, report], check=True, text=True,
                          capture_output=True).stdout


def test_prints_the_ten_slowest_in_order(tmp_path):
    names = [line.split()[-1] for line in run(tmp_path).splitlines()[1:]]

    assert names == [f"t{i}" for i in range(11, 1, -1)]


def test_count_has_the_format_of_ctest(tmp_path):
    assert run(tmp_path, "--count") == "91% tests passed, 1 tests failed out of 12\n"
