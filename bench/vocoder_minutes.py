#!/usr/bin/env python3
"""How good a vocoder sounds after so many minutes of training, beside Griffin-Lim and the recordings.

vocoder_minutes.py MYXTTS [--minutes 2,5,10,20,40] [--voice-run RUN] [--judge NAME=COMMAND ...]
                   [--text FILE] [--check FILE] [--first N] [--set KEY=VALUE] [--seed N] [--out DIR] [--json]
                   [--svg FILE [--drawn NAME]] [--html FILE [--small]]

Trains `myxtts train-vocoder` with --max-minutes M in a run of its own for each M on flite's recordings of
--text; with --voice-run it also learns from the mels of that voice (--mels-from). What is judged are sentences
of --check that nobody trained on: flite's recordings of them, those through their mels and the vocoder (`true
mels`), and what the voice says through the vocoder (`text`). The corpus is that of time_to_words.py; give the
--text that the voice was trained on.

  bench/vocoder_minutes.py build/release/myxtts --voice-run runs/time_to_words/10_min_seed_1 \\
    --judge 'DNSMOS=.venv-judges/bin/python tools/judge_mos.py' \\
    --judge 'similarity=.venv-bench/bin/python tools/judge_voice.py --reference runs/vocoder_minutes/corpus/train/wavs'

Word errors are always judged; every other judge is a command that is given --text FILE --wavs DIR and
prints one JSON object with one figure. What is done stays in --out and is not done again. --svg draws the
first judge that is named, or that of --drawn; the page has all of them.
"""

import argparse
import html
import importlib.util
import json
import math
import pathlib
import sys

from curve_picture import picture_of
from time_to_words import add_corpus_arguments, machine_words, numbers_of, require_files, same_or_exit
from voice_variants import begin, judge_all, judge_of
from word_page import chosen, player, whole_page

RECORDED, HOLLOW, TRUE_MELS, TEXT = "recordings", "Griffin-Lim", "true mels", "text"


def through(call, sounds, folder, *vocoder):
    """Every recording through its mel: whole, as it was cut, and at the level that a vocoder learns."""
    folder.mkdir(parents=True, exist_ok=True)
    for sound in sorted(sounds.glob("*.wav")):
        if not (folder / sound.name).exists():
            call.answer("audio", sound, "--no-trim-silence", "--out", folder / sound.name, *vocoder)
    return folder


def said_by(call, run, text, folder, vocoder):
    """What a voice says, through a vocoder."""
    if not (folder / "sentences.txt").exists():
        call.answer("evaluate", run, "--text", text, "--vocoder", vocoder, "--out", folder)
    return folder


def train_for(call, args, minutes):
    """The run of a vocoder, trained if it is not yet."""
    run = args.out / f"{minutes:g}_min"
    voice = ["--mels-from", args.voice_run] if args.voice_run else []
    same_or_exit(run / "flags.json", {"set": args.sets, "seed": args.seed, "voice": str(args.voice_run)}, "a run")
    if not (run / "summary.json").exists():
        sets = [word for pair in args.sets for word in ("--set", pair)]
        call.answer("train-vocoder", "--train-data", args.out / "corpus", "--checkpoint-dir", run,
                    "--max-minutes", f"{minutes:g}", "--seed", args.seed,
                    "--set", "training.enable_text2audio_eval=false", *voice, *sets)
    return run


def row_of(call, args, text, sound, wavs, folder, **facts):
    """A line of the report: what sounds, and every judge's figure of it."""
    folder.mkdir(parents=True, exist_ok=True)
    row = {"sound": sound, "wavs": str(wavs), **facts, **judge_all(call, args, text, wavs, folder)}
    call.say(f"  {sound}: " + ", ".join(f"{name} {row[name]:.3f}" for name in names_of(args)))
    return row


def names_of(args):
    return ["words", *(name for name, _ in args.judges)]


def measure(args):
    call, text, recorded = begin(args)
    rows = [row_of(call, args, text, RECORDED, recorded, args.out / "judged_recordings"),
            row_of(call, args, text, HOLLOW, through(call, recorded, args.out / "hollow"),
                   args.out / "judged_hollow")]
    if args.voice_run:
        said = said_by(call, args.voice_run, text, args.out / "hollow_text", "griffin-lim")
        rows.append(row_of(call, args, text, f"{HOLLOW}, {TEXT}", said, args.out / "judged_hollow_text"))
    for number, minutes in enumerate(args.minutes, 1):
        call.say(f"[{number}/{len(args.minutes)}] {minutes:g} min in steps")
        run = train_for(call, args, minutes)
        steps = json.loads((run / "summary.json").read_text())["steps"]
        facts = {"minutes": minutes, "steps": steps}
        heard = through(call, recorded, run / "true_mels", "--vocoder", run)
        rows.append(row_of(call, args, text, TRUE_MELS, heard, run / "judged_true_mels", **facts))
        if args.voice_run:
            said = said_by(call, args.voice_run, text, run / "text", run)
            rows.append(row_of(call, args, text, TEXT, said, run / "judged_text", **facts))
    return {"judges": names_of(args), "rows": rows}


def cells_of(report):
    """Head and rows of the report as words."""
    rows = [["minutes", "steps", "sound", *report["judges"]]]
    for row in report["rows"]:
        rows.append([f"{row['minutes']:g}" if "minutes" in row else "", str(row.get("steps", "")), row["sound"],
                     *(f"{row[name]:.3f}" for name in report["judges"])])
    return rows


