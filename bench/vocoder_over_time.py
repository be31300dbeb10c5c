#!/usr/bin/env python3
"""Measures the quality of a vocoder over training time, with Griffin-Lim and the recordings for comparison.

vocoder_over_time.py MYXTTS [--minutes 2,5,10,20,40] [--voice-run RUN] [--judge NAME=COMMAND ...]
                     [--text FILE] [--check FILE] [--first N] [--set KEY=VALUE] [--seed N] [--out DIR] [--json]
                     [--svg FILE [--plot NAME]] [--html FILE [--small]]

Runs `myxtts train-vocoder` with --max-minutes M in a separate run for each M, on flite's recordings of --text;
with --voice-run it also trains on ground-truth-aligned mels of that voice (--mels-from). Judges score held-out
sentences of --check: flite's recordings, the vocoder on the mels of these recordings (`ground-truth mels`), and
the voice with the vocoder (`text to speech`). The corpus is that of wer_over_time.py; --text must be the
sentences that the voice was trained on.

  bench/vocoder_over_time.py build/release/myxtts --voice-run runs/wer_over_time/10_min_seed_1 \\
    --judge 'DNSMOS=.venv-judges/bin/python tools/judge_mos.py' \\
    --judge 'similarity=.venv-bench/bin/python tools/judge_similarity.py --reference runs/vocoder_over_time/corpus/train/wavs'

The WER is always computed. Every other judge is a command that gets --text FILE --wavs DIR and prints one JSON
object with one score. Results stay in --out and are reused. --svg draws the first judge, or that of --plot; the
HTML page has all of them.
"""

import argparse
import html
import importlib.util
import json
import math
import pathlib
import sys

from curve_picture import draw_curves
from voice_variants import WER, column_name, format_score, parse_judge, prepare, run_judges
from wer_over_time import add_corpus_arguments, format_machine, parse_numbers, require_files, require_same
from wer_page import html_document, player, sample_sentences

TITLE = "Vocoder quality over training time"
RECORDINGS, GRIFFIN_LIM, TRUE_MELS, TTS = "recordings", "Griffin-Lim", "ground-truth mels", "text to speech"


def resynthesise(program, recordings, folder, *vocoder):
    """Converts every recording to its mel and back to audio, untrimmed."""
    folder.mkdir(parents=True, exist_ok=True)
    for wav in sorted(recordings.glob("*.wav")):
        if not (folder / wav.name).exists():
            program.run("audio", wav, "--no-trim-silence", "--out", folder / wav.name, *vocoder)
    return folder


def synthesise(program, run, text, folder, vocoder):
    """Synthesises the sentences with a voice and a vocoder."""
    if not (folder / "sentences.txt").exists():
        program.run("evaluate", run, "--text", text, "--vocoder", vocoder, "--out", folder)
    return folder


def train_vocoder(program, args, minutes):
    """Returns the run folder of a vocoder. Trains it if the folder has no summary."""
    run = args.out / f"{minutes:g}_min"
    voice = ["--mels-from", args.voice_run] if args.voice_run else []
    require_same(run / "flags.json", {"set": args.sets, "seed": args.seed, "voice": str(args.voice_run)}, "a run")
    if not (run / "summary.json").exists():
        sets = [word for pair in args.sets for word in ("--set", pair)]
        program.run("train-vocoder", "--train-data", args.out / "corpus", "--checkpoint-dir", run,
                    "--max-minutes", f"{minutes:g}", "--seed", args.seed,
                    "--set", "training.enable_text2audio_eval=false", *voice, *sets)
    return run


def measure_row(program, args, text, audio, wavs, folder, **more):
    """Returns a row of the report: the kind of audio and the scores of all judges."""
    folder.mkdir(parents=True, exist_ok=True)
    row = {"audio": audio, "wavs": str(wavs), **more, **run_judges(program, args, text, wavs, folder)}
    program.log(f"  {audio}: " + ", ".join(f"{column_name(name)} {format_score(name, row[name])}"
                                           for name in judge_names(args)))
    return row


def judge_names(args):
    return [WER, *(name for name, _ in args.judges)]


def measure(args):
    program, text, recorded = prepare(args)
    rows = [measure_row(program, args, text, RECORDINGS, recorded, args.out / "scores_recordings"),
            measure_row(program, args, text, GRIFFIN_LIM, resynthesise(program, recorded, args.out / "griffin_lim"),
                        args.out / "scores_griffin_lim")]
    if args.voice_run:
        spoken = synthesise(program, args.voice_run, text, args.out / "griffin_lim_tts", "griffin-lim")
        rows.append(measure_row(program, args, text, f"{TTS}, {GRIFFIN_LIM}", spoken, args.out / "scores_griffin_lim_tts"))
    for number, minutes in enumerate(args.minutes, 1):
        program.log(f"[{number}/{len(args.minutes)}] {minutes:g} min in steps")
        run = train_vocoder(program, args, minutes)
        steps = json.loads((run / "summary.json").read_text())["steps"]
        point = {"minutes": minutes, "steps": steps}
        wavs = resynthesise(program, recorded, run / "true_mels", "--vocoder", run)
        rows.append(measure_row(program, args, text, TRUE_MELS, wavs, run / "scores_true_mels", **point))
        if args.voice_run:
            spoken = synthesise(program, args.voice_run, text, run / "tts", run)
            rows.append(measure_row(program, args, text, TTS, spoken, run / "scores_tts", **point))
    return {"judges": judge_names(args), "rows": rows}


