"""An installed program can be moved and needs neither the build folder nor the library cache."""

import os
import pathlib
import re
import subprocess

import pytest

PROGRAM = pathlib.Path(os.environ["MYXTTS"])
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}


@pytest.fixture(name="moved", scope="module")
def fixture_moved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("install")
    subprocess.run(["cmake", "--install", PROGRAM.parent, "--prefix", folder / "first"],
                   check=True, capture_output=True)
    return (folder / "first").rename(folder / "moved")


def run(moved, *arguments, **extra):
    return subprocess.run([moved / "bin/myxtts", *arguments], check=False, text=True,
                          capture_output=True, env={**ENVIRONMENT, **extra}, timeout=60)


def test_moved_program_prints_its_version(moved):
    assert run(moved, "--version").stdout.startswith("myxtts ")


def test_moved_program_loads_its_own_libraries(moved):
    if "without LibTorch" in run(moved, "--version").stdout:
        pytest.skip("a build without LibTorch")

    result = run(moved, "bench", "mel", "--seconds", "0.1", LD_DEBUG="libs")

    assert result.returncode == 0
    loaded = re.findall(r"calling init: (\S*lib(?:torch|c10|gomp|cudart|cupti|myxtts)\S*)",
                        result.stderr)
    assert len(loaded) >= 5
    assert [path for path in loaded if not path.startswith(str(moved))] == []


def test_licences_are_installed(moved):
    assert list(moved.rglob("LICENSE")) and list(moved.rglob("THIRD_PARTY.md"))
