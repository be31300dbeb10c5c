"""Draws a metric over minutes of training as SVG: curves of medians, circles per seed, dashed reference lines."""

import html
import itertools
import math

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 44, 52, 56  # margins around the axes, in pixels

# Light and dark colours follow the system, also inside an <img>. No CSS variables: few SVG renderers
# outside of browsers support them.
STYLE = """
  text { fill: #1f2328; font: 13px system-ui, sans-serif; }
  text.title { font-size: 16px; font-weight: 600; }
  text.reference { fill: #9a5b00; }
  line.grid { stroke: #d1d9e0; }
  line.axis { stroke: #1f2328; }
  line.reference { stroke: #9a5b00; stroke-width: 2; stroke-dasharray: 7 5; }
  polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  circle.seed { fill: none; stroke-width: 1.5; opacity: 0.7; }
  .first polyline, .first circle.seed { stroke: #0b5cad; }
  .first circle.median, .first text { fill: #0b5cad; }
  .second polyline, .second circle.seed { stroke: #1a7f37; }
  .second circle.median, .second text { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    text.reference { fill: #f0b35c; }
    line.grid { stroke: #3d444d; }
    line.axis { stroke: #e6edf3; }
    line.reference { stroke: #f0b35c; }
    .first polyline, .first circle.seed { stroke: #79b8ff; }
    .first circle.median, .first text { fill: #79b8ff; }
    .second polyline, .second circle.seed { stroke: #7ee2a8; }
    .second circle.median, .second text { fill: #7ee2a8; }
  }
"""


def log_axis(minutes):
    """Returns a function that maps minutes to x on a logarithmic axis."""
    low, high = math.log(min(minutes)), math.log(max(minutes))
    span = high - low
    room = WIDTH - LEFT - RIGHT - 40

    def to_x(value):
        share = 0.5 if span == 0 else (math.log(value) - low) / span
        return LEFT + 20 + share * room

    return to_x


def text_element(x, y, text, anchor="middle", kind=""):
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{html.escape(text)}</text>'


def curve_elements(curve, kind, to_x, to_y):
    """Returns one curve: the medians with their values, and the seeds around them."""
    points = curve["points"]
    path = " ".join(f"{to_x(point['minutes']):.1f},{to_y(point['median']):.1f}" for point in points)
    parts = [f'<g class="{kind}">', f'<polyline points="{path}"/>']
    for point in points:
        x, y = to_x(point["minutes"]), to_y(point["median"])
        parts += [f'<circle class="seed" cx="{x:.1f}" cy="{to_y(value):.1f}" r="5"/>' for value in point["values"]]
        parts.append(f'<circle class="median" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        offset = 20 if curve.get("is_below") else -10
        parts.append(text_element(x + 8, y + offset, curve["format"].format(point["median"]), "start"))
    return [*parts, "</g>"]


LETTER_WIDTH, TEXT_HEIGHT = 6.6, 13  # approximate, of a text of 13 pixels


def occupied_boxes(curves, to_x, to_y):
    """Returns boxes (left, top, right, bottom) of the values and of short pieces of the curves."""
    boxes = []
    for curve in curves:
        spots = [(to_x(point["minutes"]), to_y(point["median"])) for point in curve["points"]]
        for (x, y), point in zip(spots, curve["points"], strict=True):
            base = y + (20 if curve.get("is_below") else -10)
            width = LETTER_WIDTH * len(curve["format"].format(point["median"]))
            boxes.append((x + 8, base - TEXT_HEIGHT, x + 8 + width, base))
        for (x, y), (end_x, end_y) in itertools.pairwise(spots):
            boxes += [(x + i / 40 * (end_x - x), y + i / 40 * (end_y - y)) * 2 for i in range(41)]
    return boxes


def reference_label(reference, y, starts_above, occupied):
    """Returns the label of a dashed line at the free position nearest to its left end."""
    width = LETTER_WIDTH * len(reference["label"])
    near, far = (y + 18, y - 6) if starts_above else (y - 6, y + 18)
    spots = [(x, base) for x in (LEFT + 8, (LEFT + WIDTH - RIGHT - width) / 2, WIDTH - RIGHT - 8 - width)
             for base in (near, far)]

    def overlaps(spot):
        x, base = spot
        return sum(left < x + width and x < right and top < base + 3 and base - TEXT_HEIGHT < bottom
                   for left, top, right, bottom in occupied)

    x, base = min(spots, key=overlaps)
    return text_element(x, base, reference["label"], "start", "reference")


def draw_curves(curves, references, texts, axis):
    """Returns an SVG file. `curves`: name, number format and points with minutes, median and values;
    `references`: values with labels; `texts`: title, metric and an accessible description; `axis`: lowest and
    highest value and the tick distance. The metric is part of the ids, so that one HTML page can have several
    pictures."""
    low, high, step = axis
    to_x = log_axis([point["minutes"] for curve in curves for point in curve["points"]])
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def to_y(value):
        return bottom - (value - low) / (high - low) * (bottom - TOP)

    parts = [text_element(LEFT, 24, texts["title"], "start", "title"),
             text_element(LEFT, 42, texts["metric"], "start")]
    for tick in range(round((high - low) / step) + 1):
        value = low + tick * step
        y = to_y(value)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(text_element(LEFT - 8, y + 4, f"{value:.3f}".rstrip("0").rstrip(".") or "0", "end"))
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>')
    for minutes in sorted({point["minutes"] for curve in curves for point in curve["points"]}):
        x = to_x(minutes)
        parts.append(f'<line class="axis" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}"/>')
        parts.append(text_element(x, bottom + 20, f"{minutes:g}"))
    parts.append(text_element((LEFT + right) / 2, bottom + 42,
                              "training time in minutes (log scale); every point is a separate run"))
    for reference in references:
        y = to_y(reference["value"])
        parts.append(f'<line class="reference" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        starts_above = curves[0]["points"][0]["median"] > reference["value"]  # the label goes to the other side
        parts.append(reference_label(reference, y, starts_above, occupied_boxes(curves, to_x, to_y)))
    for number, (curve, kind) in enumerate(zip(curves, ("first", "second"), strict=False)):
        parts += curve_elements(curve, kind, to_x, to_y)
        if len(curves) > 1:
            parts += [f'<g class="{kind}">', text_element(right, 24 + 18 * number, curve["name"], "end"), "</g>"]
    name = "".join(letter for letter in texts["metric"] if letter.isalnum())
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="title-{name} description-{name}">',
        f'<title id="title-{name}">{html.escape(texts["title"])}</title>',
        f'<desc id="description-{name}">{html.escape(texts["description"])}</desc>',
        f"<style>{STYLE}</style>", *parts, "</svg>", ""])
