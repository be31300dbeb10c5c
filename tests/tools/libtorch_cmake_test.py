"""Tests of cmake/LibTorch.cmake: accepted, rejected and untested versions of LibTorch."""

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(name="configure")
def fixture_configure(tmp_path):
    """Configures a project that needs LibTorch. A version creates a fake LibTorch below CMAKE_PREFIX_PATH."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/wheels.lock", tmp_path / "tools")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(probe CXX)\n"
        f"include({ROOT}/cmake/LibTorch.cmake)\n"
        'message(STATUS "found ${MYXTTS_LIBTORCH_VERSION}")\n')

    def configure(version=None):
        prefix = tmp_path / "prefix"
        if version:
            major, minor, patch = version.split(".")
            header = prefix / "include/torch/headeronly/version.h"
            header.parent.mkdir(parents=True)
            header.write_text(f"#define TORCH_VERSION_MAJOR {major}\n"
                              f"#define TORCH_VERSION_MINOR {minor}\n"
                              f"#define TORCH_VERSION_PATCH {patch}\n")
            (prefix / "lib").mkdir()
            (prefix / "lib/libtorch_cpu.so").write_text("")
        result = subprocess.run(
            ["cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja",
             f"-DCMAKE_PREFIX_PATH={prefix}"],
            check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
        result.stdout = " ".join(result.stdout.split())  # CMake wraps lines
        return result

    return configure


def test_tested_version_is_used_without_warning(configure):
    result = configure("2.13.0")

    assert result.returncode == 0
    assert "found 2.13.0" in result.stdout and "Warning" not in result.stdout


def test_untested_version_gives_a_warning(configure):
    result = configure("2.9.1")

    assert result.returncode == 0
    assert "only 2.13 is tested" in result.stdout


def test_old_version_is_rejected(configure):
    result = configure("2.7.1")

    assert result.returncode != 0
    assert "2.7.1" in result.stdout and "too old" in result.stdout


def test_missing_libtorch_names_the_setup_script(configure):
    result = configure()

    assert result.returncode != 0
    assert "tools/setup.sh" in result.stdout
