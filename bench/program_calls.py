"""Runs myxtts for benchmarks that take hours: JSON results, a log file, and a live line on a terminal."""

import json
import pathlib
import shlex
import shutil
import subprocess
import sys


class Program:
    """Runs the program. Its output goes to OUT/log.txt; a terminal shows the last line."""

    def __init__(self, program, out):
        self.program, self.log_file = program, out / "log.txt"
        self.is_terminal = sys.stderr.isatty()
        out.mkdir(parents=True, exist_ok=True)

    def log(self, line):
        print(("\r\x1b[2K" if self.is_terminal else "") + line, file=sys.stderr, flush=True)

    def run(self, *arguments):
        """Runs a command with --json and returns its result. Exits with the last lines of the log if it fails."""
        command = [str(word) for word in (self.program, *arguments, "--json")]
        last = ""
        with self.log_file.open("a", encoding="utf-8") as log:
            log.write(f"$ {shlex.join(command)}\n")
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace") as process:
                for line in process.stdout:
                    log.write(line)
                    if line.startswith("{"):
                        last = line
                    elif self.is_terminal:
                        width = shutil.get_terminal_size().columns - 1
                        print("\r\x1b[2K  " + line.strip()[:width - 2], end="", file=sys.stderr, flush=True)
        if self.is_terminal:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
        if process.returncode != 0:
            sys.exit(f"{pathlib.Path(sys.argv[0]).name}: exit code {process.returncode}: {shlex.join(command)}\n"
                     + "".join(self.log_file.read_text(encoding="utf-8").splitlines(keepends=True)[-6:]))
        return json.loads(last)
