"""`myxtts top` as a person uses it: in a terminal of some size, with keys and signals."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest
from training import start, stop, wait_for_step, write_tones

PROGRAM = os.environ["MYXTTS"]
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
PATIENCE_S = 60


def line_of(step, **values):
    return json.dumps({"step": step, "epoch": 0, "loss": 2 / step, "loss_mel": 1 / step, "grad_norm": 0.7,
                       "lr": 1e-3, "step_s": 0.4, "wait_s": 0.004, "host_s": 0.004,
                       "buffer_depth": 48, "signature": "16x120x640", "retraces": 0, **values},
                      separators=(",", ":")) + "\n"


@pytest.fixture
def run(tmp_path):
    """A run folder with 60 steps."""
    folder = tmp_path / "voice"
    folder.mkdir()
    (folder / "metrics.jsonl").write_text("".join(line_of(step) for step in range(1, 61)))
    (folder / "config.yaml").write_text("training:\n  max_steps: 1000\n")
    return folder


@contextlib.contextmanager
def at_work(run):
    """This process holds the run as a training would."""
    with (run / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


class Terminal:
    """A program in a terminal of so many columns and rows."""

    def __init__(self, *words, columns=80, rows=30):
        try:
            self.side, other = pty.openpty()
        except OSError:
            pytest.skip("no terminal can be opened here")
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.other = other
        self.before = termios.tcgetattr(other)
        self.shown = b""
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, words)], stdin=other, stdout=other, stderr=other,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})

    def read(self, seconds=0.1):
        if select.select([self.side], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                self.shown += os.read(self.side, 65536)

    def wait_for(self, words):
        end = time.monotonic() + PATIENCE_S
        while words not in self.shown:
            assert time.monotonic() < end, self.shown[-3000:]
            self.read()

    def type(self, keys):
        os.write(self.side, keys)

    def end(self):
        """Its exit code, after everything that it said."""
        end = time.monotonic() + PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < end, self.shown[-3000:]
            self.read()
        self.read()
        return self.process.returncode

    def pages(self):
        """What was drawn while it was live, each page as its lines."""
        live = self.shown.split(ENTER)[1].split(LEAVE)[0].decode()
        drawn = live.split("\x1b[H")[1:]
        return [re.sub(r"\r|\x1b\[[KJ]", "", page).split("\n") for page in drawn]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.side)
        os.close(self.other)


@pytest.fixture
def terminal():
    opened = []

    def open_one(*words, **size):
        opened.append(Terminal(*words, **size))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.mark.parametrize("columns, rows", [(60, 30), (120, 40), (200, 12)])
def test_a_page_fits_the_terminal(run, terminal, columns, rows):
    with at_work(run):
        top = terminal("top", run, "--interval", "0.1", columns=columns, rows=rows)
        top.wait_for(b"buffer")
        top.type(b"q")
        code = top.end()

    assert code == 0
    for page in top.pages():
        assert len(page) <= rows
        assert max(map(len, page)) <= columns
        assert any("step 60 of 1000" in line for line in page)
        assert any("limited by the model" in line for line in page)
    bars = max(len(re.findall("[▁-█]", line)) for line in top.pages()[-1])
    assert bars == min(60, columns - 43)


def test_grows_with_the_run_and_ends_with_it(run, terminal):
    with at_work(run):
        top = terminal("top", run, "--interval", "0.1")
        top.wait_for(b"step 60 of 1000")
        with (run / "metrics.jsonl").open("a") as metrics:
            metrics.write(line_of(61, retraces=3))
        top.wait_for(b"step 61 of 1000")
        top.wait_for(b"3 in the last 61 steps")
        (run / "metrics.jsonl").write_text("".join(line_of(step) for step in range(1, 41)))
        top.wait_for(b"step 40 of 1000")

    assert top.end() == 0
    assert b"stopped" in top.shown.split(LEAVE)[-1]


@pytest.mark.parametrize("how", ["key", "signal"])
def test_leaves_the_terminal_as_it_was(run, terminal, how):
    with at_work(run):
        top = terminal("top", run, "--interval", "5")
        top.wait_for(b"buffer")
        assert termios.tcgetattr(top.other) != top.before
        top.type(b"\x03") if how == "key" else top.process.send_signal(signal.SIGTERM)
        code = top.end()

    assert code == 128 + (signal.SIGINT if how == "key" else signal.SIGTERM)
    assert termios.tcgetattr(top.other) == top.before
    assert top.shown.count(ENTER) == top.shown.count(LEAVE) == 1
    assert b"\x1b[?25h" in top.shown  # the cursor is back
    assert b"step 60 of 1000" in top.shown.split(LEAVE)[1]  # the last page stays


def test_one_page_where_nobody_looks_on(run, myxtts):
    with at_work(run):
        piped = myxtts("top", run, env={**os.environ, "LC_ALL": "C"})

    assert piped.returncode == 0, piped.stderr
    assert "\x1b" not in piped.stdout
    assert f"running (pid {os.getpid()})" in piped.stdout
    assert piped.stdout.isascii()


def test_once_prints_one_page_in_a_terminal_too(run, terminal):
    with at_work(run):
        top = terminal("top", run, "--once")

        assert top.end() == 0
    assert ENTER not in top.shown
    assert b"limited by the model" in top.shown


def test_what_cannot_be_shown_is_explained(tmp_path, run, myxtts):
    nowhere = myxtts("top", tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    empty = myxtts("top", tmp_path / "empty")
    (run / "metrics.jsonl").write_bytes(b"\xff\xfe\n" * 10)
    damaged = myxtts("top", run)

    assert (nowhere.returncode, empty.returncode, damaged.returncode) == (2, 1, 1)
    assert "does not exist" in nowhere.stderr
    assert "has no metrics" in empty.stderr
    assert "damaged" in damaged.stderr
    assert nowhere.stdout + empty.stdout + damaged.stdout == ""


def test_a_real_training_is_seen_while_it_runs(tmp_path, myxtts):
    run = tmp_path / "voice"
    training = start(run, write_tones(tmp_path / "tones", 12), "--max-steps", 100000)
    wait_for_step(run, 5, training)

    seen = json.loads(myxtts("top", run, "--json").stdout)
    stop(training)
    after = json.loads(myxtts("top", run, "--json").stdout)

    assert seen["status"] == "running"
    assert seen["pid"] == training.pid
    assert seen["total_steps"] == 100000
    assert 5 <= seen["last"]["step"] <= after["last"]["step"]
    assert sum(seen["time"].values()) == pytest.approx(1)
    assert after["status"] == "stopped"
