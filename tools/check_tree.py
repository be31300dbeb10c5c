#!/usr/bin/env python3
"""Checks rules of the source tree that compilers do not check. Prints one line per fault; exit 1 if there is one.

check_tree.py [ROOT]

layers         a module includes headers of itself and of the DEPENDS of its target in CMakeLists.txt, which come
               before it; headers of LibTorch appear only in files named *_torch.* or *_cuda.* and in headers
               that these include
tests          a test file has the name of a source file; names of suites and cases have no underscore
to-do          a to-do comment has the number of an issue: TO-DO(#123)
machine paths  no path contains the home folder of a user
file table     docs/reference/files.md is the output of tools/file_table.py
words          no retired word; tools/allowed_words.txt lists the exceptions
"""

import fnmatch
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import file_table  # noqa: E402  pylint: disable=wrong-import-position

SOURCE_SUFFIXES = {".h", ".cpp", ".cu"}
TEXT_SUFFIXES = SOURCE_SUFFIXES | {
    ".cmake", ".in", ".json", ".lock", ".md", ".py", ".sh", ".txt", ".yaml", ".yml", "",
}
VENVS = {".venv", ".venv-bench", ".venv-bench-tf", ".venv-check", ".venv-judges"}
IGNORED_FOLDERS = {".git", "build", "runs", "golden", "__pycache__"} | VENVS

MODULE = re.compile(r"^myxtts_module\((\w+)\s*([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
TORCH_INCLUDE = re.compile(r"^\s*#\s*include\s+<((?:torch|ATen|c10)/[^>]+)>", re.MULTILINE)
TEST_CASE = re.compile(r"^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)\(\s*(\w+)\s*,\s*(\w+)",
                       re.MULTILINE)
TODO_COMMENT = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b(?!\(#\d+\))")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:ro" + r"ot|home/[a-z][\w-]*)/")
ALLOWED_WORDS = "tools/allowed_words.txt"
RETIRED_WORDS = {
    "verdict": "diagnosis", "verdicts": "diagnoses",
    "remedy": "suggestion", "remedies": "suggestions",
    "twin": "reference implementation", "twins": "reference implementations",
    "critic": "discriminator", "critics": "discriminators",
    "contest": "adversarial loss", "telling": "discriminator loss", "fooling": "adversarial loss",
    "opinion": "discriminator output", "opinions": "discriminator outputs",
    "desk": "loader state", "ticket": "work item", "tickets": "work items",
    "orphan": "requeued item", "orphans": "requeued items",
    "guest": "idle-priority worker", "guests": "idle-priority workers", "rescue": "fallback worker",
    "patience": "timeout", "patient_for": "parallel_for_with_timeout",
    "stand_in": "replacement", "stand-in": "replacement", "stand-ins": "replacements",
    "mel_contract": "mel_spec", "mel contract": "mel spec", "mel maker": "mel extractor",
    "whoever": "the caller, a worker", "nobody": "no thread, no file", "somebody": "another process",
    "anew": "again", "goes on": "resumes, continues", "go on": "resume, continue",
    "set aside": "archive", "from chance": "random initialisation",
    "sharpen": "postfilter", "sharpness": "postfilter", "words_for": "format_*",
    "word errors": "word error rate (WER)", "averaged weights": "EMA weights",
    "voiced mels": "GTA mels", "voiced_mels": "gta_mels", "left out": "filtered", "left_out": "filtered",
    "update_maker": "collator", "a text to sound": "end-to-end synthesis",
}
RETIRED = re.compile(r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, RETIRED_WORDS), key=len, reverse=True)) + r")(?![\w-])",
                     re.IGNORECASE)


def files_below(root, folder, suffixes):
    for path in sorted((root / folder).rglob("*")):
        if path.is_file() and path.suffix in suffixes:
            if not IGNORED_FOLDERS & set(path.relative_to(root).parts):
                yield path


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def dependencies_of_modules(root):
    """The DEPENDS of each myxtts_module(NAME DEPENDS ... [LINKS ...]) in CMakeLists.txt, in their order."""
    modules = {}
    for name, rest in MODULE.findall((root / "CMakeLists.txt").read_text(encoding="utf-8")):
        words = rest.split("LINKS")[0].split()
        modules[name] = words[1:] if words[:1] == ["DEPENDS"] else []
    return modules


