"""Tests of tools/check_commits.py: faults of single messages, and a range of commits."""

import pathlib
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/check_commits.py"
sys.path.insert(0, str(SCRIPT.parent))
import check_commits  # noqa: E402  pylint: disable=wrong-import-position

GOOD = "Name the checkpoint in the message\n\nUsers asked which file was meant."


@pytest.mark.parametrize("message, fault", [
    (GOOD, None),
    ("x" * 72 + "\n\nWhy.", None),
    ("x" * 73 + "\n\nWhy.", "73 characters"),
    ("Fix it", "no body"),
    ("Fix it\n\n\n", "no body"),
    ("Fix it.\n\nWhy.", "full stop"),
    ("Fix it\nbecause\n\nWhy.", "second line"),
])
def test_message(message, fault):
    found = list(check_commits.faults("0123456789abcdef", message))

    assert len(found) == (0 if fault is None else 1), found
    assert fault is None or fault in found[0]


def test_range_of_commits(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True,
                       capture_output=True)

    def check(commits):
        return subprocess.run([sys.executable, SCRIPT, commits], cwd=tmp_path, check=False, capture_output=True,
                              text=True)

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "no body")
    git("commit", "-q", "--allow-empty", "-m", GOOD)

    assert check("HEAD~1..HEAD").returncode == 0
    everything = check("HEAD")
    assert everything.returncode == 1
    assert everything.stdout.count("\n") == 1 and "no body" in everything.stdout
