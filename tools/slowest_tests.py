#!/usr/bin/env python3
"""Summarises JUnit files of ctest.

slowest_tests.py FILE...               prints the ten slowest tests, slowest first
slowest_tests.py --count FILE          prints passed and failed tests in the format of ctest
"""

import sys
import xml.etree.ElementTree as ElementTree

NUM_SHOWN = 10


def read_cases(paths):
    """Returns (seconds, name, status) of every test; status is run, fail, notrun or disabled."""
    cases = []
    for path in paths:
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            cases.append((float(case.get("time", 0)), case.get("name"), case.get("status")))
    return cases


def slowest_lines(cases):
    shown = sorted(cases, reverse=True)[:NUM_SHOWN]
    return [f"{seconds:8.2f} s  {name}" for seconds, name, _ in shown]


def summary_line(cases):
    num_failed = sum(status == "fail" for _, _, status in cases)
    share = 100 * (len(cases) - num_failed) // max(1, len(cases))
    return f"{share}% tests passed, {num_failed} tests failed out of {len(cases)}"


def main(arguments):
    if arguments[:1] == ["--count"]:
        print(summary_line(read_cases(arguments[1:])))
    else:
        print("slowest tests:")
        print("\n".join(slowest_lines(read_cases(arguments))))


if __name__ == "__main__":
    main(sys.argv[1:])
