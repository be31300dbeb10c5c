#!/usr/bin/env python3
"""How soon a voice is understood: word errors after so many minutes of training, beside the recordings.

time_to_words.py MYXTTS [--text FILE] [--check FILE] [--minutes 1,2,3,5,10,20] [--seeds 1,2,3]
                 [--out DIR] [--json] [--svg FILE] [--html FILE]

Speaks the sentences of --text with flite (voice rms), trains `tiny` on them with --max-minutes M in a
run of its own for each M and each seed, lets it speak the sentences of --check and has both that and
flite's own recordings of them judged. Without files the sentences are those of `myxtts corpus demo`, and
the ones to judge by are not among those to train on. Minutes are minutes in steps. A run that is told
its time has a learning rate that falls over that time: the points of the curve are runs, not moments of
one run.

What is done stays in --out and is not done again: a run with a summary.json is not trained, one with a
score is not judged. The curve is of all that is done there: points may have been asked for one by one, with
seeds of their own. .venv/bin/python has what tools/judge_words.py needs.
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

from program_calls import Calls
from word_curve import curve_of, svg_of, table_of
from word_page import page_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
JUDGE = shlex.join([sys.executable, str(ROOT / "tools" / "judge_words.py")])
ADVISED_WORDS = 1500
TRAINED_SENTENCES = 1000
CHECKED_SENTENCES = 160
REST_S = 90.0  # first guess of what a run costs beside its steps: loading, speaking, judging


def numbers_of(words, kind):
    """ "1,2,3" as a list of what `kind` makes of each, without repetitions."""
    try:
        numbers = [kind(word) for word in words.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{words}': expected numbers such as 1,2,3") from None
    if any(not 0 < number < 1e6 for number in numbers):
        raise argparse.ArgumentTypeError(f"'{words}': expected numbers above 0")
    return sorted(set(numbers))


def tidy_lines(text):
    """One sentence per line as `corpus demo --text` takes them: blanks tidied, none twice."""
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return list(dict.fromkeys(line for line in lines if line))


def unseen_of(candidates, seen, count):
    """The first `count` candidates that nobody trains on, whatever their capitals and marks."""
    def key(text):
        return "".join(letter for letter in text.lower() if letter.isalnum())

    known = {key(text) for text in seen}
    unseen = [text for text in candidates if key(text) not in known]
    if len(unseen) < count:
        sys.exit(f"time_to_words.py: {len(unseen)} sentences are not in the training, {count} wanted; name a "
                 "list with --check")
    return unseen[:count]


def texts_in(corpus):
    """What is said in a demo corpus, by its order."""
    rows = {}
    for part in ("train", "val"):
        metadata = corpus / part / "metadata.csv"
        for line in metadata.read_text(encoding="utf-8").splitlines() if metadata.exists() else []:
            name, text = line.split("|")[:2]
            rows[name] = text
    return [rows[name] for name in sorted(rows)]


def time_words(seconds):
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def left_words(pending, rest_s):
    """How long these runs, by their minutes, will take."""
    return time_words(sum(60 * minutes + rest_s for minutes in pending))


def machine_words():
    """The processor, as far as the system names it."""
    facts = pathlib.Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    cores = len(os.sched_getaffinity(0))
    return f"{cores} core{'s' if cores != 1 else ''}" + (f" of {names[0]}." if names else ".")


def run_of(out, minutes, seed):
    return out / f"{minutes:g}_min_seed_{seed}"


def done_in(out):
    """Minutes and seed of every run that was trained and judged."""
    done = []
    for score in out.glob("*_min_seed_*/score.json"):
        named = re.fullmatch(r"([\d.e+-]+)_min_seed_(\d+)", score.parent.name)
        if named and (score.parent / "summary.json").exists():
            done.append((float(named[1]), int(named[2])))
    return done


def same_or_exit(file, facts, what):
    """Keeps what an experiment consists of, and refuses to mix it with another."""
    if file.exists() and json.loads(file.read_text()) != facts:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {file.parent} holds {what} of another experiment ({file.name} differs); "
                 "choose another --out, or remove it")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(facts, indent=1) + "\n")


def make_corpus(call, args):
    """The recordings to train on."""
    source = ["--text", args.text] if args.text else ["--utterances", args.utterances]
    return call.answer("corpus", "demo", "--out", args.out / "corpus", "--voices", args.voice,
                       "--val-share", 0.03, *source)


def check_sentences(call, args):
    if args.check:
        return tidy_lines(args.check.read_text(encoding="utf-8-sig"))
    spare = args.out / "spare"
    call.answer("corpus", "demo", "--out", spare, "--voices", args.voice, "--val-share", 0, "--seed", 2,
                "--utterances", args.check_sentences * 2)
    return unseen_of(texts_in(spare), texts_in(args.out / "corpus"), args.check_sentences)


def make_check(call, args):
    """The sentences to judge by, in a file, and a folder with flite's recordings of them."""
    sentences = check_sentences(call, args)[:args.first]
    text, recorded, folder = args.out / "check.txt", args.out / "recorded", args.out / "recorded_corpus"
    same_or_exit(args.out / "check.json", sentences, "sentences to judge by")
    text.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    call.answer("corpus", "demo", "--out", folder, "--text", text, "--voices", args.voice, "--val-share", 0)
    recorded.mkdir(exist_ok=True)
    for number in range(1, len(sentences) + 1):
        place = recorded / f"{number:04}.wav"
        if not place.exists():
            os.link(folder / "train" / "wavs" / f"{args.voice}_{number:05}.wav", place)
    return text, recorded


