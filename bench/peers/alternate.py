"""Compares benchmarks that run in alternation: a round is one run of each side, so that other load on the
machine affects all sides. Ratios are computed per round and reported as median, smallest and largest.
"""

import json
import os
import statistics
import subprocess


def run_json(command, environment=None):
    """Returns the JSON object that a command prints. Its stderr is passed through."""
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, env=environment)
    if done.returncode != 0:
        raise SystemExit(f"failed with exit {done.returncode}: {' '.join(map(str, command))}")
    return json.loads(done.stdout)


def run_myxtts(program, *arguments):
    """Returns the machine and {name: x real time} of each such result of `myxtts bench ARGUMENTS`. Thread
    limits that are set for a peer (OMP_*) are removed from the environment of the program."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    report = run_json([program, "bench", *arguments, "--json"], environment)
    return report["machine"], {result["name"]: result["value"] for result in report["results"]
                               if result["unit"] == "x real time"}


def compare(rounds, subject):
    """Returns, per side, its speed and the speedup of `subject` over it. rounds: [{name: x real time}]"""
    results = []
    for name in rounds[0]:
        ratios = sorted(times[subject] / times[name] for times in rounds)
        results.append({"name": name,
                        "x_real_time": statistics.median(times[name] for times in rounds),
                        f"{subject}_speedup": statistics.median(ratios),
                        "smallest": ratios[0], "largest": ratios[-1]})
    return results


def format_results(results, subject):
    for side in results:
        yield (f"  {side['name']:<24} {side['x_real_time']:8.0f} x real time   ratio of {subject} "
               f"{side[f'{subject}_speedup']:6.2f} "
               f"({side['smallest']:.2f} to {side['largest']:.2f})")
