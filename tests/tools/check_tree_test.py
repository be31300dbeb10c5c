"""Tests of tools/check_tree.py: a clean tree passes, and every check detects a fault."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools"))
import check_tree  # noqa: E402  pylint: disable=wrong-import-position
import file_table  # noqa: E402  pylint: disable=wrong-import-position


MEL_HEADER = "// Log-mel frames. Thread-safe.\n#pragma once\n"


@pytest.fixture(name="tree")
def fixture_tree(tmp_path):
    write(tmp_path, "CMakeLists.txt", "myxtts_module(base)\nmyxtts_module(audio DEPENDS base)\n")
    write(tmp_path, "src/base/error.h", "// Error types.\n#pragma once\n")
    write(tmp_path, "src/audio/mel.cpp", '#include "audio/mel.h"\n#include "base/error.h"\n')
    write(tmp_path, "src/audio/mel.h", MEL_HEADER)
    write(tmp_path, "tests/unit/audio/mel_test.cpp", "TEST(Mel, AToneIsOneLine) {}\n")
    write_file_table(tmp_path)
    return tmp_path


def write(root, name, text):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_file_table(root):
    write(root, file_table.PAGE, file_table.page(root))


def faults(tree):
    return [fault for check in check_tree.CHECKS for fault in check(tree)]


def only_fault(tree):
    found = faults(tree)
    assert len(found) == 1, found
    return found[0]


def test_clean_tree_has_no_faults(tree):
    assert faults(tree) == []
    assert check_tree.main(tree) == 0


def test_include_of_a_higher_layer(tree):
    write(tree, "src/base/error.h", '// Error types.\n#include "audio/mel.h"\n')

    assert only_fault(tree).startswith("src/base/error.h:2: base may not include audio")
    assert check_tree.main(tree) == 1


def test_include_of_a_lower_layer_that_is_no_dependency(tree):
    write(tree, "CMakeLists.txt", "myxtts_module(base)\nmyxtts_module(audio LINKS x)\n")

    assert "audio may not include base, which is not in its DEPENDS" in only_fault(tree)


def test_dependency_on_a_later_module(tree):
    write(tree, "CMakeLists.txt", "myxtts_module(base DEPENDS audio)\nmyxtts_module(audio\n  DEPENDS base)\n")

    assert only_fault(tree) == "CMakeLists.txt: base depends on audio, which is not a module before it"


def test_include_that_is_not_from_src(tree):
    write(tree, "src/audio/mel.h", MEL_HEADER + '#include "mel_tables.h"\n')

    assert "is not a path from src/" in only_fault(tree)


def test_libtorch_in_a_file_that_builds_without_it(tree):
    write(tree, "src/audio/mel.cpp", "#include <torch/types.h>\n")

    assert "includes <torch/types.h>" in only_fault(tree)


def test_libtorch_in_a_torch_file(tree):
    write(tree, "src/audio/mel_torch.cpp", "// Log-mel frames by LibTorch.\n#include <torch/types.h>\n")
    write_file_table(tree)

    assert faults(tree) == []


def test_underscore_in_a_test_name(tree):
    write(tree, "tests/unit/audio/mel_test.cpp", "\nTEST(Mel, Tone_IsOneLine) {}\n")

    assert only_fault(tree) == "tests/unit/audio/mel_test.cpp:2: 'Tone_IsOneLine' has an underscore"


def test_test_without_a_source(tree):
    write(tree, "tests/unit/audio/pitch_test.cpp", "")

    assert "mirrors no file" in only_fault(tree)


def test_second_test_file_of_a_source(tree):
    write(tree, "tests/unit/audio/mel_parity_test.cpp", "")

    assert faults(tree) == []


def test_to_do_comment_without_the_number_of_an_issue(tree):
    write(tree, "src/audio/mel.h", MEL_HEADER + "// TO" "DO: later\n// TO" "DO(#12): with an issue\n")

    assert only_fault(tree).startswith("src/audio/mel.h:3: a to-do comment")


@pytest.mark.parametrize("path", ["/ro" "ot/x", "/home/" "someone/x"])
def test_path_of_one_machine(tree, path):
    write(tree, "tools/run.sh", f"ls {path}\n")

    assert "a path of one machine" in only_fault(tree)


def test_source_file_that_is_not_in_the_file_table(tree):
    write(tree, "src/audio/trim.cpp", "// Trims silence.\n")

    assert only_fault(tree).startswith("docs/reference/files.md: out of date")


def test_header_without_a_first_sentence(tree):
    write(tree, "src/audio/trim.h", "#pragma once\n")
    write_file_table(tree)

    assert only_fault(tree).startswith("src/audio/trim.h: no comment describes")


def test_retired_word(tree):
    write(tree, "docs/train.md", "The " "ver" "dict is in the log.\n")

    assert only_fault(tree) == "docs/train.md:1: 'ver" "dict': write diagnosis"


def test_retired_word_within_another_word(tree):
    write(tree, "docs/train.md", "The inver" "diction.\n")

    assert faults(tree) == []


def test_allowed_word(tree):
    write(tree, "docs/train.md", "The " "ver" "dict is in the log.\n")
    write(tree, "tools/allowed_words.txt", "# exceptions\nver" "dict | docs/* | the name of a field\n")

    assert faults(tree) == []
