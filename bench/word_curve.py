"""Word errors over minutes of training, as a table and as a picture: what is pure in time_to_words.py."""

import math
import statistics

from curve_picture import picture_of


def curve_of(runs):
    """Points by minutes: the runs of each, by seed, and the medians of their steps and errors."""
    points = []
    for minutes in sorted({run["minutes"] for run in runs}):
        mine = sorted((run for run in runs if run["minutes"] == minutes), key=lambda run: run["seed"])
        points.append({"minutes": minutes, "runs": mine,
                       "steps": statistics.median(run["steps"] for run in mine),
                       "median": statistics.median(run["word_error_rate"] for run in mine)})
    return points


def table_of(points, recordings):
    """The curve as rows of Markdown, which are read as well in a terminal."""
    seeds = sorted({run["seed"] for point in points for run in point["runs"]})
    heads = ["minutes", "steps", *(f"seed {seed}" for seed in seeds), "median"]
    rows = []
    for point in points:
        by_seed = {run["seed"]: f"{run['word_error_rate']:.3f}" for run in point["runs"]}
        rows.append([f"{point['minutes']:g}", f"{point['steps']:.0f}",
                     *(by_seed.get(seed, "") for seed in seeds), f"**{point['median']:.3f}**"])
    rows.append(["recordings", "", *("" for _ in seeds), f"{recordings['word_error_rate']:.3f}"])
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]

    def line(cells):
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(heads), rule, *map(line, rows)])


def highest_of(values):
    """Where the axis of errors ends, and the step of its ticks."""
    most = max([*values, 0.02])
    for step in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0):
        if most / step <= 6:
            return step * math.ceil(most / step + 1e-9), step
    return float(math.ceil(most)), 1.0


def svg_of(points, recordings, title):
    """The curve as an SVG file, the recordings beside it."""
    beside = recordings["word_error_rate"]
    drawn = [{**point, "values": [run["word_error_rate"] for run in point["runs"]]} for point in points]
    most, step = highest_of([*(value for point in drawn for value in point["values"]), beside])
    told = "; ".join(f"{point['minutes']:g} minutes {point['median']:.3f}" for point in points)
    return picture_of([{"name": "", "figure": "{:.3f}", "points": drawn}],
                      [{"value": beside, "words": f"the recordings themselves: {beside:.3f}"}],
                      {"title": title, "drawn": "share of words misunderstood",
                       "told": f"Word errors, median: {told}; the recordings {beside:.3f}."},
                      (0.0, most, step))
