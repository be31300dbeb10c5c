"""Tests of tools/file_table.py: the first sentences of files, and the detection of an outdated page."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import file_table  # noqa: E402  pylint: disable=wrong-import-position


@pytest.mark.parametrize("text, sentence", [
    ("// Writes PNG files. Thread-safe.\n#pragma once\n", "Writes PNG files"),
    ("#pragma once\n\n// Writes\n// PNG files: 8 bits.\nint x;\n", "Writes PNG files"),
    ("// Sizes, e.g. 6 GB, as text.\n", "Sizes, e.g. 6 GB, as text"),
    ("// Rounds to 0.5 dB. More.\n", "Rounds to 0.5 dB"),
    ("// First paragraph\n//\n// second.\n", "First paragraph"),
    ("// a | b\n", "a \\| b"),
    ("int x;  // trailing\n", ""),
])
def test_first_sentence(text, sentence):
    assert file_table.first_sentence(text) == sentence


@pytest.fixture(name="tree")
def fixture_tree(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("myxtts_module(base)\nmyxtts_module(audio DEPENDS base)\n")
    for name, text in (("base/error.h", "// Errors.\n"), ("audio/mel.cpp", "// Not shown.\n"),
                       ("audio/mel.h", "// Mels.\n"), ("audio/tool.cpp", "// A tool.\n")):
        path = tmp_path / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "docs/reference").mkdir(parents=True)
    return tmp_path


def test_page_has_a_row_per_file_in_the_order_of_the_modules(tree):
    rows = [line for line in file_table.page(tree).splitlines() if line.startswith(("| `", "## "))]

    assert rows == ["## base", "| `base/error` | Errors |",
                    "## audio", "| `audio/mel` | Mels |", "| `audio/tool` | A tool |"]


def test_check_fails_until_the_page_is_written(tree):
    assert file_table.main(["--check"], tree) == 1
    assert file_table.main(["--write"], tree) == 0
    assert file_table.main(["--check"], tree) == 0

    (tree / "src/audio/mel.h").write_text("// Other mels.\n")
    assert file_table.main(["--check"], tree) == 1
