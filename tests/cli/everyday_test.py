"""What people really type, through `myxtts speak`: odd texts at all speeds, and what is heard of them."""

import json
import random

import numpy
import pytest
import soundfile
from training import SCALE, SETTINGS

SPEEDS = (0.5, 1, 2)
RATE = 22050
PEAK = 10 ** (-1 / 20)
# A flow that has hardly begun speaks noise, whose peaks leave no room for the loudness.
SMALL = ["--max-steps", "40", "--batch-size", "4",
         *(word for key, value in SETTINGS.items() if key.startswith("model.") and key != "model.decoder"
           for word in ("--set", f"{key}={value}"))]
PERSIAN = "\u0633\u0644\u0627\u0645"  # hello

# Texts, and the characters that nothing of an English voice speaks.
SPOKEN = [
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
UNSPOKEN = ["...", "\"\"", "' '", "?!", "-", "\U0001F600\U0001F389", "\u4f60\u597d", "\u200d\u200d",
            "\u202e\u202c", "\u0301", PERSIAN + " " + PERSIAN, "()", "_", "\u2014"]


def sentence_of(count):
    """A text of so many characters, in sentences."""
    text = "The quick brown fox, 3 dogs and Dr. Smith ran home. " * (count // 50)
    return text[:count - 1] + "." if count else ""


def random_lines(count):
    """Characters of all of Unicode but controls and surrogates."""
    chance = random.Random(5)
    blocks = [(0x20, 0x7e)] * 4 + [(0xa0, 0x24f), (0x300, 0x36f), (0x600, 0x6ff), (0x2000, 0x206f),
                                   (0x3040, 0x9fff), (0x1f000, 0x1ffff), (0xe000, 0xffff)]
    lines = []
    for _ in range(count):
        length = chance.randint(1, 60)
        lines.append("".join(chr(chance.randint(*chance.choice(blocks))) for _ in range(length)))
    return lines


def train(myxtts, corpus, folder, *flags):
    trained = myxtts("train", "--train-data", corpus, "--checkpoint-dir", folder, *flags,
                     "--set", "training.enable_text2audio_eval=false")
    assert trained.returncode == 0, trained.stderr
    return folder


@pytest.fixture(scope="module")
def run(myxtts, demo_corpus, tmp_path_factory):
    """A small voice that has hardly begun: whatever it says must be in order all the same."""
    return train(myxtts, demo_corpus, tmp_path_factory.mktemp("runs") / "voice", *SMALL)


@pytest.fixture(scope="module")
def speak(myxtts, run, tmp_path_factory):
    """speak(texts, speed) -> exit code, report, words; each text is a line of a file with CRLF."""

    def call(texts, *flags, voice=run):
        folder = tmp_path_factory.mktemp("spoken")
        lines = folder / "lines.txt"
        lines.write_bytes("".join(text + "\r\n" for text in texts).encode())
        answer = myxtts("speak", "--checkpoint", voice, "--text-file", lines, "--out", folder / "out",
                        *flags, "--json")
        assert answer.returncode in (0, 1), answer.stderr
        return answer.returncode, json.loads(answer.stdout), answer.stderr

    return call


@pytest.fixture(scope="module")
def spoken(speak):
    """The whole list at each speed, spoken once."""
    texts = [text for text, _ in SPOKEN] + [sentence_of(400 if SCALE < 5 else 4096)]
    return {speed: (texts, *speak(texts, "--speed", str(speed))) for speed in SPEEDS}


def sound_of(file):
    samples, rate = soundfile.read(file["path"])
    assert rate == RATE
    assert len(samples) / rate == pytest.approx(file["audio_s"])
    assert numpy.isfinite(samples).all()
    return samples


@pytest.fixture(scope="module")
def num_symbols(myxtts, spoken):
    """Of each text, as the voice is given it; `text` refuses what is mostly Persian, `speak` does not."""
    counts = {}
    for text in spoken[1][0]:
        answer = myxtts("text", "--json", "--", text)
        counts[text] = len(json.loads(answer.stdout)["ids"]) if answer.returncode == 0 else len(text)
    return counts


@pytest.mark.parametrize("speed", SPEEDS)
def test_every_text_is_spoken_and_what_is_not_is_named(spoken, speed):
    texts, code, report, said = spoken[speed]

    assert (code, report["unspoken"]) == (0, []), said
    assert len(report["files"]) == len(texts)
    for (text, dropped), file in zip(SPOKEN, report["files"][:len(SPOKEN)], strict=True):
        assert file["dropped"] == dropped, text
        assert file["skipped"] == [], text
        for character in file["dropped"]:
            assert f" {character}" in said, text


@pytest.mark.parametrize("speed", SPEEDS)
def test_no_sound_clips_and_all_are_equally_loud(spoken, speed):
    texts, _, report, _ = spoken[speed]
    num_levelled = 0
    for text, file in zip(texts, report["files"], strict=True):
        samples = sound_of(file)
        peak = numpy.abs(samples).max()
        assert peak <= PEAK + 1 / 32768, text
        assert 20 * numpy.log10(peak) == pytest.approx(file["peak_dbfs"], abs=0.02)
        if file["loudness_lufs"] is None:
            assert file["audio_s"] < 0.45, text
            continue
        limited = peak > PEAK - 2 / 32768  # one sample stands far above the rest: quieter, not clipped
        assert limited or file["loudness_lufs"] == pytest.approx(-23, abs=0.5), text
        assert file["loudness_lufs"] < -22.5, text
        num_levelled += not limited
    assert num_levelled >= len(texts) * 0.8


def test_the_meter_of_the_answer_is_that_of_the_recordings(myxtts, spoken):
    for file in spoken[1][2]["files"][4:9]:
        heard = json.loads(myxtts("audio", file["path"], "--no-trim-silence", "--json").stdout)
        assert heard["loudness_lufs"] == pytest.approx(file["loudness_lufs"], abs=0.05)
        assert heard["peak_dbfs"] == pytest.approx(file["peak_dbfs"], abs=0.02)
        if file["flatness_db"] is not None:
            assert heard["flatness_db"] == pytest.approx(file["flatness_db"], abs=0.5)


@pytest.mark.parametrize("speed", SPEEDS)
def test_no_sound_is_longer_than_its_symbols_allow(spoken, num_symbols, speed):
    texts, _, report, _ = spoken[speed]
    for text, file in zip(texts, report["files"], strict=True):
        symbols = num_symbols[text]
        pieces = 1 + len(text) // 50
        assert file["audio_s"] <= (0.24 * symbols + 1.8 * pieces) / speed + 0.2, text
        assert file["audio_s"] >= 0.2 + 256 / RATE * (symbols - pieces) * 0.5, text


def test_speed_divides_the_length(spoken):
    """No symbol is shorter than a frame, so that a short text may take some frames more."""
    lengths = {speed: numpy.array([file["audio_s"] - 0.2 for file in spoken[speed][2]["files"]])
               for speed in SPEEDS}
    pieces = numpy.array([1 + len(text) // 50 for text in spoken[1][0]])
    for speed in (0.5, 2):
        assert lengths[speed].sum() * speed == pytest.approx(lengths[1].sum(), rel=0.02)
        differences = numpy.abs(lengths[speed] * speed - lengths[1])
        worst = spoken[1][0][differences.argmax()]
        assert (differences <= 0.05 * lengths[1] + 0.05 * pieces).all(), worst


@pytest.mark.parametrize("speed", SPEEDS)
def test_no_click_at_joins(spoken, speed):
    """Pauses are digital silence; where they meet sound, the step is no larger than steps within."""
    num_edges = 0
    for file in spoken[speed][2]["files"]:
        samples = sound_of(file)
        silent = numpy.concatenate([[0], (samples == 0).astype(int), [0]])
        begins, ends = (numpy.flatnonzero(numpy.diff(silent) == turn) for turn in (1, -1))
        steps = numpy.abs(numpy.diff(samples))
        for begin, end in zip(begins, ends, strict=True):
            if end - begin < 0.02 * RATE:
                continue
            edges = [steps[i] for i in (begin - 1, end - 1) if 0 <= i < len(steps)]
            assert max(edges) <= 0.1 * steps.max() + 1 / 32768
            num_edges += len(edges)
    assert num_edges > 60


def test_a_text_without_words_fails_alone(speak):
    texts = ["First.", *UNSPOKEN, "Last."]

    code, report, said = speak(texts)

    assert code == 1
    assert [text["line"] for text in report["unspoken"]] == list(range(2, len(UNSPOKEN) + 2)), said
    assert all(text["fault"] for text in report["unspoken"])
    assert [file["path"][-8:] for file in report["files"]] == ["0001.wav", f"{len(texts):04}.wav"]
    dropped = {text["line"]: text["dropped"] for text in report["unspoken"]}
    assert dropped[UNSPOKEN.index("\u4f60\u597d") + 2] == ["\u4f60", "\u597d"]
    assert "cannot be synthesised" in said


def test_a_sentence_in_another_script_is_left_out_and_named(speak):
    code, report, said = speak([f"Good morning. {PERSIAN}! Good night."])

    assert code == 0
    [skipped] = report["files"][0]["skipped"]
    assert skipped["text"] == PERSIAN + "!" and "Persian" in skipped["fault"]
    assert f"line 1: skipped '{PERSIAN}!'" in said


def test_4096_characters_are_spoken_and_one_more_is_refused(speak):
    code, report, said = speak([sentence_of(4096), sentence_of(4097)], "--speed", "2")

    assert code == 1
    [file] = report["files"]
    assert file["audio_s"] > 20
    assert file["loudness_lufs"] == pytest.approx(-23, abs=0.5)
    [refused] = report["unspoken"]
    assert refused["line"] == 2 and "has 4097 characters, at most 4096" in refused["fault"], said


def test_lines_of_one_text_are_one_text(myxtts, run, tmp_path):
    answer = myxtts("speak", "--checkpoint", run, "--text", "One\r\ntwo.\r\n\r\nThree\tfour.\n",
                    "--out", tmp_path / "a.wav", "--json")

    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["files"][0]["dropped"] == []


def test_random_characters_are_spoken_or_answered(speak):
    texts = [f"{text} w" for text in random_lines(12 * SCALE)]  # never an empty line

    _, report, said = speak(texts)

    assert len(report["files"]) + len(report["unspoken"]) == len(texts), said
    for file in report["files"]:
        assert numpy.abs(sound_of(file)).max() <= PEAK + 1 / 32768


def test_a_persian_voice_speaks_english_words_too(myxtts, speak, tmp_path_factory):
    folder = tmp_path_factory.mktemp("persian")
    made = myxtts("corpus", "demo", "--out", folder / "corpus", "--language", "fa",
                  "--utterances", "8", "--words", "2-4", "--val-share", "0.25")
    assert made.returncode == 0, made.stderr
    voice = train(myxtts, folder / "corpus", folder / "run", "--language", "fa",
                  *SMALL)

    code, report, said = speak([PERSIAN, f"{PERSIAN} Windows 11 \u0648 e-mail \u06f1\u06f2\u06f3.",
                                "Only English.", f"{PERSIAN} \U0001F600 \u4f60."], voice=voice)

    assert (code, report["unspoken"]) == (0, []), said
    lengths = [file["audio_s"] for file in report["files"]]
    assert lengths[1] > 2 * lengths[0] and lengths[2] > lengths[0]
    assert [file["dropped"] for file in report["files"]] == [[], [], [], ["\U0001F600", "\u4f60"]]


def test_the_loudness_is_what_was_asked_for(speak):
    """Sharper frames are louder or quieter, unless a loudness was asked for."""
    text = "Good morning, how are you today?"
    loudness = {}
    for asked in ("-30", "-18", "off"):
        for postfilter in ("0", "2"):
            _, report, _ = speak([text], "--loudness", asked, "--postfilter", postfilter)
            loudness[asked, postfilter] = report["files"][0]["loudness_lufs"]

    for postfilter in ("0", "2"):
        assert loudness["-30", postfilter] == pytest.approx(-30, abs=0.1)
        assert loudness["-18", postfilter] == pytest.approx(-18, abs=0.1)
    assert abs(loudness["off", "0"] - loudness["off", "2"]) > 0.2


@pytest.mark.skipif(SCALE < 5, reason="a voice that has learned enough takes minutes: make test-full")
def test_a_trained_voice_is_inside_the_range_of_recordings(myxtts, speak, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    made = myxtts("corpus", "demo", "--out", folder / "corpus", "--voices", "rms",
                  "--utterances", "400", "--words", "4-14")
    assert made.returncode == 0, made.stderr
    voice = train(myxtts, folder / "corpus", folder / "run", "--max-minutes", "1.5")
    texts = [text for text, _ in SPOKEN]

    for speed in SPEEDS:
        _, report, said = speak(texts, "--speed", str(speed), voice=voice)

        unlike = [text for text, file in zip(texts, report["files"], strict=True)
                  if file["like_recordings"] is False]
        assert unlike == [], said
        assert sum(file["like_recordings"] is True for file in report["files"]) > 20
        assert "cut at the maximum duration" not in said
