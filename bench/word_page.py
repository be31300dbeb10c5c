"""The curve of time_to_words.py as one page that opens without a network: picture, table, and players."""

import base64
import html
import io
import json
import statistics

from word_curve import svg_of

HEARD = 3  # sentences that can be listened to

STYLE = """
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  svg, table { max-width: 100%; }
  svg { height: auto; }
  table { border-collapse: collapse; }
  th, td { padding: 0.3rem 0.8rem 0.3rem 0; text-align: left; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  .wide { overflow-x: auto; }
  audio { width: 100%; max-width: 22rem; height: 2.4rem; }
  .said { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.3rem 1rem; align-items: center; }
"""


def whole_page(title, body):
    """A page around its body; it opens without a network."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def median_run(point):
    """The run of a point that stands for it: the one whose errors are nearest to the median."""
    return min(point["runs"], key=lambda run: (abs(run["word_error_rate"] - point["median"]), run["seed"]))


def chosen(sentences, count=HEARD):
    """Numbers of sentences of a middle length, spread over the list; the same for the same list."""
    if not sentences:
        return []
    middle = statistics.median(len(text.split()) for text in sentences)
    stride = len(sentences) / min(count, len(sentences))
    parts = [range(int(i * stride), int((i + 1) * stride)) for i in range(min(count, len(sentences)))]
    return [min(part, key=lambda i: (abs(len(sentences[i].split()) - middle), i)) for part in parts]


def mp3_of(wav):
    """A sound in a sixth of its bytes."""
    import soundfile

    samples, rate = soundfile.read(wav)
    made = io.BytesIO()
    soundfile.write(made, samples, rate, format="MP3", compression_level=0.8, bitrate_mode="VARIABLE")
    return made.getvalue()


def player(wav, is_small=False):
    """A sound inside of the page, as it is or as an MP3; words where there is none."""
    if not wav.is_file():
        return "<em>not spoken</em>"
    kind, sound = ("mpeg", mp3_of(wav)) if is_small else ("wav", wav.read_bytes())
    data = base64.b64encode(sound).decode("ascii")
    return f'<audio controls preload="none" src="data:audio/{kind};base64,{data}"></audio>'


def said_in(points, sentence, number, recorded, spoken_of):
    """A sentence by the recordings and by the voice of every point."""
    name = f"{number + 1:04}.wav"
    rows = [f"<span>the recording</span>{player(recorded / name)}"]
    for point in points:
        run = median_run(point)
        rows.append(f"<span>{point['minutes']:g} min</span>{player(spoken_of(run) / name)}")
    return f'<h3>{html.escape(sentence)}</h3>\n<div class="said">\n' + "\n".join(rows) + "\n</div>"


def table_rows(points, recordings):
    seeds = sorted({run["seed"] for point in points for run in point["runs"]})
    heads = ["minutes", "steps", "speech per second", *(f"seed {seed}" for seed in seeds), "median"]
    rows = ["<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for point in points:
        by_seed = {run["seed"]: f"{run['word_error_rate']:.3f}" for run in point["runs"]}
        speed = statistics.median(run["audio_s_per_s"] for run in point["runs"])
        cells = [f"{point['minutes']:g}", f"{point['steps']:.0f}", f"{speed:.0f} s",
                 *(by_seed.get(seed, "") for seed in seeds), f"<strong>{point['median']:.3f}</strong>"]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    rows.append(f"<tr><td>recordings</td><td></td><td></td>{'<td></td>' * len(seeds)}"
                f"<td>{recordings['word_error_rate']:.3f}</td></tr>")
    return "\n".join(rows)


def page_of(report, sentences, recorded, spoken_of, machine):
    """The page. `recorded` and spoken_of(run) are folders with 0001.wav for the first sentence and so on."""
    points, recordings, corpus = report["curve"], report["recordings"], report["corpus"]
    title = "How soon a voice is understood"
    heard = "\n".join(said_in(points, sentences[i], i, recorded, spoken_of) for i in chosen(sentences))
    return whole_page(title, f"""<p>The voice {html.escape(corpus['voice'])}, {corpus['utterances']} sentences of {corpus['hours']:.2f} hours, trained by
<code>myxtts train --model-size tiny</code> for so many minutes. Each voice then says {len(sentences)} sentences that it
has never seen, and a recogniser writes down what it understands: {recordings['words']} words, of which it misses
{recordings['word_error_rate']:.3f} in the recordings themselves. {html.escape(machine)}</p>
{svg_of(points, recordings, title)}
<div class="wide"><table>
{table_rows(points, recordings)}
</table></div>
<p>Minutes are time in steps. Every point is a run of its own, whose learning rate falls over the time that it was
given.</p>
<h2>Listen</h2>
<p>Of each point the run that is nearest to the median.</p>
{heard}
<script type="application/json" id="report">{json.dumps(report).replace("<", chr(92) + "u003c")}</script>""")
