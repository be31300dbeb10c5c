"""tools/lint.py over a stand-in that answers as clang-tidy does."""

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


def test_clean_files_are_silent(tmp_path):
    done = lint(tmp_path, "exit 0", ["a.cpp", "b.cpp"])

    assert (done.returncode, done.stdout) == (0, "")


def test_a_finding_in_a_header_is_shown_once_with_its_lines(tmp_path):
    done = lint(tmp_path, f"printf '{HEADER}'; exit 1", ["a.cpp", "b.cpp", "c.cpp"])

    assert done.returncode == 1
    assert done.stdout.count("bugprone-width") == 1
    assert "  3 | wide" in done.stdout


def test_each_file_keeps_its_own_findings(tmp_path):
    body = 'echo "/x/$file:1:1: error: bad [bugprone-bad,-warnings-as-errors]"; exit 1'
    done = lint(tmp_path, body, ["a.cpp", "b.cpp"])

    assert sorted(line.split(":")[0] for line in done.stdout.splitlines()) == ["/x/a.cpp", "/x/b.cpp"]


def test_a_file_that_cannot_be_read_is_not_clean(tmp_path):
    done = lint(tmp_path, "echo no such file >&2; exit 1", ["a.cpp"])

    assert done.returncode == 1
    assert "a.cpp: clang-tidy failed" in done.stdout
    assert "no such file" in done.stdout


def looked_at(tmp_path):
    """Which of two files that share a header are given to the tool."""
    log = tmp_path / "looked_at"
    log.write_text("")
    done = lint(tmp_path, f'echo "$file" >> {log}', ["src/a.cpp", "src/b.cpp"])
    assert done.returncode == 0
    return sorted(log.read_text().split())


def test_a_clean_file_is_looked_at_again_only_when_something_in_it_has_changed(tmp_path):
    both = ["src/a.cpp", "src/b.cpp"]
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cpp").write_text('#include "deep.h"\n')
    (tmp_path / "src/b.cpp").write_text("int b;\n")
    (tmp_path / "src/deep.h").write_text('#include "deeper.h"\n')
    (tmp_path / "src/deeper.h").write_text("int a;\n")
    (tmp_path / ".clang-tidy").write_text("Checks: a\n")

    assert looked_at(tmp_path) == both
    assert looked_at(tmp_path) == []
    (tmp_path / "src/deeper.h").write_text("int other;\n")
    assert looked_at(tmp_path) == ["src/a.cpp"]
    (tmp_path / ".clang-tidy").write_text("Checks: b\n")
    assert looked_at(tmp_path) == both


def test_a_file_with_a_finding_is_looked_at_every_time(tmp_path):
    body = 'echo "/x/$file:1:1: error: bad [bugprone-bad,-warnings-as-errors]"; exit 1'
    (tmp_path / "a.cpp").write_text("int a;\n")

    for _ in range(2):
        assert lint(tmp_path, body, ["a.cpp"]).returncode == 1


def test_files_that_the_build_joins_are_written_into_one_and_keep_their_places(tmp_path):
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
    given = json.loads((tmp_path / "build/joined/compile_commands.json").read_text())
    # What the files include from beside them is still found.
    assert [entry["command"] for entry in given] == [f"g++ -c {given[0]['file']} -iquote{tmp_path / 'src'}"]
