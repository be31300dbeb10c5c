"""Word error rate (WER) over minutes of training, as a table and as SVG: the pure functions of wer_over_time.py."""

import math
import statistics

from curve_picture import draw_curves


def curve_of(runs):
    """Returns the points by minutes: their runs by seed, and the medians of steps and WER (a fraction)."""
    points = []
    for minutes in sorted({run["minutes"] for run in runs}):
        own = sorted((run for run in runs if run["minutes"] == minutes), key=lambda run: run["seed"])
        points.append({"minutes": minutes, "runs": own,
                       "steps": statistics.median(run["steps"] for run in own),
                       "median": statistics.median(run["word_error_rate"] for run in own)})
    return points


def format_wer(word_error_rate):
    """Returns a WER in percent, without the sign: 0.075 -> "7.5"."""
    return f"{100 * word_error_rate:.1f}"


def format_table(points, recordings):
    """Returns the curve as a Markdown table of WER in percent, aligned for the terminal."""
    seeds = sorted({run["seed"] for point in points for run in point["runs"]})
    heads = ["minutes", "steps", *(f"seed {seed}" for seed in seeds), "median"]
    rows = []
    for point in points:
        by_seed = {run["seed"]: format_wer(run["word_error_rate"]) for run in point["runs"]}
        rows.append([f"{point['minutes']:g}", f"{point['steps']:.0f}",
                     *(by_seed.get(seed, "") for seed in seeds), f"**{format_wer(point['median'])}**"])
    rows.append(["recordings", "", *("" for _ in seeds), format_wer(recordings["word_error_rate"])])
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]

    def line(cells):
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(heads), rule, *map(line, rows)])


def axis_end(values):
    """Returns the end of the axis and the tick distance, in percent."""
    largest = max([*values, 2.0])
    for step in (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0):
        if largest / step <= 6:
            return step * math.ceil(largest / step + 1e-9), step
    return 100.0 * math.ceil(largest / 100.0), 100.0


def draw_wer_curve(points, recordings, title):
    """Returns the curve as an SVG file, with the recordings as a dashed line."""
    recorded = 100 * recordings["word_error_rate"]
    drawn = [{**point, "median": 100 * point["median"], "values": [100 * run["word_error_rate"] for run in point["runs"]]}
             for point in points]
    end, step = axis_end([*(value for point in drawn for value in point["values"]), recorded])
    description = "; ".join(f"{point['minutes']:g} min: {format_wer(point['median'])} %" for point in points)
    return draw_curves([{"name": "", "format": "{:.1f} %", "points": drawn}],
                       [{"value": recorded, "label": f"recordings: {recorded:.1f} %"}],
                       {"title": title, "metric": "WER in percent",
                        "description": f"Median WER: {description}; recordings: {recorded:.1f} %."},
                       (0.0, end, step))
