#!/usr/bin/env python3
"""Computes the word error rate (WER) of recordings with the speech recogniser pocketsphinx.

judge_wer.py --text FILE --wavs DIR [--jobs N] [--json]

FILE has one sentence per line; blank lines are ignored. DIR has 0001.wav, 0002.wav and so on in the
same order, as `myxtts speak --text-file FILE --out DIR` writes them. Every recording is mixed to mono,
resampled to 16 kHz, padded with 0.3 s of silence on both sides and decoded with pocketsphinx's US English
model and its open vocabulary. Every file gets a new decoder without adaptation to earlier files, so the
result does not depend on --jobs or on the order.

A line per file goes to standard error, one JSON object to standard output:

  {"word_error_rate": 0.1, "words": 40, "errors": 4}     with --json also "files", one per line of FILE

Errors are insertions, deletions and substitutions of words. The rate is a fraction. A missing file counts as
silence. Needs numpy, pocketsphinx, soundfile and soxr (tools/requirements-test.txt).
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import re
import sys

RATE_HZ = 16000
SILENCE_S = 0.3
PEAK = 32767


def words_of(text):
    """Returns the words of a text as they are compared: lower-case letters and apostrophes."""
    lower = text.lower().replace("\u2019", "'")
    return [word for word in (run.strip("'") for run in re.findall(r"[a-z']+", lower)) if word]


def edit_distance(expected, heard):
    """Returns the number of insertions, deletions and substitutions between two lists of words."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(expected, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def samples_of(path):
    """Returns a recording as 16-bit samples at 16 kHz with silence on both sides."""
    import numpy
    import soundfile
    import soxr

    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    mono = samples.mean(axis=1)
    if rate != RATE_HZ and len(mono) > 0:
        mono = soxr.resample(mono, rate, RATE_HZ)
    padded = numpy.pad(mono, int(SILENCE_S * RATE_HZ))
    return (numpy.clip(padded, -1.0, 1.0) * PEAK).astype(numpy.int16)


def transcribe(path):
    """Returns the words that pocketsphinx recognises."""
    import pocketsphinx

    decoder = pocketsphinx.Decoder(samprate=RATE_HZ, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(samples_of(path).tobytes(), full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    return words_of(best.hypstr) if best else []


def judge(task):
    """Returns the result of one file as a dictionary; "fault" is the reason if it could not be decoded."""
    path, text = task
    expected = words_of(text)
    result = {"file": path.name, "text": text, "heard": "", "words": len(expected)}
    heard = []
    if path.is_file():
        try:
            heard = transcribe(path)
        except (RuntimeError, ValueError) as error:
            return {**result, "fault": f"{path}: {error}"}
    else:
        result["missing"] = True
    return {**result, "heard": " ".join(heard), "errors": edit_distance(expected, heard)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--text", required=True, type=pathlib.Path, help="file with one sentence per line")
    parser.add_argument("--wavs", required=True, type=pathlib.Path, help="folder with 0001.wav and so on")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="number of processes; default: one per core")
    parser.add_argument("--json", action="store_true", help="include the results of every file")
    return parser.parse_args()


def tasks_of(args):
    try:
        lines = [line.strip() for line in args.text.read_text(encoding="utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"judge_wer.py: {args.text}: {error}")
    tasks = [(args.wavs / f"{number:04}.wav", line)
             for number, line in enumerate((line for line in lines if line), 1)]
    if not any(path.is_file() for path, _ in tasks):
        sys.exit(f"judge_wer.py: {args.wavs}: no WAV file; expected 0001.wav and so on, one for each of the "
                 f"{len(tasks)} sentences of {args.text}")
    return tasks


def main():
    args = arguments()
    tasks = tasks_of(args)
    files = []
    with multiprocessing.Pool(max(1, min(args.jobs, len(tasks)))) as pool:
        for result in pool.imap(judge, tasks):
            if "fault" in result:
                sys.exit(f"judge_wer.py: {result['fault']}")
            note = "  (no such file)" if "missing" in result else ""
            print(f"{result['file']}  {result['errors']:2} of {result['words']:2}  "
                  f"{result['heard']}{note}", file=sys.stderr)
            files.append(result)

    words = sum(result["words"] for result in files)
    errors = sum(result["errors"] for result in files)
    if words == 0:
        sys.exit(f"judge_wer.py: {args.text}: no word with letters a to z; expected English text")
    total = {"word_error_rate": errors / words, "words": words, "errors": errors}
    if args.json:
        total["files"] = files
    print(json.dumps(total))


if __name__ == "__main__":
    main()
