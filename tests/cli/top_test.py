"""Tests of `myxtts top` in pseudo-terminals of several sizes, with keys and signals."""

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
from training import start, terminate, wait_for_step, write_tones

PROGRAM = os.environ["MYXTTS"]
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
TIMEOUT_S = 60


def metrics_line(step, **values):
    """Returns a line of metrics.jsonl."""
    return json.dumps({"step": step, "epoch": 0, "loss": 2 / step, "loss_mel": 1 / step, "grad_norm": 0.7,
                       "lr": 1e-3, "step_s": 0.4, "wait_s": 0.004, "host_s": 0.004,
                       "buffer_depth": 48, "signature": "16x120x640", "retraces": 0, **values},
                      separators=(",", ":")) + "\n"


@pytest.fixture
def run(tmp_path):
    """A run folder with 60 steps."""
    folder = tmp_path / "voice"
    folder.mkdir()
    (folder / "metrics.jsonl").write_text("".join(metrics_line(step) for step in range(1, 61)))
    (folder / "config.yaml").write_text("training:\n  max_steps: 1000\n")
    return folder


@contextlib.contextmanager
def running(run):
    """Holds the lock of the run folder in this process, as a training does."""
    with (run / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


class Terminal:
    """A pseudo-terminal with the program running in it."""

    def __init__(self, *arguments, columns=80, rows=30):
        try:
            self.leader, self.follower = pty.openpty()
        except OSError:
            pytest.skip("this machine has no pseudo-terminals")
        fcntl.ioctl(self.follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.initial_settings = self.settings()
        self.output = b""
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)], stdin=self.follower, stdout=self.follower, stderr=self.follower,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"})

    def settings(self):
        return termios.tcgetattr(self.follower)

    def read(self, seconds=0.1):
        """Appends to `output` what the program prints within the time."""
        if select.select([self.leader], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                self.output += os.read(self.leader, 65536)

    def wait_for(self, text):
        end = time.monotonic() + TIMEOUT_S
        while text not in self.output:
            assert time.monotonic() < end, self.output[-3000:]
            self.read()

    def type(self, keys):
        os.write(self.leader, keys)

    def wait(self):
        """Waits until the program ends, reads the rest of its output, and returns its exit code."""
        end = time.monotonic() + TIMEOUT_S
        while self.process.poll() is None:
            assert time.monotonic() < end, self.output[-3000:]
            self.read()
        self.read()
        return self.process.returncode

    def pages(self):
        """Returns every page of the live view as a list of lines."""
        live = self.output.split(ENTER)[1].split(LEAVE)[0].decode()
        pages = live.split("\x1b[H")[1:]
        return [re.sub(r"\r|\x1b\[[KJ]", "", page).split("\n") for page in pages]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.leader)
        os.close(self.follower)


@pytest.fixture
def terminal():
    opened = []

    def open_terminal(*arguments, **size):
        opened.append(Terminal(*arguments, **size))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.close()


@pytest.mark.parametrize("columns, rows", [(60, 30), (120, 40), (200, 12)])
def test_page_fits_the_terminal(run, terminal, columns, rows):
    with running(run):
        top = terminal("top", run, "--interval", "0.1", columns=columns, rows=rows)
        top.wait_for(b"buffer")
        top.type(b"q")
        code = top.wait()

    assert code == 0
    for page in top.pages():
        assert len(page) <= rows
        assert max(map(len, page)) <= columns
        assert any("step 60 of 1000" in line for line in page)
        assert any("limited by the model" in line for line in page)
    bars = max(len(re.findall("[▁-█]", line)) for line in top.pages()[-1])
    assert bars == min(60, columns - 43)


def test_live_view_follows_the_run_and_ends_with_it(run, terminal):
    with running(run):
        top = terminal("top", run, "--interval", "0.1")
        top.wait_for(b"step 60 of 1000")
        with (run / "metrics.jsonl").open("a") as metrics:
            metrics.write(metrics_line(61, retraces=3))
        top.wait_for(b"step 61 of 1000")
        top.wait_for(b"3 in the last 61 steps")
        (run / "metrics.jsonl").write_text("".join(metrics_line(step) for step in range(1, 41)))
        top.wait_for(b"step 40 of 1000")

    assert top.wait() == 0
    assert b"stopped" in top.output.split(LEAVE)[-1]


@pytest.mark.parametrize("how", ["key", "signal"])
def test_terminal_is_restored_after_a_key_or_a_signal(run, terminal, how):
    with running(run):
        top = terminal("top", run, "--interval", "5")
        top.wait_for(b"buffer")
        assert top.settings() != top.initial_settings
        top.type(b"\x03") if how == "key" else top.process.send_signal(signal.SIGTERM)
        code = top.wait()

    assert code == 128 + (signal.SIGINT if how == "key" else signal.SIGTERM)
    assert top.settings() == top.initial_settings
    assert top.output.count(ENTER) == top.output.count(LEAVE) == 1
    assert b"\x1b[?25h" in top.output  # the cursor is visible
    assert b"step 60 of 1000" in top.output.split(LEAVE)[1]  # the last page remains on the screen


def test_prints_one_page_without_a_terminal(run, myxtts):
    with running(run):
        piped = myxtts("top", run, env={**os.environ, "LC_ALL": "C"})

    assert piped.returncode == 0, piped.stderr
    assert "\x1b" not in piped.stdout
    assert f"running (pid {os.getpid()})" in piped.stdout
    assert piped.stdout.isascii()


def test_once_prints_one_page_in_a_terminal(run, terminal):
    with running(run):
        top = terminal("top", run, "--once")

        assert top.wait() == 0
    assert ENTER not in top.output
    assert b"limited by the model" in top.output


def test_folders_without_readable_metrics_are_errors(tmp_path, run, myxtts):
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


def test_json_of_a_training_that_runs_and_stops(tmp_path, myxtts):
    run = tmp_path / "voice"
    process = start(run, write_tones(tmp_path / "tones", 12), "--max-steps", 100000)
    wait_for_step(run, 5, process)

    before = json.loads(myxtts("top", run, "--json").stdout)
    terminate(process)
    after = json.loads(myxtts("top", run, "--json").stdout)

    assert before["status"] == "running"
    assert before["pid"] == process.pid
    assert before["total_steps"] == 100000
    assert 5 <= before["last"]["step"] <= after["last"]["step"]
    assert sum(before["time"].values()) == pytest.approx(1)
    assert after["status"] == "stopped"
