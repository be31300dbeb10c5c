#!/usr/bin/env python3
"""Measures the word error rate (WER) of voices over training time, and of the recordings for comparison.

wer_over_time.py MYXTTS [--text FILE] [--check FILE] [--minutes 1,2,3,5,10,20] [--seeds 1,2,3]
                 [--out DIR] [--json] [--svg FILE] [--html FILE]

Generates a corpus from the sentences of --text with flite (voice rms), and trains `tiny` on it with
--max-minutes M in a separate run for each M and each seed. Each voice synthesises the held-out sentences of
--check, and a judge computes the WER of that and of flite's recordings of the same sentences. Without files
the sentences are those of `myxtts corpus demo`. Minutes are time in training steps. The learning rate decays
over the time of a run, so the points of the curve are separate runs, not moments of one run.

Results stay in --out and are reused: a run with a summary.json is not trained again, a run with a score is not
judged again. The curve has all results in --out, also those of earlier calls with other minutes or seeds.
.venv/bin/python has the packages that tools/judge_wer.py needs.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

from program_calls import Program
from wer_curve import curve_of, draw_wer_curve, format_table, format_wer
from wer_page import html_page

ROOT = pathlib.Path(__file__).resolve().parents[1]
JUDGE = shlex.join([sys.executable, str(ROOT / "tools" / "judge_wer.py")])
TITLE = "WER over training time"
ADVISED_WORDS = 1500
TRAINED_SENTENCES = 1000
CHECKED_SENTENCES = 160
OVERHEAD_S = 90.0  # initial estimate of the time of a run besides its steps: loading, synthesis, judge


def parse_numbers(text, kind):
    """Returns "1,2,3" as a sorted list of `kind` without repetitions."""
    try:
        numbers = [kind(word) for word in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}': expected numbers such as 1,2,3") from None
    if any(not 0 < number < 1e6 for number in numbers):
        raise argparse.ArgumentTypeError(f"'{text}': expected numbers above 0")
    return sorted(set(numbers))


def tidy_lines(text):
    """Returns one sentence per line as `corpus demo --text` reads them: whitespace collapsed, no duplicates."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return list(dict.fromkeys(line for line in lines if line))


def unseen_sentences(candidates, trained, count):
    """Returns the first `count` candidates that are not trained on, ignoring case and punctuation."""
    def key(text):
        return "".join(letter for letter in text.lower() if letter.isalnum())

    known = {key(text) for text in trained}
    unseen = [text for text in candidates if key(text) not in known]
    if len(unseen) < count:
        sys.exit(f"wer_over_time.py: {len(unseen)} sentences are not in the training data, expected {count}; give a "
                 "list with --check")
    return unseen[:count]


def read_texts(corpus):
    """Returns the sentences of a demo corpus, in order."""
    rows = {}
    for part in ("train", "val"):
        metadata = corpus / part / "metadata.csv"
        for line in metadata.read_text(encoding="utf-8").splitlines() if metadata.exists() else []:
            name, text = line.split("|")[:2]
            rows[name] = text
    return [rows[name] for name in sorted(rows)]


def format_duration(seconds):
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def format_remaining(pending, overhead_s):
    """Returns the estimated time of the pending runs, given their minutes."""
    return format_duration(sum(60 * minutes + overhead_s for minutes in pending))


def format_machine():
    """Returns the number of cores and the name of the processor, if the system has it."""
    file = pathlib.Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    return f"{cores} core{'s' if cores != 1 else ''}" + (f" of {names[0]}." if names else ".")


def run_folder(out, minutes, seed):
    return out / f"{minutes:g}_min_seed_{seed}"


def finished_runs(out):
    """Returns minutes and seed of every run that was trained and judged."""
    finished = []
    for score in out.glob("*_min_seed_*/score.json"):
        match = re.fullmatch(r"([\d.e+-]+)_min_seed_(\d+)", score.parent.name)
        if match and (score.parent / "summary.json").exists():
            finished.append((float(match[1]), int(match[2])))
    return finished


def require_same(file, settings, what):
    """Stores the settings of an experiment. Exits if the file has other ones."""
    if file.exists() and json.loads(file.read_text()) != settings:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {file.parent} has {what} of another experiment ({file.name} differs); "
                 "choose another --out, or remove it")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(settings, indent=1) + "\n")


