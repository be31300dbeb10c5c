"""Word errors over minutes of training, as a table and as a picture: what is pure in time_to_words.py."""

import html
import math
import statistics

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 44, 52, 56  # what lies around the axes, in pixels

# Light and dark follow the reader's system, also inside of an <img>. No variables: few readers of SVG
# outside of browsers know them.
STYLE = """
  text { fill: #1f2328; font: 13px system-ui, sans-serif; }
  text.title { font-size: 16px; font-weight: 600; }
  text.beside { fill: #9a5b00; }
  line.grid { stroke: #d1d9e0; }
  line.axis { stroke: #1f2328; }
  line.beside { stroke: #9a5b00; stroke-width: 2; stroke-dasharray: 7 5; }
  polyline { fill: none; stroke: #0b5cad; stroke-width: 2.5; stroke-linejoin: round; }
  circle.seed { fill: none; stroke: #0b5cad; stroke-width: 1.5; opacity: 0.7; }
  circle.median { fill: #0b5cad; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    text.beside { fill: #f0b35c; }
    line.grid { stroke: #3d444d; }
    line.axis { stroke: #e6edf3; }
    line.beside { stroke: #f0b35c; }
    polyline, circle.seed { stroke: #79b8ff; }
    circle.median { fill: #79b8ff; }
  }
"""


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


def places_of(minutes):
    """Where minutes lie on a logarithmic axis, as a function."""
    low, high = math.log(min(minutes)), math.log(max(minutes))
    span = high - low
    room = WIDTH - LEFT - RIGHT - 40

    def place(value):
        share = 0.5 if span == 0 else (math.log(value) - low) / span
        return LEFT + 20 + share * room

    return place


def label(x, y, words, anchor="middle", kind=""):
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{html.escape(words)}</text>'


def svg_of(points, recordings, title):
    """The curve as an SVG file: seeds as rings, their median as a line, the recordings dashed."""
    beside = recordings["word_error_rate"]
    errors = [run["word_error_rate"] for point in points for run in point["runs"]]
    most, step = highest_of([*errors, beside])
    place = places_of([point["minutes"] for point in points])
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def height(value):
        return bottom - value / most * (bottom - TOP)

    parts = [label(LEFT, 24, title, "start", "title"),
             label(LEFT, 42, "share of words misunderstood", "start")]
    for tick in range(round(most / step) + 1):
        y = height(tick * step)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(label(LEFT - 8, y + 4, f"{tick * step:.3f}".rstrip("0").rstrip(".") or "0", "end"))
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>')
    for point in points:
        x = place(point["minutes"])
        parts.append(f'<line class="axis" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}"/>')
        parts.append(label(x, bottom + 20, f"{point['minutes']:g}"))
    parts.append(label((LEFT + right) / 2, bottom + 42,
                       "minutes of training, logarithmic; each is a run of its own"))
    y = height(beside)
    parts.append(f'<line class="beside" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
    parts.append(label(LEFT + 8, y - 6, f"the recordings themselves: {beside:.3f}", "start", "beside"))
    path = " ".join(f"{place(point['minutes']):.1f},{height(point['median']):.1f}" for point in points)
    parts.append(f'<polyline points="{path}"/>')
    for point in points:
        x = place(point["minutes"])
        parts += [f'<circle class="seed" cx="{x:.1f}" cy="{height(run["word_error_rate"]):.1f}" r="5"/>'
                  for run in point["runs"]]
        y = height(point["median"])
        parts.append(f'<circle class="median" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        parts.append(label(x + 8, y - 10, f"{point['median']:.3f}", "start"))
    told = "; ".join(f"{point['minutes']:g} minutes {point['median']:.3f}" for point in points)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="title words">',
        f'<title id="title">{html.escape(title)}</title>',
        f'<desc id="words">Word errors, median: {told}; the recordings {beside:.3f}.</desc>',
        f"<style>{STYLE}</style>", *parts, "</svg>", ""])
