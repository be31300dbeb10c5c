"""HTML page of wer_over_time.py that opens without a network: picture, table and audio players."""

import base64
import html
import io
import json
import statistics

from wer_curve import draw_wer_curve, format_wer

NUM_SENTENCES = 3  # with audio players

STYLE = """
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  svg, table { max-width: 100%; }
  svg { height: auto; }
  table { border-collapse: collapse; }
  th, td { padding: 0.3rem 0.8rem 0.3rem 0; text-align: left; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  .wide { overflow-x: auto; }
  audio { width: 100%; max-width: 22rem; height: 2.4rem; }
  .players { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.3rem 1rem; align-items: center; }
"""


def html_document(title, body):
    """Returns an HTML document without external resources."""
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
    """Returns the run of a point whose WER is nearest to the median."""
    return min(point["runs"], key=lambda run: (abs(run["word_error_rate"] - point["median"]), run["seed"]))


def sample_sentences(sentences, count=NUM_SENTENCES):
    """Returns the indices of `count` sentences of medium length, evenly distributed. Deterministic."""
    if not sentences:
        return []
    median = statistics.median(len(text.split()) for text in sentences)
    stride = len(sentences) / min(count, len(sentences))
    parts = [range(int(i * stride), int((i + 1) * stride)) for i in range(min(count, len(sentences)))]
    return [min(part, key=lambda i: (abs(len(sentences[i].split()) - median), i)) for part in parts]


def mp3_bytes(wav):
    """Returns a WAV file as MP3, about a sixth of its size."""
    import soundfile

    samples, rate = soundfile.read(wav)
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format="MP3", compression_level=0.8, bitrate_mode="VARIABLE")
    return buffer.getvalue()


def player(wav, is_small=False):
    """Returns a player with the audio inside the page, as WAV or MP3; a note if the file is missing."""
    if not wav.is_file():
        return "<em>not synthesised</em>"
    kind, audio = ("mpeg", mp3_bytes(wav)) if is_small else ("wav", wav.read_bytes())
    data = base64.b64encode(audio).decode("ascii")
    return f'<audio controls preload="none" src="data:audio/{kind};base64,{data}"></audio>'


def sentence_players(points, sentence, number, recorded, spoken_of):
    """Returns the players of a sentence: the recording, and the voice of every point."""
    name = f"{number + 1:04}.wav"
    rows = [f"<span>recording</span>{player(recorded / name)}"]
    for point in points:
        run = median_run(point)
        rows.append(f"<span>{point['minutes']:g} min</span>{player(spoken_of(run) / name)}")
    return f'<h3>{html.escape(sentence)}</h3>\n<div class="players">\n' + "\n".join(rows) + "\n</div>"


def table_rows(points, recordings):
    """Returns the rows of the table, WER in percent."""
    seeds = sorted({run["seed"] for point in points for run in point["runs"]})
    heads = ["minutes", "steps", "audio s per s", *(f"WER, seed {seed}" for seed in seeds), "median WER"]
    rows = ["<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for point in points:
        by_seed = {run["seed"]: f"{format_wer(run['word_error_rate'])} %" for run in point["runs"]}
        speed = statistics.median(run["audio_s_per_s"] for run in point["runs"])
        cells = [f"{point['minutes']:g}", f"{point['steps']:.0f}", f"{speed:.0f}",
                 *(by_seed.get(seed, "") for seed in seeds), f"<strong>{format_wer(point['median'])} %</strong>"]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    rows.append(f"<tr><td>recordings</td><td></td><td></td>{'<td></td>' * len(seeds)}"
                f"<td>{format_wer(recordings['word_error_rate'])} %</td></tr>")
    return "\n".join(rows)


def html_page(title, report, sentences, recorded, spoken_of, machine):
    """Returns the page. `recorded` and spoken_of(run) are folders with 0001.wav for the first sentence and so on."""
    points, recordings, corpus = report["curve"], report["recordings"], report["corpus"]
    players = "\n".join(sentence_players(points, sentences[i], i, recorded, spoken_of)
                        for i in sample_sentences(sentences))
    return html_document(title, f"""<p>Corpus: {corpus['utterances']} sentences, {corpus['hours']:.2f} hours, flite voice {html.escape(corpus['voice'])}.
Each voice was trained with <code>myxtts train --model-size tiny</code> and synthesised {len(sentences)} held-out sentences
({recordings['words']} words). A speech recogniser computed the word error rate (WER); that of the recordings of the same
sentences is {format_wer(recordings['word_error_rate'])} %. {html.escape(machine)}</p>
{draw_wer_curve(points, recordings, title)}
<div class="wide"><table>
{table_rows(points, recordings)}
</table></div>
<p>Minutes are time in training steps. Every point is a separate run: the learning rate decays over the time of the run.</p>
<h2>Samples</h2>
<p>Each point is represented by the run nearest to the median.</p>
{players}
<script type="application/json" id="report">{json.dumps(report).replace("<", chr(92) + "u003c")}</script>""")