def make_corpus(program, args):
    """Generates the recordings to train on."""
    source = ["--text", args.text] if args.text else ["--utterances", args.utterances]
    return program.run("corpus", "demo", "--out", args.out / "corpus", "--voices", args.voice,
                       "--val-share", 0.03, *source)


def check_sentences(program, args):
    if args.check:
        return tidy_lines(args.check.read_text(encoding="utf-8-sig"))
    spare = args.out / "spare"
    program.run("corpus", "demo", "--out", spare, "--voices", args.voice, "--val-share", 0, "--seed", 2,
                "--utterances", args.check_sentences * 2)
    return unseen_sentences(read_texts(spare), read_texts(args.out / "corpus"), args.check_sentences)


def make_check(program, args):
    """Writes the held-out sentences to a file and flite's recordings of them to a folder. Returns both paths."""
    sentences = check_sentences(program, args)[:args.first]
    text, recorded, folder = args.out / "check.txt", args.out / "recorded", args.out / "recorded_corpus"
    require_same(args.out / "check.json", sentences, "held-out sentences")
    text.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    program.run("corpus", "demo", "--out", folder, "--text", text, "--voices", args.voice, "--val-share", 0)
    recorded.mkdir(exist_ok=True)
    for number in range(1, len(sentences) + 1):
        link = recorded / f"{number:04}.wav"
        if not link.exists():
            os.link(folder / "train" / "wavs" / f"{args.voice}_{number:05}.wav", link)
    return text, recorded


