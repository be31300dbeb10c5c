"""Calls myxtts for a bench that takes hours: answers as JSON, the rest in a log, a line for who watches."""

import json
import pathlib
import shlex
import shutil
import subprocess
import sys


class Calls:
    """Calls the program. What it says goes to OUT/said.txt; a person sees the last line of it."""

    def __init__(self, program, out):
        self.program, self.log = program, out / "said.txt"
        self.is_watched = sys.stderr.isatty()
        out.mkdir(parents=True, exist_ok=True)

    def say(self, words):
        print(("\r\x1b[2K" if self.is_watched else "") + words, file=sys.stderr, flush=True)

    def answer(self, *words):
        """The JSON that a verb answers with; its end is ours if it fails."""
        command = [str(word) for word in (self.program, *words, "--json")]
        last = ""
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"$ {shlex.join(command)}\n")
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace") as process:
                for line in process.stdout:
                    log.write(line)
                    if line.startswith("{"):
                        last = line
                    elif self.is_watched:
                        width = shutil.get_terminal_size().columns - 1
                        print("\r\x1b[2K  " + line.strip()[:width - 2], end="", file=sys.stderr, flush=True)
        if self.is_watched:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
        if process.returncode != 0:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: exit code {process.returncode}: {shlex.join(command)}\n"
                     + "".join(self.log.read_text(encoding="utf-8").splitlines(keepends=True)[-6:]))
        return json.loads(last)
