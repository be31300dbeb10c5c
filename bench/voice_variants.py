#!/usr/bin/env python3
"""Compares settings of `myxtts train` after the same training time, by the scores of judges.

voice_variants.py MYXTTS --variant 'NAME: FLAGS' [--variant ...] [--minutes 3] [--seeds 1]
                  [--judge NAME=COMMAND ...] [--text FILE] [--check FILE] [--out DIR] [--json]

Each variant is `myxtts train` with its flags (`plain:` has none) for the same minutes in steps. Variants are
trained in alternation, seed by seed, so that other load on the machine affects all of them. Each voice
synthesises the held-out sentences of --check, and every judge scores that and the recordings
(docs/en/evaluate.md). The corpus is that of wer_over_time.py.

  bench/voice_variants.py build/release/myxtts --variant plain: \\
    --variant 'flow: --decoder flow' --variant 'faster: --optimization-level experimental' \\
    --judge 'DNSMOS=.venv-judges/bin/python tools/judge_mos.py --max-files 40'

The WER is always computed. Results stay in --out and are reused.
"""

import argparse
import hashlib
import json
import pathlib
import re
import shlex
import statistics
import sys

from program_calls import Program
from wer_over_time import (JUDGE, add_corpus_arguments, make_check, make_corpus, parse_numbers, require_files,
                           require_same, run_judge)

WER = "word_error_rate"  # name of the judge that always runs; a fraction in JSON, percent in tables
RESERVED = (WER, "variant", "seed", "steps", "step_s", "audio_s_per_s")  # other fields of a run


def parse_variant(text):
    """Returns name and flags of "flow: --decoder flow"."""
    name, colon, flags = text.partition(":")
    if not colon or not re.fullmatch(r"[\w.-]+", name):
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME: FLAGS, such as 'flow: --decoder flow'")
    return name, shlex.split(flags)


def parse_judge(text):
    name, equals, command = text.partition("=")
    if not equals or not re.fullmatch(r"[\w.-]+", name) or name in RESERVED or not command:
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=COMMAND, NAME not one of {', '.join(RESERVED)}")
    return name, command


def score_in(output):
    """Returns the score in the output of a judge: the WER, else the only number that is not a count."""
    if WER in output:
        return output[WER]
    scores = {key: value for key, value in output.items()
              if isinstance(value, (int, float)) and key not in ("files", "words", "errors")}
    if len(scores) != 1:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: a judge printed {json.dumps(output)}; expected one score")
    return next(iter(scores.values()))


def column_name(judge):
    return "WER (%)" if judge == WER else judge


def format_score(judge, value):
    return f"{100 * value:.1f}" if judge == WER else f"{value:.3f}"


def run_judges(program, args, text, wavs, folder):
    """Returns the scores of a folder of WAV files by the names of the judges."""
    scores = {}
    for name, command in [(WER, JUDGE), *args.judges]:
        args.judge = command
        scores[name] = score_in(run_judge(program, args, text, wavs, folder / f"judge_{name}.json"))
    return scores


def measure_run(program, args, name, flags, seed, text):
    run = args.out / f"{name}_seed_{seed}"
    require_same(run / "flags.json", {"flags": flags, "minutes": args.minutes}, "a run")
    summary_file = run / "summary.json"
    if not summary_file.exists():
        program.run("train", "--train-data", args.out / "corpus", "--checkpoint-dir", run,
                    "--model-size", "tiny", "--max-minutes", f"{args.minutes:g}", "--seed", seed,
                    "--set", "training.enable_text2audio_eval=false",
                    "--set", "training.spectrogram_log_interval=0", *flags)
    if not (run / "spoken" / "sentences.txt").exists():
        program.run("evaluate", run, "--text", text, "--out", run / "spoken")
    summary = json.loads(summary_file.read_text())
    return {"variant": name, "seed": seed, "steps": summary["steps"], "step_s": summary["step_s"]["p50"],
            "audio_s_per_s": summary["audio_s_per_s"], **run_judges(program, args, text, run / "spoken", run)}


def format_table(runs, recordings):
    """Returns a Markdown table with a row per variant, means over the seeds."""
    judges = list(recordings)
    lines = ["| variant | steps | ms per step | " + " | ".join(map(column_name, judges)) + " |",
             "|---" * (3 + len(judges)) + "|"]
    for name in dict.fromkeys(run["variant"] for run in runs):
        own = [run for run in runs if run["variant"] == name]
        scores = [format_score(judge, statistics.fmean(run[judge] for run in own)) for judge in judges]
        steps = statistics.fmean(run["steps"] for run in own)
        step_ms = 1000 * statistics.fmean(run["step_s"] for run in own)
        lines.append(f"| {name} | {steps:.0f} | {step_ms:.0f} | " + " | ".join(scores) + " |")
    lines.append("| recordings | | | " + " | ".join(format_score(judge, recordings[judge]) for judge in judges) + " |")
    return "\n".join(lines)


def experiment_of(args):
    """Returns the settings that all compared runs share."""
    text = hashlib.sha256(args.text.read_bytes()).hexdigest() if args.text else f"demo {args.utterances}"
    return {"text": text, "voice": args.voice, "judges": dict(args.judges)}


def prepare(args):
    """Generates the corpus and the held-out recordings if they are missing. Returns the program, the file of
    held-out sentences and the folder of their recordings."""
    program = Program(args.program, args.out)
    require_same(args.out / "experiment.json", experiment_of(args), "runs")
    program.log("generating the corpus and the held-out recordings")
    make_corpus(program, args)
    return program, *make_check(program, args)


def measure(args):
    program, text, recorded = prepare(args)
    recordings = run_judges(program, args, text, recorded, args.out)
    runs = []
    todo = [(seed, *variant) for seed in args.seeds for variant in args.variants]
    for number, (seed, name, flags) in enumerate(todo, 1):
        program.log(f"[{number}/{len(todo)}] {name}, seed {seed}, {args.minutes:g} min in steps")
        runs.append(measure_run(program, args, name, flags, seed, text))
        program.log("  " + ", ".join(f"{column_name(judge)} {format_score(judge, runs[-1][judge])}"
                                     for judge in recordings))
    return {"runs": runs, "recordings": recordings}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--variant", dest="variants", type=parse_variant, action="append", required=True,
                        metavar="'NAME: FLAGS'")
    parser.add_argument("--minutes", type=float, default=3.0, help="minutes of training, in steps; default 3")
    parser.add_argument("--seeds", type=lambda text: parse_numbers(text, int), default=[1])
    parser.add_argument("--judge", dest="judges", type=parse_judge, action="append", default=[],
                        metavar="NAME=COMMAND", help="additional judge")
    add_corpus_arguments(parser)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/voice_variants"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    args = parser.parse_args()
    names = [name for name, _ in args.variants]
    if len(set(names)) < len(names):
        parser.error("two variants have the same name")
    require_files(parser, args)
    return args


def main():
    args = arguments()
    report = measure(args)
    print(json.dumps(report) if args.json else format_table(report["runs"], report["recordings"]))


if __name__ == "__main__":
    sys.exit(main())