def run_judge(program, args, text, wavs, file):
    """Returns the scores of a folder of WAV files, from `file` if it exists, else from the judge."""
    if file.exists():
        return json.loads(file.read_text())
    command = f'{args.judge} "$@"'
    with program.log_file.open("a", encoding="utf-8") as log:
        done = subprocess.run(["sh", "-c", command, "judge", "--text", text, "--wavs", wavs], check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
    if done.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: the judge failed, see {program.log_file}: {args.judge}")
    score = json.loads(done.stdout)
    file.write_text(json.dumps(score) + "\n")
    return score


def measure_run(program, args, minutes, seed, text):
    """Trains and judges one run, or reads the results in its folder."""
    run = run_folder(args.out, minutes, seed)
    summary_file, score_file = run / "summary.json", run / "score.json"
    if not summary_file.exists():
        sets = [word for pair in args.sets for word in ("--set", pair)]
        program.run("train", "--train-data", args.out / "corpus", "--checkpoint-dir", run,
                    "--model-size", "tiny", "--max-minutes", f"{minutes:g}", "--seed", seed,
                    "--set", "training.enable_text2audio_eval=false",
                    "--set", "training.spectrogram_log_interval=0", *sets)
    if not score_file.exists():
        result = program.run("evaluate", run, "--text", text, "--judge", args.judge, "--judge-timeout", 3600,
                             "--out", run / "spoken")
        score_file.write_text(json.dumps(result["score"]) + "\n")
    summary = json.loads(summary_file.read_text())
    return {"minutes": minutes, "seed": seed, "steps": summary["steps"],
            "audio_s_per_s": summary["audio_s_per_s"], **json.loads(score_file.read_text())}


def experiment_of(args):
    """Returns the settings that all points of one curve share."""
    text = hashlib.sha256(args.text.read_bytes()).hexdigest() if args.text else f"demo {args.utterances}"
    return {"text": text, "voice": args.voice, "judge": args.judge, "set": args.sets}


def measure(args):
    program = Program(args.program, args.out)
    require_same(args.out / "experiment.json", experiment_of(args), "runs")
    program.log("generating the corpus")
    corpus = make_corpus(program, args)
    program.log(f"{corpus['train']} training sentences, {corpus['hours']:.2f} h; generating the held-out recordings")
    text, recorded = make_check(program, args)
    recordings = run_judge(program, args, text, recorded, args.out / "recorded.json")
    words = recordings["words"]
    program.log(f"recordings: WER {format_wer(recordings['word_error_rate'])} % of {words} words")
    if words < ADVISED_WORDS:
        program.log(f"warning: {words} held-out words; with fewer than {ADVISED_WORDS} the noise of the judge exceeds "
                    "the differences between runs")
    todo = [(minutes, seed) for minutes in args.minutes for seed in args.seeds]
    runs, overhead_s = [], OVERHEAD_S
    for number, (minutes, seed) in enumerate(todo, 1):
        name = f"[{number}/{len(todo)}] {minutes:g} min, seed {seed}"
        pending = [m for m, s in todo[number - 1:] if not (run_folder(args.out, m, s) / "score.json").exists()]
        is_new = not (run_folder(args.out, minutes, seed) / "summary.json").exists()
        start = time.monotonic()
        if pending:
            program.log(f"{name}; {format_remaining(pending, overhead_s)} left")
        runs.append(measure_run(program, args, minutes, seed, text))
        if is_new:
            overhead_s = max(0.0, time.monotonic() - start - 60 * minutes)
        program.log(f"{name}: WER {format_wer(runs[-1]['word_error_rate'])} % after {runs[-1]['steps']} steps")
    requested = {run_folder(args.out, minutes, seed) for minutes, seed in todo}
    runs += [measure_run(program, args, minutes, seed, text) for minutes, seed in finished_runs(args.out)
             if run_folder(args.out, minutes, seed) not in requested]
    return {"corpus": {"utterances": corpus["train"], "hours": corpus["hours"], "voice": args.voice},
            "recordings": recordings, "curve": curve_of(runs)}


def add_corpus_arguments(parser):
    """Adds the flags for training sentences and held-out sentences."""
    parser.add_argument("--text", type=pathlib.Path, help="training sentences, one per line")
    parser.add_argument("--utterances", type=int, default=TRAINED_SENTENCES, help="number of sentences without --text")
    parser.add_argument("--check", type=pathlib.Path,
                        help=f"held-out sentences, {ADVISED_WORDS} words or more")
    parser.add_argument("--check-sentences", type=int, default=CHECKED_SENTENCES,
                        help="number of held-out sentences without --check")
    parser.add_argument("--first", type=int, help="number of held-out sentences to use; default: all")
    parser.add_argument("--voice", default="rms", help="voice of flite; default rms")


def require_files(parser, args):
    for flag, file in (("--text", args.text), ("--check", args.check)):
        if file and not file.is_file():
            parser.error(f"{flag} {file}: no such file")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/myxtts")
    add_corpus_arguments(parser)
    parser.add_argument("--minutes", type=lambda text: parse_numbers(text, float), default=[1, 2, 3, 5, 10, 20],
                        help="minutes of training, in steps; default 1,2,3,5,10,20")
    parser.add_argument("--seeds", type=lambda text: parse_numbers(text, int), default=[1, 2, 3])
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="KEY=VALUE",
                        help="setting of every training")
    parser.add_argument("--judge", default=JUDGE, help="judge command, as in `myxtts evaluate --judge`")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/wer_over_time"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--svg", type=pathlib.Path, help="SVG file to write: the curve")
    parser.add_argument("--html", type=pathlib.Path, help="HTML file to write: the curve, the table and audio players")
    args = parser.parse_args()
    require_files(parser, args)
    return args


def main():
    args = arguments()
    report = measure(args)
    if args.svg:
        args.svg.write_text(draw_wer_curve(report["curve"], report["recordings"], TITLE), encoding="utf-8")
    if args.html:
        sentences = tidy_lines((args.out / "check.txt").read_text(encoding="utf-8"))
        page = html_page(TITLE, report, sentences, args.out / "recorded",
                         lambda run: run_folder(args.out, run["minutes"], run["seed"]) / "spoken", format_machine())
        args.html.write_text(page, encoding="utf-8")
    if args.json:
        print(json.dumps(report))
        return
    words = report["recordings"]["words"]
    print(f"WER in percent of {words} words; {report['corpus']['hours']:.2f} h of {report['corpus']['voice']}\n")
    print(format_table(report["curve"], report["recordings"]))
    print("\nMinutes are time in training steps. Every point is a separate run: the learning rate decays over the "
          "time of the run.")


if __name__ == "__main__":
    sys.exit(main())
