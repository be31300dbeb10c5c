"""`myxtts speak` with ordinary and unusual texts at several speeds, and measurements of the audio."""

import json
import random

import numpy
import pytest
import soundfile
from training import SCALE, SETTINGS

SPEEDS = (0.5, 1, 2)
RATE = 22050
PEAK = 10 ** (-1 / 20)
# No flow decoder: after 40 steps its output is noise, whose high peaks prevent the target loudness.
SMALL = ["--max-steps", "40", "--batch-size", "4",
         *(argument for key, value in SETTINGS.items() if key.startswith("model.") and key != "model.decoder"
           for argument in ("--set", f"{key}={value}"))]
PERSIAN = "\u0633\u0644\u0627\u0645"  # hello

# Texts, and the characters of each that an English voice drops.
TEXTS = [
    ("a", []),
    ("I", []),
    ("x", []),
    ("7", []),
    ("Good morning, how are you today?", []),
    ("He said \"no\", 'never', \u201cno\u201d and \u2018never\u2019 (twice) [once] {so}.", []),
    ("Dr. Smith, Mrs. Jones et al. live on St. John's St., i.e. near the U.S. embassy, No. 5.", []),
    ("It is 23:45 on 3/14/1998; 25% of 1,234,567.89 km cost $99.95 or \u20ac5, -7 \u00b0C.", []),
    ("1234567890" * 4, []),
    ("3.14159265358979323846264338327950288419716939937510", []),
    ("honorificabilitudinitatibus" * 11 + "abc", []),  # 300 letters
    ("s'" * 70, []),
    ("s" + "'s" * 70 + " end", []),
    ("See https://www.example.com/a_b?q=1&r=%20#top and http://localhost:8080.", []),
    ("Write to first.last+tag@example-mail.co.uk today.", []),
    ("THIS IS ALL IN CAPITALS, LIKE SHOUTING AT NASA AND THE FBI.", []),
    ("Tabs\tbetween\t\twords.", []),
    ("Zero\u200dwidth\u200d joiners\u200b and\u2060 non\u200cjoiners\ufeff.", []),
    ("\u202eBidi\u202c \u2067controls\u2069 \u200fhere\u200e.", []),
    ("Cafe\u0301 nai\u0308ve re\u0301sume\u0301.", []),
    ("Z\u0351\u036b\u0343a\u0334l\u0337g\u0336o\u0338 text.", []),
    ("Caf\u00e9 \u00e0 la cr\u00e8me, \u00fcber, ma\u00f1ana, \u0141\u00f3d\u017a.", []),
    ("I \u2764 it \U0001F600 very much \U0001F600!", ["\u2764", "\U0001F600"]),
    ("Family \U0001F468\u200d\U0001F469\u200d\U0001F467 and flag \U0001F1EE\U0001F1F7.",
     ["\U0001F468", "\U0001F469", "\U0001F467", "\U0001F1EE", "\U0001F1F7"]),
    ("One \u4f60\u597d two \u043f\u0440\u0438 three.", list("\u4f60\u597d\u043f\u0440\u0438")),
    (f"The word {PERSIAN} means hello.", list(PERSIAN)),
    (f"Hello {PERSIAN} {PERSIAN} {PERSIAN}.", list(PERSIAN)),
    ("x^2 + y_1 = {a|b} ~ c \\ d < e > f * g & h @ i # j", []),
    ("word " * 60, []),
    ("-- well -- so ... what?! -- !!!", []),
    ("\ufb01ne \uff21\uff22\uff23 \u2460 \u00bd \u00b2 \u2122", []),
    ("(a) [[b]] [c]]", []),
]
TEXTS_WITHOUT_WORDS = ["...", "\"\"", "' '", "?!", "-", "\U0001F600\U0001F389", "\u4f60\u597d", "\u200d\u200d",
                       "\u202e\u202c", "\u0301", PERSIAN + " " + PERSIAN, "()", "_", "\u2014"]


