"""A figure over minutes of training as a picture: lines by their medians, seeds as rings, what it is held against dashed."""

import html
import itertools
import math

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
  polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  circle.seed { fill: none; stroke-width: 1.5; opacity: 0.7; }
  .first polyline, .first circle.seed { stroke: #0b5cad; }
  .first circle.median, .first text { fill: #0b5cad; }
  .second polyline, .second circle.seed { stroke: #1a7f37; }
  .second circle.median, .second text { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    text.beside { fill: #f0b35c; }
    line.grid { stroke: #3d444d; }
    line.axis { stroke: #e6edf3; }
    line.beside { stroke: #f0b35c; }
    .first polyline, .first circle.seed { stroke: #79b8ff; }
    .first circle.median, .first text { fill: #79b8ff; }
    .second polyline, .second circle.seed { stroke: #7ee2a8; }
    .second circle.median, .second text { fill: #7ee2a8; }
  }
"""


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


def line_of(line, kind, place, height):
    """One line of the picture: its medians with their figures, and the seeds around them."""
    points = line["points"]
    path = " ".join(f"{place(point['minutes']):.1f},{height(point['median']):.1f}" for point in points)
    parts = [f'<g class="{kind}">', f'<polyline points="{path}"/>']
    for point in points:
        x, y = place(point["minutes"]), height(point["median"])
        parts += [f'<circle class="seed" cx="{x:.1f}" cy="{height(value):.1f}" r="5"/>' for value in point["values"]]
        parts.append(f'<circle class="median" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>')
        below = 20 if line.get("is_below") else -10
        parts.append(label(x + 8, y + below, line["figure"].format(point["median"]), "start"))
    return [*parts, "</g>"]


LETTER, TEXT_HEIGHT = 6.6, 13  # of a text of 13 pixels, about


def taken_by(lines, place, height):
    """Boxes (left, top, right, bottom) of the figures, and of the lines as steps of a few pixels."""
    boxes = []
    for line in lines:
        spots = [(place(point["minutes"]), height(point["median"])) for point in line["points"]]
        for (x, y), point in zip(spots, line["points"], strict=True):
            base = y + (20 if line.get("is_below") else -10)
            wide = LETTER * len(line["figure"].format(point["median"]))
            boxes.append((x + 8, base - TEXT_HEIGHT, x + 8 + wide, base))
        for (x, y), (to_x, to_y) in itertools.pairwise(spots):
            boxes += [(x + i / 40 * (to_x - x), y + i / 40 * (to_y - y)) * 2 for i in range(41)]
    return boxes


def words_beside(beside, y, begins_above, taken):
    """The words of a dashed line, where nothing else is: at its left end if that is free."""
    wide = LETTER * len(beside["words"])
    near, far = (y + 18, y - 6) if begins_above else (y - 6, y + 18)
    spots = [(x, base) for x in (LEFT + 8, (LEFT + WIDTH - RIGHT - wide) / 2, WIDTH - RIGHT - 8 - wide)
             for base in (near, far)]

    def overlaps(spot):
        x, base = spot
        return sum(left < x + wide and x < right and top < base + 3 and base - TEXT_HEIGHT < bottom
                   for left, top, right, bottom in taken)

    x, base = min(spots, key=overlaps)
    return label(x, base, beside["words"], "start", "beside")


def picture_of(lines, besides, words, axis):
    """An SVG file. `lines`: name, figure (its format) and points of minutes, median and values; `besides`: values
    with their words; `words`: title, what is drawn, and the title told to who does not see it; `axis`: lowest,
    highest and the step of its ticks. What is drawn is in its ids, so that two fit into one page."""
    low, high, step = axis
    place = places_of([point["minutes"] for line in lines for point in line["points"]])
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT

    def height(value):
        return bottom - (value - low) / (high - low) * (bottom - TOP)

    parts = [label(LEFT, 24, words["title"], "start", "title"), label(LEFT, 42, words["drawn"], "start")]
    for tick in range(round((high - low) / step) + 1):
        value = low + tick * step
        y = height(value)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(label(LEFT - 8, y + 4, f"{value:.3f}".rstrip("0").rstrip(".") or "0", "end"))
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>')
    for minutes in sorted({point["minutes"] for line in lines for point in line["points"]}):
        x = place(minutes)
        parts.append(f'<line class="axis" x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 5}"/>')
        parts.append(label(x, bottom + 20, f"{minutes:g}"))
    parts.append(label((LEFT + right) / 2, bottom + 42,
                       "minutes of training, logarithmic; each is a run of its own"))
    for beside in besides:
        y = height(beside["value"])
        parts.append(f'<line class="beside" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        begins_above = lines[0]["points"][0]["median"] > beside["value"]  # its words are on the other side
        parts.append(words_beside(beside, y, begins_above, taken_by(lines, place, height)))
    for number, (line, kind) in enumerate(zip(lines, ("first", "second"), strict=False)):
        parts += line_of(line, kind, place, height)
        if len(lines) > 1:
            parts += [f'<g class="{kind}">', label(right, 24 + 18 * number, line["name"], "end"), "</g>"]
    name = "".join(letter for letter in words["drawn"] if letter.isalnum())
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-labelledby="title-{name} words-{name}">',
        f'<title id="title-{name}">{html.escape(words["title"])}</title>',
        f'<desc id="words-{name}">{html.escape(words["told"])}</desc>',
        f"<style>{STYLE}</style>", *parts, "</svg>", ""])