def table_of(report):
    head, *rows = ["| " + " | ".join(cells) + " |" for cells in cells_of(report)]
    return "\n".join([head, "|---" * (head.count("|") - 1) + "|", *rows])


def axis_of(values):
    """Where an axis for these begins and ends, with room for their figures, and the step of its ticks."""
    spread = max(max(values) - min(values), 1e-3)
    step = next((step for step in (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5) if spread / step <= 5), 1.0)
    low, high = math.floor(min(values) / step), math.ceil(max(values) / step)
    return (low - 1) * step, (high + 1) * step, step


def svg_of(report, judge):
    """The figures of a judge over the minutes, those of the recordings dashed."""
    lines = []
    figure = "{:.2f}" if report["rows"][0][judge] >= 1 else "{:.3f}"  # a scale of points, or shares
    for sound in (TRUE_MELS, TEXT):
        points = [{"minutes": row["minutes"], "median": row[judge], "values": []}
                  for row in report["rows"] if row["sound"] == sound]
        if points:
            lines.append({"name": sound, "figure": figure, "points": points, "is_below": sound == TEXT})
    besides = [{"value": row[judge], "words": f"{name}: {figure.format(row[judge])}"}
               for row in report["rows"]
               for name in [{RECORDED: "the recordings themselves", f"{HOLLOW}, {TEXT}": f"{TEXT}, {HOLLOW}"}.get(row["sound"])]
               if name]
    values = [point["median"] for line in lines for point in line["points"]]
    told = "; ".join([*(f"{line['name']}, {point['minutes']:g} minutes {figure.format(point['median'])}"
                        for line in lines for point in line["points"]), *(beside["words"] for beside in besides)])
    return picture_of(lines, besides, {"title": "How soon a vocoder sounds well", "drawn": judge, "told": f"{judge}: {told}."},
                      axis_of([*values, *(beside["value"] for beside in besides)]))


def page_of(report, sentences, is_small):
    """One page that opens without a network: pictures, table, players."""
    pictures = [svg_of(report, judge) for judge in report["judges"][1:] or report["judges"]]
    cells = cells_of(report)
    table = "\n".join("<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in row) + "</tr>"
                      for kind, row in [("th", cells[0]), *(("td", row) for row in cells[1:])])
    heard = []
    for i in chosen(sentences, 2 if is_small else 3):
        heard.append(f'<h3>{html.escape(sentences[i])}</h3>\n<div class="said">')
        for row in report["rows"]:
            name = f"{row['sound']}, {row['minutes']:g} min" if "minutes" in row else row["sound"]
            sound = player(pathlib.Path(row["wavs"]) / f"{i + 1:04}.wav", is_small)
            heard.append(f"<span>{name}</span>{sound}")
        heard.append("</div>")
    title = "How soon a vocoder sounds well"
    return whole_page(title, f"""<p>{len(sentences)} sentences that nobody trained on: as recorded, their mels through Griffin-Lim and through vocoders of
so many minutes of <code>myxtts train-vocoder</code> ({TRUE_MELS}), and said by a voice ({TEXT}). {machine_words()}</p>
{"".join(pictures)}
<div class="wide"><table>
{table}
</table></div>
<h2>Listen</h2>
{chr(10).join(heard)}""")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--minutes", type=lambda words: numbers_of(words, float), default=[2, 5, 10, 20, 40],
                        help="of training, in steps; default 2,5,10,20,40")
    parser.add_argument("--voice-run", type=pathlib.Path, help="a voice that speaks through the vocoders, and that they learn from")
    parser.add_argument("--judge", dest="judges", type=judge_of, action="append", default=[],
                        metavar="NAME=COMMAND", help="one more judge")
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="KEY=VALUE",
                        help="a setting of every training")
    parser.add_argument("--seed", type=int, default=1)
    add_corpus_arguments(parser)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/vocoder_minutes"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--svg", type=pathlib.Path, help="write the curve as a picture")
    parser.add_argument("--drawn", metavar="NAME", help="the judge that --svg draws; default: the first named")
    parser.add_argument("--html", type=pathlib.Path, help="write a page with the curve, and players")
    parser.add_argument("--small", action="store_true", help="fewer players, of MP3s: a page below 1 MB")
    args = parser.parse_args()
    require_files(parser, args)
    if args.voice_run and not args.voice_run.is_dir():
        parser.error(f"--voice-run {args.voice_run}: no such folder")
    if args.small and importlib.util.find_spec("soundfile") is None:
        parser.error("--small: there is no soundfile; .venv/bin/python has it")
    if args.drawn and args.drawn not in names_of(args):
        parser.error(f"--drawn {args.drawn}: no such judge; there are {', '.join(names_of(args))}")
    return args


def main():
    args = arguments()
    report = measure(args)
    if args.svg:
        args.svg.write_text(svg_of(report, args.drawn or names_of(args)[:2][-1]), encoding="utf-8")
    if args.html:
        sentences = (args.out / "check.txt").read_text(encoding="utf-8").splitlines()
        args.html.write_text(page_of(report, sentences, args.small), encoding="utf-8")
    print(json.dumps(report) if args.json else table_of(report))


if __name__ == "__main__":
    sys.exit(main())
