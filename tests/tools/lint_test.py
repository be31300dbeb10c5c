"""Tests of tools/lint.py with a fake clang-tidy."""

import json
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/lint.py"
HEADER = "/x/shared.h:3:1: error: too wide [bugprone-width,-warnings-as-errors]\\n  3 | wide\\n"


def lint(tmp_path, body, files):
    tidy = tmp_path / "tidy"
    tidy.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit\nfor file; do :; done\n{body}\n')
    tidy.chmod(0o755)
    (tmp_path / "build").mkdir(exist_ok=True)
    return subprocess.run([sys.executable, SCRIPT, tidy, "build"], input="\n".join(files), check=False,
                          text=True, capture_output=True, cwd=tmp_path)


def test_clean_files_print_nothing(tmp_path):
    done = lint(tmp_path, "exit 0", ["a.cpp", "b.cpp"])

    assert (done.returncode, done.stdout) == (0, "")


def test_finding_in_a_header_is_printed_once_with_its_notes(tmp_path):
    done = lint(tmp_path, f"printf '{HEADER}'; exit 1", ["a.cpp", "b.cpp", "c.cpp"])

    assert done.returncode == 1
    assert done.stdout.count("bugprone-width") == 1
    assert "  3 | wide" in done.stdout


def test_each_file_has_its_own_findings(tmp_path):
    body = 'echo "/x/$file:1:1: error: bad [bugprone-bad,-warnings-as-errors]"; exit 1'
    done = lint(tmp_path, body, ["a.cpp", "b.cpp"])

    assert sorted(line.split(":")[0] for line in done.stdout.splitlines()) == ["/x/a.cpp", "/x/b.cpp"]


def test_failure_of_clang_tidy_is_not_clean(tmp_path):
    done = lint(tmp_path, "echo no such file >&2; exit 1", ["a.cpp"])

    assert done.returncode == 1
    assert "a.cpp: clang-tidy failed" in done.stdout
    assert "no such file" in done.stdout


def linted_files(tmp_path):
    """Lints two files and returns those that clang-tidy was run on."""
    log = tmp_path / "linted"
    log.write_text("")
    done = lint(tmp_path, f'echo "$file" >> {log}', ["src/a.cpp", "src/b.cpp"])
    assert done.returncode == 0
    return sorted(log.read_text().split())


def test_clean_file_is_linted_again_only_after_a_change(tmp_path):
    both = ["src/a.cpp", "src/b.cpp"]
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cpp").write_text('#include "deep.h"\n')
    (tmp_path / "src/b.cpp").write_text("int b;\n")
    (tmp_path / "src/deep.h").write_text('#include "deeper.h"\n')
    (tmp_path / "src/deeper.h").write_text("int a;\n")
    (tmp_path / ".clang-tidy").write_text("Checks: a\n")

    assert linted_files(tmp_path) == both
    assert linted_files(tmp_path) == []
    (tmp_path / "src/deeper.h").write_text("int other;\n")
    assert linted_files(tmp_path) == ["src/a.cpp"]
    (tmp_path / ".clang-tidy").write_text("Checks: b\n")
    assert linted_files(tmp_path) == both


def test_file_with_a_finding_is_linted_every_time(tmp_path):
    body = 'echo "/x/$file:1:1: error: bad [bugprone-bad,-warnings-as-errors]"; exit 1'
    (tmp_path / "a.cpp").write_text("int a;\n")

    for _ in range(2):
        assert lint(tmp_path, body, ["a.cpp"]).returncode == 1


def test_files_of_a_unity_build_are_concatenated_and_keep_their_positions(tmp_path):
    (tmp_path / "build").mkdir()
    (tmp_path / "src").mkdir()
    joined = [tmp_path / "src" / name for name in ("a.cpp", "b.cpp")]
    joined[0].write_text("int a;\nint more;\n")
    joined[1].write_text("int b;\nint wrong;\n")
    both = tmp_path / "build/both.cxx"
    both.write_text("".join(f'#include "{path}"\n' for path in joined))
    (tmp_path / "build/compile_commands.json").write_text(
        json.dumps([{"directory": str(tmp_path), "file": str(both), "command": f"g++ -c {both}"}]))
    body = ('line=$(grep -n wrong "$file" | cut -d: -f1)\n'
            'echo "$file:$line:5: error: bad [bugprone-bad,-warnings-as-errors]"; exit 1')

    done = lint(tmp_path, body, ["src/a.cpp", "src/b.cpp"])

    assert done.returncode == 1
    assert done.stdout.splitlines() == [f"{joined[1]}:2:5: error: bad [bugprone-bad,-warnings-as-errors]"]
    entries = json.loads((tmp_path / "build/joined/compile_commands.json").read_text())
    # Includes relative to the source folder are still found.
    assert [entry["command"] for entry in entries] == [f"g++ -c {entries[0]['file']} -iquote{tmp_path / 'src'}"]
