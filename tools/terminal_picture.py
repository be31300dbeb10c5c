#!/usr/bin/env python3
"""Draws a frame of a terminal recording as SVG, such as docs/images/top.svg.

    terminal_picture.py RECORDING.cast SECONDS > picture.svg

The recording is an asciicast (version 2), as `asciinema rec` writes it. Supports the control sequences that
`myxtts top` uses and rejects others.
"""

import html
import json
import re
import sys

LETTER = 8.4  # width of a letter of 14 pixels
LINE = 18  # line height
MARGIN = 14


def screen_at(recording, seconds):
    """Returns the lines on the screen at that time, and its width."""
    head, *events = [json.loads(line) for line in recording.splitlines()]
    lines, row, column = [""] * head["height"], 0, 0
    text = "".join(event[2] for event in events if event[1] == "o" and event[0] <= seconds)
    for command, letter in re.findall(r"\x1b\[([?0-9;]*[A-Za-z])|([^\x1b])", text):
        if command == "H":
            row, column = 0, 0
        elif command == "K":
            lines[row] = lines[row][:column]
        elif command == "J":
            lines[row:] = [lines[row][:column]] + [""] * (head["height"] - row - 1)
        elif command == "?1049h":
            lines, row, column = [""] * head["height"], 0, 0
        elif command in ("?25l", "?25h", "?1049l"):
            pass
        elif command:
            raise SystemExit(f"unsupported control sequence in the recording: ESC[{command}")
        elif letter == "\n":
            row = min(row + 1, head["height"] - 1)
        elif letter == "\r":
            column = 0
        else:
            lines[row] = lines[row][:column].ljust(column) + letter + lines[row][column + 1:]
            column += 1
    return lines, head["width"]


def svg_of(lines, columns):
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    width = round(2 * MARGIN + LETTER * columns)
    height = 2 * MARGIN + LINE * len(lines)
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * i + 13}" xml:space="preserve">{html.escape(line)}</text>\n'
        for i, line in enumerate(lines) if line.strip())
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">\n'
            f'<rect width="{width}" height="{height}" rx="6" fill="#16191d"/>\n'
            '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#dde2e6">\n'
            f"{rows}</g>\n</svg>\n")


def main(path, seconds):
    with open(path, encoding="utf-8") as file:
        print(svg_of(*screen_at(file.read(), float(seconds))), end="")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
