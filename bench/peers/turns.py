"""Sides that take turns: a round is one run of each, so that what else the machine does meets all.
Ratios are taken round by round; the median is shown with the smallest and the largest.
"""

import json
import os
import statistics
import subprocess


def answer_of(command, environment=None):
    """What a program prints with --json; its words on stderr pass."""
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"failed with exit {done.returncode}: {' '.join(map(str, command))}")
    return json.loads(done.stdout)


def ours(program, *arguments):
    """The machine, and {name: x real time} of each such result of `myxtts bench ARGUMENTS`. Limits
    on threads that are set for a peer are not meant for it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    report = answer_of([program, "bench", *arguments, "--json"], environment)
    return report["machine"], {result["name"]: result["value"] for result in report["results"]
                               if result["unit"] == "x real time"}


def compare(rounds, subject):
    """rounds: [{name: x real time}]. How many times as fast as each side `subject` is."""
    results = []
    for name in rounds[0]:
        ratios = sorted(times[subject] / times[name] for times in rounds)
        results.append({"name": name,
                        "x_real_time": statistics.median(times[name] for times in rounds),
                        f"{subject}_beside_it": statistics.median(ratios),
                        "smallest": ratios[0], "largest": ratios[-1]})
    return results


def lines_of(results, subject):
    for side in results:
        yield (f"  {side['name']:<24} {side['x_real_time']:8.0f} x real time   {subject} is "
               f"{side[f'{subject}_beside_it']:6.2f} x that "
               f"({side['smallest']:.2f} to {side['largest']:.2f})")