def table_cells(report):
    """Returns the header and the rows of the report as text."""
    rows = [["minutes", "steps", "audio", *map(column_name, report["judges"])]]
    for row in report["rows"]:
        rows.append([f"{row['minutes']:g}" if "minutes" in row else "", str(row.get("steps", "")), row["audio"],
                     *(format_score(name, row[name]) for name in report["judges"])])
    return rows


def format_table(report):
    head, *rows = ["| " + " | ".join(cells) + " |" for cells in table_cells(report)]
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *rows])


def axis_of(values):
    """Returns the ends of an axis with a margin around the values, and the tick distance."""
    span = max(max(values) - min(values), 1e-3)
    step = next((step for step in (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5) if span / step <= 5), 1.0)
    low, high = math.floor(min(values) / step), math.ceil(max(values) / step)
    return (low - 1) * step, (high + 1) * step, step


def draw_scores(report, judge):
    """Returns an SVG file: the scores of a judge over the minutes, with the recordings and Griffin-Lim dashed."""
    scale, number_format = 1, "{:.2f}"
    if judge == WER:
        scale, number_format = 100, "{:.1f} %"
    elif report["rows"][0][judge] < 1:  # a similarity; a MOS is above 1
        number_format = "{:.3f}"
    curves = []
    for audio in (TRUE_MELS, TTS):
        points = [{"minutes": row["minutes"], "median": scale * row[judge], "values": []}
                  for row in report["rows"] if row["audio"] == audio]
        if points:
            curves.append({"name": audio, "format": number_format, "points": points, "is_below": audio == TTS})
    references = [{"value": scale * row[judge], "label": f"{row['audio']}: {number_format.format(scale * row[judge])}"}
                  for row in report["rows"] if row["audio"] in (RECORDINGS, f"{TTS}, {GRIFFIN_LIM}")]
    values = [point["median"] for curve in curves for point in curve["points"]]
    description = "; ".join([*(f"{curve['name']}, {point['minutes']:g} min: {number_format.format(point['median'])}"
                               for curve in curves for point in curve["points"]),
                             *(reference["label"] for reference in references)])
    metric = "WER in percent" if judge == WER else judge
    return draw_curves(curves, references, {"title": TITLE, "metric": metric, "description": f"{metric}: {description}."},
                       axis_of([*values, *(reference["value"] for reference in references)]))


def html_page(report, sentences, is_small):
    """Returns a page that opens without a network: pictures, table and audio players."""
    pictures = [draw_scores(report, judge) for judge in report["judges"][1:] or report["judges"]]
    cells = table_cells(report)
    table = "\n".join("<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in row) + "</tr>"
                      for kind, row in [("th", cells[0]), *(("td", row) for row in cells[1:])])
    players = []
    for i in sample_sentences(sentences, 2 if is_small else 3):
        players.append(f'<h3>{html.escape(sentences[i])}</h3>\n<div class="players">')
        for row in report["rows"]:
            name = f"{row['audio']}, {row['minutes']:g} min" if "minutes" in row else row["audio"]
            audio = player(pathlib.Path(row["wavs"]) / f"{i + 1:04}.wav", is_small)
            players.append(f"<span>{name}</span>{audio}")
        players.append("</div>")
    return html_document(TITLE, f"""<p>{len(sentences)} held-out sentences: the recordings, their mels through Griffin-Lim and through vocoders of
<code>myxtts train-vocoder</code> ({TRUE_MELS}), and synthesised by a voice with these vocoders ({TTS}). {format_machine()}</p>
{"".join(pictures)}
<div class="wide"><table>
{table}
</table></div>
<h2>Samples</h2>
{chr(10).join(players)}""")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--minutes", type=lambda text: parse_numbers(text, float), default=[2, 5, 10, 20, 40],
                        help="minutes of training, in steps; default 2,5,10,20,40")
    parser.add_argument("--voice-run", type=pathlib.Path,
                        help="run folder of a voice; the vocoders train on its mels and synthesise its speech")
    parser.add_argument("--judge", dest="judges", type=parse_judge, action="append", default=[],
                        metavar="NAME=COMMAND", help="additional judge")
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="KEY=VALUE",
                        help="setting of every training")
    parser.add_argument("--seed", type=int, default=1)
    add_corpus_arguments(parser)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/vocoder_over_time"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--svg", type=pathlib.Path, help="SVG file to write: the curve")
    parser.add_argument("--plot", metavar="NAME", help=f"judge for --svg; default: the first --judge, else {WER}")
    parser.add_argument("--html", type=pathlib.Path, help="HTML file to write: curves, table and audio players")
    parser.add_argument("--small", action="store_true", help="fewer players, as MP3: a page below 1 MB")
    args = parser.parse_args()
    require_files(parser, args)
    if args.voice_run and not args.voice_run.is_dir():
        parser.error(f"--voice-run {args.voice_run}: no such folder")
    if args.small and importlib.util.find_spec("soundfile") is None:
        parser.error("--small: the package soundfile is missing; use .venv/bin/python")
    if args.plot and args.plot not in judge_names(args):
        parser.error(f"--plot {args.plot}: no such judge; expected one of {', '.join(judge_names(args))}")
    return args


def main():
    args = arguments()
    report = measure(args)
    if args.svg:
        args.svg.write_text(draw_scores(report, args.plot or judge_names(args)[:2][-1]), encoding="utf-8")
    if args.html:
        sentences = (args.out / "check.txt").read_text(encoding="utf-8").splitlines()
        args.html.write_text(html_page(report, sentences, args.small), encoding="utf-8")
    print(json.dumps(report) if args.json else format_table(report))


if __name__ == "__main__":
    sys.exit(main())