def text_of_length(count):
    """Returns sentences with `count` characters in total."""
    text = "The quick brown fox, 3 dogs and Dr. Smith ran home. " * (count // 50)
    return text[:count - 1] + "." if count else ""


def random_lines(count):
    """Returns random lines of Unicode characters without controls and surrogates."""
    rng = random.Random(5)
    blocks = [(0x20, 0x7e)] * 4 + [(0xa0, 0x24f), (0x300, 0x36f), (0x600, 0x6ff), (0x2000, 0x206f),
                                   (0x3040, 0x9fff), (0x1f000, 0x1ffff), (0xe000, 0xffff)]
    lines = []
    for _ in range(count):
        length = rng.randint(1, 60)
        lines.append("".join(chr(rng.randint(*rng.choice(blocks))) for _ in range(length)))
    return lines


def train(myxtts, corpus, folder, *flags):
    result = myxtts("train", "--train-data", corpus, "--checkpoint-dir", folder, *flags,
                    "--set", "training.enable_text2audio_eval=false")
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture(scope="module")
def run(myxtts, demo_corpus, tmp_path_factory):
    """A run folder with a small voice after 40 steps. It is not intelligible."""
    return train(myxtts, demo_corpus, tmp_path_factory.mktemp("runs") / "voice", *SMALL)


@pytest.fixture(scope="module")
def speak(myxtts, run, tmp_path_factory):
    """speak(texts, *flags) -> exit code, report, log. The texts are the lines of a file with CRLF line ends."""

    def call(texts, *flags, voice=run):
        folder = tmp_path_factory.mktemp("synthesised")
        lines = folder / "lines.txt"
        lines.write_bytes("".join(text + "\r\n" for text in texts).encode())
        result = myxtts("speak", "--checkpoint", voice, "--text-file", lines, "--out", folder / "out",
                        *flags, "--json")
        assert result.returncode in (0, 1), result.stderr
        return result.returncode, json.loads(result.stdout), result.stderr

    return call


@pytest.fixture(scope="module")
def synthesised(speak):
    """Maps each speed to the texts, the exit code, the report and the log."""
    texts = [text for text, _ in TEXTS] + [text_of_length(400 if SCALE < 5 else 4096)]
    return {speed: (texts, *speak(texts, "--speed", str(speed))) for speed in SPEEDS}


def samples_of(file):
    samples, rate = soundfile.read(file["path"])
    assert rate == RATE
    assert len(samples) / rate == pytest.approx(file["audio_s"])
    assert numpy.isfinite(samples).all()
    return samples


@pytest.fixture(scope="module")
def num_symbols(myxtts, synthesised):
    """Maps each text to its number of symbols. `text`, unlike `speak`, refuses texts that are mostly Persian."""
    counts = {}
    for text in synthesised[1][0]:
        result = myxtts("text", "--json", "--", text)
        counts[text] = len(json.loads(result.stdout)["ids"]) if result.returncode == 0 else len(text)
    return counts


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_text_is_synthesised_and_dropped_characters_are_logged(synthesised, speed):
    texts, code, report, log = synthesised[speed]

    assert (code, report["unspoken"]) == (0, []), log
    assert len(report["files"]) == len(texts)
    for (text, dropped), file in zip(TEXTS, report["files"][:len(TEXTS)], strict=True):
        assert file["dropped"] == dropped, text
        assert file["skipped"] == [], text
        for character in file["dropped"]:
            assert f" {character}" in log, text


@pytest.mark.parametrize("speed", SPEEDS)
def test_audio_does_not_clip_and_has_the_target_loudness(synthesised, speed):
    texts, _, report, _ = synthesised[speed]
    num_at_target = 0
    for text, file in zip(texts, report["files"], strict=True):
        samples = samples_of(file)
        peak = numpy.abs(samples).max()
        assert peak <= PEAK + 1 / 32768, text
        assert 20 * numpy.log10(peak) == pytest.approx(file["peak_dbfs"], abs=0.02)
        if file["loudness_lufs"] is None:
            assert file["audio_s"] < 0.45, text
            continue
        limited = peak > PEAK - 2 / 32768  # a single high peak limits the gain
        assert limited or file["loudness_lufs"] == pytest.approx(-23, abs=0.5), text
        assert file["loudness_lufs"] < -22.5, text
        num_at_target += not limited
    assert num_at_target >= len(texts) * 0.8


def test_report_has_the_same_measurements_as_the_audio_command(myxtts, synthesised):
    for file in synthesised[1][2]["files"][4:9]:
        measured = json.loads(myxtts("audio", file["path"], "--no-trim-silence", "--json").stdout)
        assert measured["loudness_lufs"] == pytest.approx(file["loudness_lufs"], abs=0.05)
        assert measured["peak_dbfs"] == pytest.approx(file["peak_dbfs"], abs=0.02)
        if file["flatness_db"] is not None:
            assert measured["flatness_db"] == pytest.approx(file["flatness_db"], abs=0.5)


@pytest.mark.parametrize("speed", SPEEDS)
def test_audio_duration_matches_the_number_of_symbols(synthesised, num_symbols, speed):
    texts, _, report, _ = synthesised[speed]
    for text, file in zip(texts, report["files"], strict=True):
        symbols = num_symbols[text]
        pieces = 1 + len(text) // 50
        assert file["audio_s"] <= (0.24 * symbols + 1.8 * pieces) / speed + 0.2, text
        assert file["audio_s"] >= 0.2 + 256 / RATE * (symbols - pieces) * 0.5, text


def test_speed_divides_the_duration(synthesised):
    """The tolerance allows some frames per piece, because no symbol is shorter than a frame."""
    lengths = {speed: numpy.array([file["audio_s"] - 0.2 for file in synthesised[speed][2]["files"]])
               for speed in SPEEDS}
    pieces = numpy.array([1 + len(text) // 50 for text in synthesised[1][0]])
    for speed in (0.5, 2):
        assert lengths[speed].sum() * speed == pytest.approx(lengths[1].sum(), rel=0.02)
        differences = numpy.abs(lengths[speed] * speed - lengths[1])
        worst = synthesised[1][0][differences.argmax()]
        assert (differences <= 0.05 * lengths[1] + 0.05 * pieces).all(), worst


@pytest.mark.parametrize("speed", SPEEDS)
def test_joins_have_no_discontinuity(synthesised, speed):
    """Pauses are digital silence. Sample differences at their edges are at most 10 % of the largest one."""
    num_edges = 0
    for file in synthesised[speed][2]["files"]:
        samples = samples_of(file)
        silent = numpy.concatenate([[0], (samples == 0).astype(int), [0]])
        begins, ends = (numpy.flatnonzero(numpy.diff(silent) == sign) for sign in (1, -1))
        differences = numpy.abs(numpy.diff(samples))
        for begin, end in zip(begins, ends, strict=True):
            if end - begin < 0.02 * RATE:
                continue
            edges = [differences[i] for i in (begin - 1, end - 1) if 0 <= i < len(differences)]
            assert max(edges) <= 0.1 * differences.max() + 1 / 32768
            num_edges += len(edges)
    assert num_edges > 60


def test_text_without_words_fails_and_other_texts_are_synthesised(speak):
    texts = ["First.", *TEXTS_WITHOUT_WORDS, "Last."]

    code, report, log = speak(texts)

    assert code == 1
    assert [text["line"] for text in report["unspoken"]] == list(range(2, len(TEXTS_WITHOUT_WORDS) + 2)), log
    assert all(text["fault"] for text in report["unspoken"])
    assert [file["path"][-8:] for file in report["files"]] == ["0001.wav", f"{len(texts):04}.wav"]
    dropped = {text["line"]: text["dropped"] for text in report["unspoken"]}
    assert dropped[TEXTS_WITHOUT_WORDS.index("\u4f60\u597d") + 2] == ["\u4f60", "\u597d"]
    assert "cannot be synthesised" in log


def test_sentence_in_another_script_is_skipped_and_logged(speak):
    code, report, log = speak([f"Good morning. {PERSIAN}! Good night."])

    assert code == 0
    [skipped] = report["files"][0]["skipped"]
    assert skipped["text"] == PERSIAN + "!" and "Persian" in skipped["fault"]
    assert f"line 1: skipped '{PERSIAN}!'" in log


def test_4096_characters_are_synthesised_and_4097_are_refused(speak):
    code, report, log = speak([text_of_length(4096), text_of_length(4097)], "--speed", "2")

    assert code == 1
    [file] = report["files"]
    assert file["audio_s"] > 20
    assert file["loudness_lufs"] == pytest.approx(-23, abs=0.5)
    [refused] = report["unspoken"]
    assert refused["line"] == 2 and "has 4097 characters, at most 4096" in refused["fault"], log


def test_text_with_line_breaks_is_one_text(myxtts, run, tmp_path):
    result = myxtts("speak", "--checkpoint", run, "--text", "One\r\ntwo.\r\n\r\nThree\tfour.\n",
                    "--out", tmp_path / "a.wav", "--json")

    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["files"][0]["dropped"] == []


def test_random_characters_are_synthesised_or_reported(speak):
    texts = [f"{text} w" for text in random_lines(12 * SCALE)]  # never an empty line

    _, report, log = speak(texts)

    assert len(report["files"]) + len(report["unspoken"]) == len(texts), log
    for file in report["files"]:
        assert numpy.abs(samples_of(file)).max() <= PEAK + 1 / 32768


def test_persian_voice_synthesises_english_words(myxtts, speak, tmp_path_factory):
    folder = tmp_path_factory.mktemp("persian")
    result = myxtts("corpus", "demo", "--out", folder / "corpus", "--language", "fa",
                    "--utterances", "8", "--words", "2-4", "--val-share", "0.25")
    assert result.returncode == 0, result.stderr
    voice = train(myxtts, folder / "corpus", folder / "run", "--language", "fa",
                  *SMALL)

    code, report, log = speak([PERSIAN, f"{PERSIAN} Windows 11 \u0648 e-mail \u06f1\u06f2\u06f3.",
                               "Only English.", f"{PERSIAN} \U0001F600 \u4f60."], voice=voice)

    assert (code, report["unspoken"]) == (0, []), log
    lengths = [file["audio_s"] for file in report["files"]]
    assert lengths[1] > 2 * lengths[0] and lengths[2] > lengths[0]
    assert [file["dropped"] for file in report["files"]] == [[], [], [], ["\U0001F600", "\u4f60"]]


def test_loudness_flag_sets_the_loudness(speak):
    """The postfilter changes the loudness only with `--loudness off`."""
    text = "Good morning, how are you today?"
    loudness = {}
    for target in ("-30", "-18", "off"):
        for postfilter in ("0", "2"):
            _, report, _ = speak([text], "--loudness", target, "--postfilter", postfilter)
            loudness[target, postfilter] = report["files"][0]["loudness_lufs"]

    for postfilter in ("0", "2"):
        assert loudness["-30", postfilter] == pytest.approx(-30, abs=0.1)
        assert loudness["-18", postfilter] == pytest.approx(-18, abs=0.1)
    assert abs(loudness["off", "0"] - loudness["off", "2"]) > 0.2


@pytest.mark.skipif(SCALE < 5, reason="trains for minutes: make test-full")
def test_audio_of_a_trained_voice_is_like_recordings(myxtts, speak, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    result = myxtts("corpus", "demo", "--out", folder / "corpus", "--voices", "rms",
                    "--utterances", "400", "--words", "4-14")
    assert result.returncode == 0, result.stderr
    voice = train(myxtts, folder / "corpus", folder / "run", "--max-minutes", "1.5")
    texts = [text for text, _ in TEXTS]

    for speed in SPEEDS:
        _, report, log = speak(texts, "--speed", str(speed), voice=voice)

        out_of_range = [text for text, file in zip(texts, report["files"], strict=True)
                        if file["like_recordings"] is False]
        assert out_of_range == [], log
        assert sum(file["like_recordings"] is True for file in report["files"]) > 20
        assert "cut at the maximum duration" not in log