def layering_faults(root):
    modules = dependencies_of_modules(root)
    order = list(modules)
    for name, depends in modules.items():
        for target in depends:
            if target not in order[:order.index(name)]:
                yield f"CMakeLists.txt: {name} depends on {target}, which is not a module before it"
    for path in files_below(root, "src", SOURCE_SUFFIXES):
        name = path.relative_to(root)
        module = name.parts[1]
        if module not in modules:
            yield f"{name}: src/{module} has no myxtts_module() in CMakeLists.txt"
            continue
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            target = match[1].split("/")[0]
            place = f"{name}:{line_of(text, match.start(1))}"
            if match[1] == "build_version.h":
                continue  # generated, see cmake/Version.cmake
            if target not in modules:
                yield f'{place}: "{match[1]}" is not a path from src/'
            elif target != module and target not in modules[module]:
                yield f"{place}: {module} may not include {target}, which is not in its DEPENDS"


def torch_faults(root):
    for path in files_below(root, "src", {".cpp", ".cu"}):
        name = path.relative_to(root)
        if path.stem.endswith("_torch") or name.name.endswith("_cuda.cpp"):
            continue
        match = TORCH_INCLUDE.search(path.read_text())
        if match:
            yield f"{name}: includes <{match[1]}>; only *_torch.cpp and *_cuda.cpp may"


def test_faults(root):
    for path in files_below(root, "tests/unit", {".cpp"}):
        name = path.relative_to(root)
        if not path.stem.endswith("_test"):
            yield f"{name}: a unit test file ends in _test.cpp"
            continue
        module = name.parts[2]
        subject = path.stem.removesuffix("_test")
        stems = {source.stem for source in files_below(root, f"src/{module}", SOURCE_SUFFIXES)}
        # mel.cpp has mel_test.cpp and further files such as mel_parity_test.cpp; step_torch.cpp may have
        # step_parity_torch_test.cpp.
        stems |= {stem.removesuffix("_torch") for stem in stems}
        if not any(subject == stem or subject.startswith(stem + "_") for stem in stems):
            yield f"{name}: mirrors no file; expected the name of a file in src/{module}, then _test"
        text = path.read_text()
        for match in TEST_CASE.finditer(text):
            for word in match.groups():
                if "_" in word:
                    yield f"{name}:{line_of(text, match.start())}: '{word}' has an underscore"


def text_faults(root):
    for path in files_below(root, ".", TEXT_SUFFIXES):
        name = path.relative_to(root)
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for pattern, what in ((TODO_COMMENT, "a to-do comment without the number of an issue"),
                              (MACHINE_PATH, "a path of one machine")):
            for match in pattern.finditer(text):
                yield f"{name}:{line_of(text, match.start())}: {what}: {match[0]}"


def file_table_faults(root):
    yield from file_table.faults(root)
    page = root / file_table.PAGE
    if not page.exists() or page.read_text(encoding="utf-8") != file_table.page(root):
        yield f"{file_table.PAGE}: out of date; run tools/file_table.py --write"


def allowed_words(root):
    """Returns pairs of a word and a pattern of paths, from lines "WORD | PATH | reason"."""
    allowed = []
    file = root / ALLOWED_WORDS
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        if line.strip() and not line.startswith("#"):
            word, path, _ = (part.strip() for part in line.split("|"))
            allowed.append((word, path))
    return allowed


def word_faults(root):
    allowed = allowed_words(root)
    for path in files_below(root, ".", TEXT_SUFFIXES):
        name = str(path.relative_to(root))
        if name in (ALLOWED_WORDS, "tools/check_tree.py", "LICENSE"):
            continue
        excepted = {word for word, place in allowed if fnmatch.fnmatch(name, place)}
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for match in RETIRED.finditer(text):
            word = match[0].lower()
            if word not in excepted:
                yield f"{name}:{line_of(text, match.start())}: '{match[0]}': write {RETIRED_WORDS[word]}"


CHECKS = (layering_faults, torch_faults, test_faults, text_faults, file_table_faults, word_faults)


def main(root):
    faults = [fault for check in CHECKS for fault in check(root)]
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
