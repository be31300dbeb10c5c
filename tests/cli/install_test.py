"""An installed program can be moved, and its libraries can be embedded by other programs."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

PROGRAM = pathlib.Path(os.environ["MYXTTS"])
SOURCES = pathlib.Path(__file__).resolve().parents[2]
MAX_SHARED_SYMBOLS = 50
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


def test_missing_libtorch_library_reports_how_to_build_it(moved, tmp_path):
    if "without LibTorch" in run(moved, "--version").stdout:
        pytest.skip("a build without LibTorch")
    for file in ("bin/myxtts", "lib/libmyxtts_core.so.0"):
        (tmp_path / file).parent.mkdir()
        shutil.copy(moved / file, tmp_path / file)

    result = run(tmp_path, "bench", "mel")

    assert result.returncode == 1
    assert "libmyxtts.so.0" in result.stderr and "make build" in result.stderr
    assert run(tmp_path, "--help").returncode == 0


def test_licences_are_installed(moved):
    assert list(moved.rglob("LICENSE")) and list(moved.rglob("THIRD_PARTY.md"))


def exported_symbols(library):
    """The dynamic symbols that a library defines, without symbol versions."""
    names = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], check=True, text=True,
                           capture_output=True).stdout
    return {line.split()[0].split("@")[0] for line in names.splitlines()}


@pytest.fixture(name="libraries")
def fixture_libraries(moved):
    if "without LibTorch" in run(moved, "--version").stdout:
        pytest.skip("a build without LibTorch")
    return moved / "lib/libmyxtts_core.so.0", moved / "lib/libmyxtts.so.0"


def test_each_symbol_is_in_one_library(libraries):
    core, torch = map(exported_symbols, libraries)

    assert len(core) > 1000 and len(torch) > 20
    assert len(core & torch) < MAX_SHARED_SYMBOLS


def test_the_library_exports_the_public_interface_alone(libraries):
    declared = set(re.findall(r"\b(myxtts_\w+)\(", (SOURCES / "include/myxtts/myxtts.h").read_text()))
    names = exported_symbols(libraries[1])

    assert declared <= names
    unknown = {name for name in names if not name.startswith(("_ZN6myxtts5Voice", "_ZN6myxtts8Training",
                                                              "_ZNK6myxtts5Voice", "_ZNK6myxtts8Training"))}
    assert unknown - declared <= {"myxtts_torch_commands"}


@pytest.mark.parametrize("library", [0, 1])
def test_libraries_have_no_empty_or_relative_search_path(libraries, library):
    dynamic = subprocess.run(["readelf", "-d", libraries[library]], check=True, text=True,
                             capture_output=True).stdout
    [paths] = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic)

    assert all(path.startswith(("/", "$ORIGIN")) for path in paths.split(":"))
    assert re.search(r"SONAME.*\.so\.0\]", dynamic)


@pytest.fixture(name="voice", scope="module")
def fixture_voice(myxtts, demo_corpus, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "voice"
    trained = myxtts("train", "--train-data", demo_corpus, "--checkpoint-dir", folder, "--max-steps", "2",
                     "--batch-size", "4", "--set", "training.enable_text2audio_eval=false")
    assert trained.returncode == 0, trained.stderr
    return folder


@pytest.fixture(name="examples", scope="module")
def fixture_examples(moved, tmp_path_factory):
    """The folder of examples/embed, built against the installed package."""
    if "without LibTorch" in run(moved, "--version").stdout:
        pytest.skip("a build without LibTorch")
    build = tmp_path_factory.mktemp("embed")
    for command in (["cmake", "-S", SOURCES / "examples/embed", "-B", build, f"-DCMAKE_PREFIX_PATH={moved}"],
                    ["cmake", "--build", build]):
        result = subprocess.run(command, check=False, text=True, capture_output=True)
        assert result.returncode == 0, result.stdout + result.stderr
    return build


def test_cpp_example_writes_speech_and_word_timings(examples, voice, tmp_path):
    result = subprocess.run([examples / "embed_cpp", voice, "Good morning.", tmp_path / "a.wav"], check=False,
                            text=True, capture_output=True, timeout=60)

    assert (result.returncode, result.stderr) == (0, "")
    assert [line.split()[2] for line in result.stdout.splitlines()] == ["Good", "morning"]
    starts = [float(line.split()[0]) for line in result.stdout.splitlines()]
    assert 0.05 <= starts[0] < starts[1]
    assert (tmp_path / "a.wav").read_bytes()[:4] == b"RIFF" and (tmp_path / "a.wav").stat().st_size > 10_000


def test_c_example_streams_samples(examples, voice):
    result = subprocess.run([examples / "embed_c", voice, "Good morning."], check=False, capture_output=True,
                            timeout=60)

    assert result.returncode == 0, result.stderr
    assert len(result.stdout) > 10_000
    assert result.stderr.decode().split()[1::2] == ["Good", "morning"]


@pytest.mark.parametrize("program", ["embed_cpp", "embed_c"])
def test_example_reports_a_missing_voice_in_one_line(examples, tmp_path, program):
    out = [tmp_path / "a.wav"] if program == "embed_cpp" else []

    result = subprocess.run([examples / program, tmp_path / "nothing", "Hello.", *out], check=False, text=True,
                            capture_output=True, timeout=60)

    assert result.returncode in (1, 2) and result.stdout == ""
    assert result.stderr.count("\n") == 1 and "nothing" in result.stderr


def test_pkg_config_knows_the_installed_package(moved):
    result = subprocess.run(["pkg-config", "--cflags", "--libs", "myxtts"], check=False, text=True,
                            capture_output=True,
                            env={**os.environ, "PKG_CONFIG_PATH": str(moved / "lib/pkgconfig")})

    assert result.returncode == 0, result.stderr
    assert "-lmyxtts" in result.stdout and "include" in result.stdout
