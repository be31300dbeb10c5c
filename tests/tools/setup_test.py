"""Tests of tools/setup.sh with fake commands: no network, no root, no files outside a temporary folder."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]
TOOLS = ("bash sh env awk basename cat comm cp cut dirname find flock id mkdir mktemp mv realpath rm "
         "sed sha256sum sleep sort tail touch uname unzip").split()


class Machine:
    """A clone with a small wheel in its lock file, and a PATH with fake commands and basic tools."""

    def __init__(self, folder):
        self.clone = folder / "clone"
        self.bin = folder / "bin"
        self.home = folder / "home"
        self.wheels = folder / "wheels"
        for path in (self.clone / "tools", self.bin, self.home, self.wheels):
            path.mkdir(parents=True)
        shutil.copy(ROOT / "tools/setup.sh", self.clone / "tools/setup.sh")
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        (self.clone / "tools/apt-packages.txt").write_text("build cmake\nbuild ninja-build\n")
        self.torch_hash = self.add_wheel("torch", "2.13.0", {
            "torch/include/torch/version.h": b"2.13",
            "torch/include/fmt/format.h": b"shadows the fmt of Debian",
            "torch/include/google/protobuf.h": b"conflicts",
            "torch/lib/libtorch_cpu.so": b"cpu",
            "torch/lib/libc10.so": b"c10",
            "torch/lib/libgomp.so.1": b"gomp",
            "torch/lib/libtorch_cuda.so": b"cuda",
            "torch/lib/libc10_cuda.so": b"c10 cuda",
            "torch/lib/libtorch_nvshmem.so": b"nvshmem",
            "torch/lib/libtorch_python.so": b"not wanted",
            "torch-2.13.0.dist-info/METADATA": b"Requires-Dist: nvidia-cudnn-cu13==9; x",
        })
        self.add_wheel("nvidia-cuda-runtime", "13", {"nvidia/cu13/lib/libcudart.so.13": b"cudart"})
        self.add_wheel("nvidia-cuda-cupti", "13", {"nvidia/cu13/lib/libcupti.so.13": b"cupti"})

    def add_wheel(self, package, version, files):
        path = self.wheels / f"{package}.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            for name, content in files.items():
                wheel.writestr(name, content)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        with open(self.clone / "tools/wheels.lock", "a", encoding="ascii") as lock:
            lock.write(f"{os.uname().machine} {package} {version} any {digest}\n")
        return digest

    def fake(self, name, script):
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def fake_pip(self, num_corrupt):
        """Creates a pip whose first `num_corrupt` downloads are corrupt. pip-calls lists all downloads."""
        self.fake("pip", f"""
          while (($#)); do [[ $1 == --dest ]] && dest=$2; package=${{1%%==*}}; shift; done
          echo "$package" >>{self.home}/pip-calls
          cp {self.wheels}/$package.whl "$dest/"
          if (($(grep -c . {self.home}/pip-calls) <= {num_corrupt})); then
            echo cut >"$dest/$package.whl"
          fi""")
        (self.bin / "grep").symlink_to(shutil.which("grep"))

    def pip_calls(self):
        path = self.home / "pip-calls"
        return path.read_text().split() if path.exists() else []

    def run(self, *parts):
        environment = {"PATH": str(self.bin), "HOME": str(self.home), "MYXTTS_RETRY_PAUSE_S": "0",
                       "CUDA_HOME": str(self.home / "no-toolkit")}
        return subprocess.run(["bash", str(self.clone / "tools/setup.sh"), *parts], check=False,
                              env=environment, text=True, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)

    @property
    def libtorch(self):
        return self.home / ".cache/myxtts" / f"libtorch-{self.torch_hash[:16]}"


@pytest.fixture(name="machine")
def fixture_machine(tmp_path):
    return Machine(tmp_path)


def test_only_needed_files_are_unpacked(machine):
    machine.fake_pip(num_corrupt=0)

    assert machine.run("libtorch").returncode == 0

    files = {str(path.relative_to(machine.libtorch)) for path in machine.libtorch.rglob("*.*")}
    assert "torch/lib/libtorch_cpu.so" in files
    assert "torch/lib/libcudart.so.13" in files and "torch/lib/libcupti.so.13" in files
    assert not any("fmt" in name or "google" in name or "python" in name for name in files)
    assert "torch/lib/libtorch_cuda.so" not in files
    left = {path.name for path in machine.libtorch.parent.iterdir()}
    assert left == {machine.libtorch.name, "lock"}


def test_second_run_prints_and_downloads_nothing(machine):
    machine.fake_pip(num_corrupt=0)
    machine.run("libtorch")
    before = machine.pip_calls()

    again = machine.run("libtorch")

    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert machine.pip_calls() == before


def test_corrupt_download_is_repeated(machine):
    machine.fake_pip(num_corrupt=2)

    result = machine.run("libtorch")

    assert result.returncode == 0
    assert result.stderr.count("download is corrupt") == 2
    assert machine.pip_calls()[:3] == ["torch"] * 3
    assert (machine.libtorch / "torch/lib/libtorch_cpu.so").read_text() == "cpu"


def test_three_corrupt_downloads_are_an_error(machine):
    machine.fake_pip(num_corrupt=99)

    result = machine.run("libtorch")

    assert result.returncode == 1
    assert "3 downloads failed" in result.stderr
    assert not machine.libtorch.exists()


def test_incomplete_folder_is_replaced(machine):
    machine.fake_pip(num_corrupt=0)
    (machine.libtorch / "torch/lib").mkdir(parents=True)
    (machine.libtorch / "torch/lib/libtorch_cpu.so").write_text("half")

    assert machine.run("libtorch").returncode == 0
    assert (machine.libtorch / "torch/lib/libtorch_cpu.so").read_text() == "cpu"


def test_libraries_of_the_toolkit_are_used_and_cuda_parts_unpacked(machine):
    machine.fake_pip(num_corrupt=0)
    toolkit = machine.home / "no-toolkit"
    for name in ("lib64/libcudart.so.13", "extras/CUPTI/lib64/libcupti.so.13", "bin/nvcc"):
        (toolkit / name).parent.mkdir(parents=True, exist_ok=True)
        (toolkit / name).write_text("from the toolkit")
    (toolkit / "bin/nvcc").chmod(0o755)

    assert machine.run("libtorch").returncode == 0

    assert machine.pip_calls() == ["torch"]
    assert (machine.libtorch / "torch/lib/libcudart.so.13").read_text() == "from the toolkit"
    assert (machine.libtorch / "torch/lib/libtorch_cuda.so").exists()


def test_toolkit_installed_later_completes_the_cache(machine):
    machine.fake_pip(num_corrupt=0)
    machine.run("libtorch")
    machine.fake("nvcc", "true")

    assert machine.run("libtorch").returncode == 0
    assert (machine.libtorch / "torch/lib/libtorch_cuda.so").exists()


def test_apt_is_not_called_if_all_packages_are_installed(machine):
    machine.fake("dpkg-query", "printf 'ii  cmake\\nii  ninja-build\\n'")
    machine.fake("apt-get", "echo apt-get was called; exit 1")

    result = machine.run("build")

    assert (result.returncode, result.stderr) == (0, "")


def test_root_installs_only_missing_packages(machine):
    machine.fake("dpkg-query", "printf 'ii  cmake\\n'")
    machine.fake("id", "echo 0")
    machine.fake("apt-get", f'echo "$@" >>{machine.home}/apt-calls')

    assert machine.run("build").returncode == 0

    calls = (machine.home / "apt-calls").read_text().splitlines()
    assert calls[0].startswith("update")
    assert "ninja-build" in calls[1] and "cmake" not in calls[1]


def test_sudo_is_used_when_not_root(machine):
    machine.fake("dpkg-query", "true")
    machine.fake("id", "echo 1000")
    machine.fake("sudo", f'echo "$@" >>{machine.home}/sudo-calls')

    assert machine.run("build").returncode == 0
    assert "apt-get install" in (machine.home / "sudo-calls").read_text()


def test_without_root_and_sudo_the_command_is_printed(machine):
    machine.fake("dpkg-query", "true")
    machine.fake("id", "echo 1000")

    result = machine.run("build")

    assert result.returncode == 1
    assert "apt-get install -y --no-install-recommends cmake ninja-build" in result.stderr


def test_failure_of_apt_prints_its_output_and_the_command(machine):
    machine.fake("dpkg-query", "true")
    machine.fake("id", "echo 0")
    machine.fake("apt-get", "echo E: no such mirror; exit 100")

    result = machine.run("build")

    assert result.returncode == 1
    assert "no such mirror" in result.stderr and "apt-get install" in result.stderr


def test_peers_use_the_version_of_libtorch():
    lock = (ROOT / "tools/wheels.lock").read_text(encoding="ascii")
    locked = {line.split()[2] for line in lock.splitlines() if line.split()[1:2] == ["torch"]}
    wanted = (ROOT / "tools/requirements-bench.txt").read_text(encoding="ascii").split()

    assert [f"torch=={version}" for version in locked] == [word for word in wanted
                                                           if word.startswith("torch==")]


def test_unknown_part_is_an_error(machine):
    assert machine.run("nonsense").returncode == 1
