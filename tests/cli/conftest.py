"""Fixtures of all command-line tests: a function that runs the program, and a small corpus."""

import os
import subprocess

import pytest

PROGRAM = os.environ["MYXTTS"]


@pytest.fixture(scope="session")
def myxtts():
    """Runs the program: myxtts("stats", "--json", cwd=folder) -> CompletedProcess."""

    def call(*arguments, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], check=False,
                              text=options.pop("text", True),
                              stdin=options.pop("stdin", subprocess.DEVNULL),
                              capture_output=True, timeout=300, **options)

    return call


@pytest.fixture(scope="session")
def demo_corpus(myxtts, tmp_path_factory):
    """A corpus of `corpus demo` with twelve sentences and two voices."""
    folder = tmp_path_factory.mktemp("demo") / "demo_corpus"
    result = myxtts("corpus", "demo", "--out", folder, "--utterances", "12", "--voices", "slt,awb",
                    "--words", "2-8", "--val-share", "0.25")
    assert result.returncode == 0, result.stderr
    return folder
