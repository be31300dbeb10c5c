#!/usr/bin/env python3
"""Which settings make a better voice in the same time: trainings side by side, judged alike.

voice_variants.py MYXTTS --variant 'NAME: FLAGS' [--variant ...] [--minutes 3] [--seeds 1]
                  [--judge NAME=COMMAND ...] [--text FILE] [--check FILE] [--out DIR] [--json]

Each variant is `myxtts train` with its flags (`plain:` has none) for the same minutes in steps. Variants
take turns, seed by seed, so that a busy moment of the machine meets them all. Each voice says the sentences
of --check, and every judge is asked (docs/en/evaluate.md); the recordings are judged too. The corpus is that of
time_to_words.py.

  bench/voice_variants.py build/release/myxtts --variant plain: \\
    --variant 'flow: --decoder flow' --variant 'faster: --optimization-level experimental' \\
    --judge 'DNSMOS=.venv-judges/bin/python tools/judge_mos.py --most 40'

Word errors are always judged. What is done stays in --out and is not done again.
"""

import argparse
import hashlib
import json
import pathlib
import re
import shlex
import statistics
import sys

from program_calls import Calls
from time_to_words import (JUDGE, add_corpus_arguments, judged, make_check, make_corpus, numbers_of,
                           require_files, same_or_exit)


TAKEN = ("words", "variant", "seed", "steps", "step_s", "audio_s_per_s")  # what a run says of itself


def variant_of(words):
    """ "flow: --decoder flow" as a name and flags."""
    name, colon, flags = words.partition(":")
    if not colon or not re.fullmatch(r"[\w.-]+", name):
        raise argparse.ArgumentTypeError(f"'{words}': expected NAME: FLAGS, such as 'flow: --decoder flow'")
    return name, shlex.split(flags)


def judge_of(words):
    name, equals, command = words.partition("=")
    if not equals or not re.fullmatch(r"[\w.-]+", name) or name in TAKEN or not command:
        raise argparse.ArgumentTypeError(f"'{words}': expected NAME=COMMAND, NAME not one of {', '.join(TAKEN)}")
    return name, command


def number_in(answer):
    """The figure that a judge is about."""
    if "word_error_rate" in answer:
        return answer["word_error_rate"]
    figures = {key: value for key, value in answer.items()
               if isinstance(value, (int, float)) and key not in ("files", "words", "errors")}
    if len(figures) != 1:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: a judge answered {json.dumps(answer)}; expected one figure")
    return next(iter(figures.values()))


def judge_all(call, args, text, wavs, folder):
    """What every judge says of a folder of recordings, by its name."""
    figures = {}
    for name, command in [("words", JUDGE), *args.judges]:
        args.judge = command
        figures[name] = number_in(judged(call, args, text, wavs, folder / f"judge_{name}.json"))
    return figures


def one_run(call, args, name, flags, seed, text):
    run = args.out / f"{name}_seed_{seed}"
    same_or_exit(run / "flags.json", {"flags": flags, "minutes": args.minutes}, "a run")
    summary = run / "summary.json"
    if not summary.exists():
        call.answer("train", "--train-data", args.out / "corpus", "--checkpoint-dir", run,
                    "--model-size", "tiny", "--max-minutes", f"{args.minutes:g}", "--seed", seed,
                    "--set", "training.enable_text2audio_eval=false",
                    "--set", "training.spectrogram_log_interval=0", *flags)
    if not (run / "spoken" / "sentences.txt").exists():
        call.answer("evaluate", run, "--text", text, "--out", run / "spoken")
    trained = json.loads(summary.read_text())
    return {"variant": name, "seed": seed, "steps": trained["steps"], "step_s": trained["step_s"]["p50"],
            "audio_s_per_s": trained["audio_s_per_s"], **judge_all(call, args, text, run / "spoken", run)}


def table_of(runs, recordings):
    """A row per variant, means over the seeds; Markdown."""
    judges = list(recordings)
    lines = ["| variant | steps | ms per step | " + " | ".join(judges) + " |",
             "|---" * (3 + len(judges)) + "|"]
    for name in dict.fromkeys(run["variant"] for run in runs):
        mine = [run for run in runs if run["variant"] == name]
        figures = [f"{statistics.fmean(run[judge] for run in mine):.3f}" for judge in judges]
        steps = statistics.fmean(run["steps"] for run in mine)
        step_ms = 1000 * statistics.fmean(run["step_s"] for run in mine)
        lines.append(f"| {name} | {steps:.0f} | {step_ms:.0f} | " + " | ".join(figures) + " |")
    lines.append("| the recordings | | | " + " | ".join(f"{recordings[judge]:.3f}" for judge in judges) + " |")
    return "\n".join(lines)


def experiment_of(args):
    """What must be the same for runs to stand side by side."""
    text = hashlib.sha256(args.text.read_bytes()).hexdigest() if args.text else f"demo {args.utterances}"
    return {"text": text, "voice": args.voice, "judges": dict(args.judges)}


def begin(args):
    """The corpus and what is judged, as far as they are not there: how to call, the sentences, recordings of them."""
    call = Calls(args.program, args.out)
    same_or_exit(args.out / "experiment.json", experiment_of(args), "runs")
    call.say("speaking the corpus and what is judged")
    make_corpus(call, args)
    return call, *make_check(call, args)


def measure(args):
    call, text, recorded = begin(args)
    recordings = judge_all(call, args, text, recorded, args.out)
    runs = []
    todo = [(seed, *variant) for seed in args.seeds for variant in args.variants]
    for number, (seed, name, flags) in enumerate(todo, 1):
        call.say(f"[{number}/{len(todo)}] {name}, seed {seed}, {args.minutes:g} min in steps")
        runs.append(one_run(call, args, name, flags, seed, text))
        call.say("  " + ", ".join(f"{judge} {runs[-1][judge]:.3f}" for judge in recordings))
    return {"runs": runs, "recordings": recordings}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/myxtts")
    parser.add_argument("--variant", dest="variants", type=variant_of, action="append", required=True,
                        metavar="'NAME: FLAGS'")
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seeds", type=lambda words: numbers_of(words, int), default=[1])
    parser.add_argument("--judge", dest="judges", type=judge_of, action="append", default=[],
                        metavar="NAME=COMMAND", help="one more judge")
    add_corpus_arguments(parser)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/voice_variants"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    args = parser.parse_args()
    names = [name for name, _ in args.variants]
    if len(set(names)) < len(names):
        parser.error("two variants have one name")
    require_files(parser, args)
    return args


def main():
    args = arguments()
    report = measure(args)
    print(json.dumps(report) if args.json else table_of(report["runs"], report["recordings"]))


if __name__ == "__main__":
    sys.exit(main())
