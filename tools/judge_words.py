#!/usr/bin/env python3
"""Counts the words of recordings that pocketsphinx does not understand.

judge_words.py --text FILE --wavs DIR [--jobs N] [--json]

FILE has one sentence per line, blank lines left out; DIR has 0001.wav, 0002.wav and so on in the
same order, as `myxtts speak --text-file FILE --out DIR` writes them. Every recording is mixed to
one channel at 16 kHz, gets 0.3 s of silence on both sides and is decoded with the open vocabulary
of pocketsphinx's US English model. A decoder of its own hears each file: nothing that one recording
leaves behind can help or hurt the next, so the figure does not depend on --jobs or the order.

A line per file goes to standard error, one JSON object to standard output:

  {"word_error_rate": 0.1, "words": 40, "errors": 4}     with --json also "files", one for each line

An error is a word more, a word less or another word (edit distance). A file that is missing counts
as silence. Needs numpy, pocketsphinx, soundfile and soxr (tools/requirements-test.txt).
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
    """The words of a text as they are compared: small letters and apostrophes."""
    plain = text.lower().replace("\u2019", "'")
    return [word for word in (run.strip("'") for run in re.findall(r"[a-z']+", plain)) if word]


def word_errors(expected, heard):
    """Words to insert, remove or replace to make one list of the other."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(expected, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]


def samples_of(path):
    """A recording as 16-bit samples at 16 kHz with silence on both sides."""
    import numpy
    import soundfile
    import soxr

    sound, rate = soundfile.read(path, dtype="float32", always_2d=True)
    mono = sound.mean(axis=1)
    if rate != RATE_HZ and len(mono) > 0:
        mono = soxr.resample(mono, rate, RATE_HZ)
    padded = numpy.pad(mono, int(SILENCE_S * RATE_HZ))
    return (numpy.clip(padded, -1.0, 1.0) * PEAK).astype(numpy.int16)


def hear(path):
    """What pocketsphinx understands, as a list of words."""
    import pocketsphinx

    decoder = pocketsphinx.Decoder(samprate=RATE_HZ, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(samples_of(path).tobytes(), full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    return words_of(best.hypstr) if best else []


def judge(task):
    """One line and its file as a dictionary; "fault" says why a file could not be heard."""
    path, text = task
    expected = words_of(text)
    answer = {"file": path.name, "text": text, "heard": "", "words": len(expected)}
    heard = []
    if path.is_file():
        try:
            heard = hear(path)
        except (RuntimeError, ValueError) as error:
            return {**answer, "fault": f"{path}: {error}"}
    else:
        answer["missing"] = True
    return {**answer, "heard": " ".join(heard), "errors": word_errors(expected, heard)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--text", required=True, type=pathlib.Path, help="one sentence per line")
    parser.add_argument("--wavs", required=True, type=pathlib.Path, help="0001.wav and so on")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                        help="processes; default: one per core")
    parser.add_argument("--json", action="store_true", help="list every file in the answer")
    return parser.parse_args()


def tasks_of(args):
    try:
        lines = [line.strip() for line in args.text.read_text(encoding="utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"judge_words.py: {args.text}: {error}")
    tasks = [(args.wavs / f"{number:04}.wav", line)
             for number, line in enumerate((line for line in lines if line), 1)]
    if not any(path.is_file() for path, _ in tasks):
        sys.exit(f"judge_words.py: {args.wavs}: expected 0001.wav and so on, one for each of the "
                 f"{len(tasks)} sentences of {args.text}; none is there")
    return tasks


def main():
    args = arguments()
    tasks = tasks_of(args)
    files = []
    with multiprocessing.Pool(max(1, min(args.jobs, len(tasks)))) as pool:
        for answer in pool.imap(judge, tasks):
            if "fault" in answer:
                sys.exit(f"judge_words.py: {answer['fault']}")
            remark = "  (no such file)" if "missing" in answer else ""
            print(f"{answer['file']}  {answer['errors']:2} of {answer['words']:2}  "
                  f"{answer['heard']}{remark}", file=sys.stderr)
            files.append(answer)

    words = sum(answer["words"] for answer in files)
    errors = sum(answer["errors"] for answer in files)
    if words == 0:
        sys.exit(f"judge_words.py: {args.text}: no word of the letters a to z to judge by")
    total = {"word_error_rate": errors / words, "words": words, "errors": errors}
    if args.json:
        total["files"] = files
    print(json.dumps(total))


if __name__ == "__main__":
    main()