def judged(call, args, text, wavs, file):
    """What the judge says of a folder, kept in `file`."""
    if file.exists():
        return json.loads(file.read_text())
    words = f'{args.judge} "$@"'
    with call.log.open("a", encoding="utf-8") as log:
        answer = subprocess.run(["sh", "-c", words, "judge", "--text", text, "--wavs", wavs], check=False,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
    if answer.returncode != 0:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: the judge failed; {call.log} has its words: {args.judge}")
    score = json.loads(answer.stdout)
    file.write_text(json.dumps(score) + "\n")
    return score


def one_run(call, args, minutes, seed, text):
    """Trains and judges one point, as far as that is not done."""
    run = run_of(args.out, minutes, seed)
    summary, score = run / "summary.json", run / "score.json"
    if not summary.exists():
        sets = [word for pair in args.sets for word in ("--set", pair)]
        call.answer("train", "--train-data", args.out / "corpus", "--checkpoint-dir", run,
                    "--model-size", "tiny", "--max-minutes", f"{minutes:g}", "--seed", seed,
                    "--set", "training.enable_text2audio_eval=false",
                    "--set", "training.spectrogram_log_interval=0", *sets)
    if not score.exists():
        answer = call.answer("evaluate", run, "--text", text, "--judge", args.judge, "--judge-timeout", 3600,
                             "--out", run / "spoken")
        score.write_text(json.dumps(answer["score"]) + "\n")
    trained = json.loads(summary.read_text())
    return {"minutes": minutes, "seed": seed, "steps": trained["steps"],
            "audio_s_per_s": trained["audio_s_per_s"], **json.loads(score.read_text())}


def experiment_of(args):
    """What must be the same for runs to be points of one curve."""
    text = hashlib.sha256(args.text.read_bytes()).hexdigest() if args.text else f"demo {args.utterances}"
    return {"text": text, "voice": args.voice, "judge": args.judge, "set": args.sets}


def measure(args):
    call = Calls(args.program, args.out)
    same_or_exit(args.out / "experiment.json", experiment_of(args), "runs")
    call.say("speaking the corpus")
    corpus = make_corpus(call, args)
    call.say(f"{corpus['train']} sentences to train on, {corpus['hours']:.2f} h; speaking what is judged")
    text, recorded = make_check(call, args)
    recordings = judged(call, args, text, recorded, args.out / "recorded.json")
    words = recordings["words"]
    call.say(f"the recordings: {recordings['word_error_rate']:.3f} of {words} words misunderstood")
    if words < ADVISED_WORDS:
        call.say(f"warning: {words} words to judge by; with fewer than {ADVISED_WORDS} two runs differ by "
                 "the judge's noise")
    todo = [(minutes, seed) for minutes in args.minutes for seed in args.seeds]
    runs, rest_s = [], REST_S
    for number, (minutes, seed) in enumerate(todo, 1):
        name = f"[{number}/{len(todo)}] {minutes:g} min, seed {seed}"
        pending = [m for m, s in todo[number - 1:] if not (run_of(args.out, m, s) / "score.json").exists()]
        is_new = not (run_of(args.out, minutes, seed) / "summary.json").exists()
        began = time.monotonic()
        if pending:
            call.say(f"{name}; {left_words(pending, rest_s)} left")
        runs.append(one_run(call, args, minutes, seed, text))
        if is_new:
            rest_s = max(0.0, time.monotonic() - began - 60 * minutes)
        call.say(f"{name}: {runs[-1]['word_error_rate']:.3f} after {runs[-1]['steps']} steps")
    mine = {run_of(args.out, minutes, seed) for minutes, seed in todo}
    runs += [one_run(call, args, minutes, seed, text) for minutes, seed in done_in(args.out)
             if run_of(args.out, minutes, seed) not in mine]
    return {"corpus": {"utterances": corpus["train"], "hours": corpus["hours"], "voice": args.voice},
            "recordings": recordings, "curve": curve_of(runs)}


def add_corpus_arguments(parser):
    """What is trained on, and what is judged by."""
    parser.add_argument("--text", type=pathlib.Path, help="sentences to train on, one per line")
    parser.add_argument("--utterances", type=int, default=TRAINED_SENTENCES, help="how many without --text")
    parser.add_argument("--check", type=pathlib.Path,
                        help=f"sentences to judge by, best {ADVISED_WORDS} words or more")
    parser.add_argument("--check-sentences", type=int, default=CHECKED_SENTENCES,
                        help="how many without --check")
    parser.add_argument("--first", type=int, help="judge by the first so many sentences only")
    parser.add_argument("--voice", default="rms", help="of flite; default rms")


def require_files(parser, args):
    for flag, file in (("--text", args.text), ("--check", args.check)):
        if file and not file.is_file():
            parser.error(f"{flag} {file}: no such file")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/release/myxtts")
    add_corpus_arguments(parser)
    parser.add_argument("--minutes", type=lambda words: numbers_of(words, float), default=[1, 2, 3, 5, 10, 20],
                        help="of training, in steps; default 1,2,3,5,10,20")
    parser.add_argument("--seeds", type=lambda words: numbers_of(words, int), default=[1, 2, 3])
    parser.add_argument("--set", dest="sets", action="append", default=[], metavar="KEY=VALUE",
                        help="a setting of every training")
    parser.add_argument("--judge", default=JUDGE, help="command as `myxtts evaluate --judge` takes it")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/time_to_words"))
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--svg", type=pathlib.Path, help="write the curve as a picture")
    parser.add_argument("--html", type=pathlib.Path, help="write a page with the curve, and players")
    args = parser.parse_args()
    require_files(parser, args)
    return args


def main():
    args = arguments()
    report = measure(args)
    if args.svg:
        args.svg.write_text(svg_of(report["curve"], report["recordings"],
                                   "How soon a voice is understood"), encoding="utf-8")
    if args.html:
        sentences = tidy_lines((args.out / "check.txt").read_text(encoding="utf-8"))
        page = page_of(report, sentences, args.out / "recorded",
                       lambda run: run_of(args.out, run["minutes"], run["seed"]) / "spoken", machine_words())
        args.html.write_text(page, encoding="utf-8")
    if args.json:
        print(json.dumps(report))
        return
    words = report["recordings"]["words"]
    print(f"word errors of {words} words; {report['corpus']['hours']:.2f} h by {report['corpus']['voice']}\n")
    print(table_of(report["curve"], report["recordings"]))
    print("\nMinutes are time in steps. Each line is runs of their own: the learning rate falls over the time "
          "that a run was given.")


if __name__ == "__main__":
    sys.exit(main())
