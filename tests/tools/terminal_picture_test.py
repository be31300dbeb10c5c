"""Tests of tools/terminal_picture.py with a small recording."""

import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

SCRIPT = pathlib.Path(__file__).parents[2] / "tools/terminal_picture.py"


def picture(tmp_path, seconds, *frames):
    """Runs the script on a recording of frames, one per second."""
    recording = tmp_path / "top.cast"
    events = [json.dumps([float(i), "o", text]) for i, text in enumerate(frames)]
    recording.write_text("\n".join([json.dumps({"version": 2, "width": 20, "height": 4}), *events]))
    return subprocess.run([sys.executable, SCRIPT, recording, str(seconds)], check=False, text=True,
                          capture_output=True)


def lines_of(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


ENTER, HOME, LINE, END = "\x1b[?1049h\x1b[?25l", "\x1b[H", "\x1b[K\r\n", "\x1b[K\x1b[J"


def test_draws_the_frame_at_a_time(tmp_path):
    frames = [f"{ENTER}{HOME}step 1, long{LINE}loss <2> ▁▂█{LINE}third{END}",
             f"{HOME}step 2{LINE}loss <1> ▁▂{END}"]

    assert lines_of(picture(tmp_path, 0.5, *frames).stdout) == ["step 1, long", "loss <2> ▁▂█", "third"]
    assert lines_of(picture(tmp_path, 9, *frames).stdout) == ["step 2", "loss <1> ▁▂"]


def test_rejects_unsupported_control_sequences(tmp_path):
    ended = picture(tmp_path, 9, "\x1b[31mred")

    assert ended.returncode == 1 and ended.stdout == ""
    assert "ESC[31m" in ended.stderr
