#!/usr/bin/env python3
"""Writes docs/reference/files.md: one row per source file, from the first sentence of its header.

    tools/file_table.py            prints the page
    tools/file_table.py --write    writes it
    tools/file_table.py --check    exit 1 if the page differs from what would be written

The sentence is taken from the first comment of the header; a .cpp or .cu without a header speaks for itself.
"""

import pathlib
import re
import sys

PAGE = "docs/reference/files.md"
HEAD = """# Source files

One row per file of `src/`, made by `tools/file_table.py --write` from the first sentence of each header. Folders are
in the order in which an utterance passes through them; [ARCHITECTURE.md](../../ARCHITECTURE.md) has the overview.
"""
SENTENCE_END = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!\bvs)[.:;](?=\s|$)")
GENERATED = {"build_version"}


def modules(root):
    """The folders of src/ in the order of CMakeLists.txt."""
    text = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.findall(r"^xtts_module\((\w+)", text, re.MULTILINE)


def first_comment(text):
    """The first block of // lines, as one line of text; empty if there is none."""
    block = []
    for line in text.splitlines():
        match = re.match(r"\s*//\s?(.*)", line)
        if match:
            if not match[1].strip() and block:
                break
            block.append(match[1].strip())
        elif block:
            break
    return " ".join(block)


def first_sentence(text):
    comment = first_comment(text)
    end = SENTENCE_END.search(comment)
    sentence = comment[: end.start()] if end else comment
    return sentence.strip().replace("|", "\\|")


def described_files(folder):
    """Pairs of a stem and the file that describes it."""
    stems = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in {".h", ".cpp", ".cu"} and path.stem not in GENERATED and path.name != "main.cpp":
            if path.stem not in stems or path.suffix == ".h":
                stems[path.stem] = path
    return sorted(stems.items())


def faults(root):
    for module in modules(root):
        for _, path in described_files(root / "src" / module):
            if not first_sentence(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(root)}: no comment says in its first sentence what the file is for"


def page(root):
    lines = [HEAD]
    for module in modules(root):
        lines += [f"## {module}", "", "| file | purpose |", "|---|---|"]
        for stem, path in described_files(root / "src" / module):
            lines.append(f"| `{module}/{stem}` | {first_sentence(path.read_text(encoding='utf-8'))} |")
        lines.append("")
    return "\n".join(lines)


def main(arguments, root):
    text = page(root)
    target = root / PAGE
    if arguments == ["--write"]:
        target.write_text(text, encoding="utf-8")
    elif arguments == ["--check"]:
        found = target.read_text(encoding="utf-8") if target.exists() else ""
        if found != text:
            print(f"{PAGE}: out of date; run tools/file_table.py --write")
            return 1
    elif not arguments:
        print(text, end="")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], pathlib.Path(__file__).resolve().parents[1]))
