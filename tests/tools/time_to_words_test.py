"""bench/time_to_words.py: what is pure in it, and its order of work with a stand-in for the program."""

import argparse
import base64
import importlib
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

import pytest
import soundfile

BENCH = pathlib.Path(__file__).parents[2] / "bench"
SVG = "{http://www.w3.org/2000/svg}"

# A program that makes what the real one makes, in no time, and notes how it was called. A voice that was
# trained for M minutes with seed S misunderstands 4 / M + S of 100 words.
STAND_IN = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
with open("{calls}", "a") as calls:
    calls.write(" ".join(words) + chr(10))
flag = lambda name, default=None: words[words.index(name) + 1] if name in words else default
if words[0] == "corpus":
    out, voice = pathlib.Path(flag("--out")), flag("--voices")
    texts = (pathlib.Path(flag("--text")).read_text().splitlines() if "--text" in words else
             [f"Sentence {{i * int(flag('--seed', 1)) ** 4}}." for i in range(int(flag("--utterances")))])
    (out / "train" / "wavs").mkdir(parents=True, exist_ok=True)
    lines = []
    for i, text in enumerate(texts, 1):
        lines.append(f"{{voice}}_{{i:05}}|{{text}}|{{text}}")
        (out / "train" / "wavs" / f"{{voice}}_{{i:05}}.wav").write_text(text)
    (out / "train" / "metadata.csv").write_text(chr(10).join(lines) + chr(10))
    print(json.dumps({{"train": len(texts), "hours": 0.5}}))
elif words[0] == "train":
    run = pathlib.Path(flag("--checkpoint-dir"))
    run.mkdir(parents=True, exist_ok=True)
    summary = {{"steps": int(100 * float(flag("--max-minutes"))), "audio_s_per_s": 80.0}}
    print("[train] a line of the log", file=sys.stderr)
    if "{fails}" and "{fails}" in " ".join(words):
        sys.exit("no such luck")
    (run / "summary.json").write_text(json.dumps(summary))
    print(json.dumps(summary))
elif words[0] == "evaluate":
    minutes, seed = pathlib.Path(words[1]).name.split("_min_seed_")
    errors = 4 / float(minutes) + int(seed)
    print(json.dumps({{"score": {{"word_error_rate": errors / 100, "words": 100, "errors": errors}}}}))
"""


@pytest.fixture(name="bench", scope="module")
def fixture_bench():
    sys.path.insert(0, str(BENCH))
    yield importlib.import_module("time_to_words")
    sys.path.remove(str(BENCH))


@pytest.fixture(name="curve", scope="module")
def fixture_curve(bench):
    assert bench
    return importlib.import_module("word_curve")


def runs_of(errors):
    """Runs with seeds 1, 2, ... from word errors by minutes."""
    return [{"minutes": minutes, "seed": seed, "steps": round(90 * minutes), "word_error_rate": error}
            for minutes, several in errors.items() for seed, error in enumerate(several, 1)]


def test_numbers_are_sorted_and_each_once(bench):
    assert bench.numbers_of("5,1,2.5,1", float) == [1, 2.5, 5]
    for wrong in ("", "a", "1,,2", "0", "-1", "nan", "1;2"):
        with pytest.raises(argparse.ArgumentTypeError):
            bench.numbers_of(wrong, float)


def test_lines_are_tidied_as_the_corpus_takes_them(bench):
    assert bench.tidy_lines(" One  two.\r\n\nOne two.\nThree.") == ["One two.", "Three."]


def test_nobody_is_judged_by_what_was_trained(bench):
    candidates = ["The rain stopped!", "Good morning.", "It snows.", "Who is it?"]

    assert bench.unseen_of(candidates, ["the rain stopped.", "It snows."], 2) == ["Good morning.", "Who is it?"]
    with pytest.raises(SystemExit, match="2 sentences are not in the training, 3 wanted"):
        bench.unseen_of(candidates, ["the rain stopped.", "It snows."], 3)


def test_the_time_that_is_left_counts_what_runs_cost_beside_their_steps(bench):
    assert bench.left_words([1, 2], 30) == "4 min"
    assert bench.left_words([60, 60], 0) == "2.0 h"


def test_the_median_is_of_the_seeds(curve):
    points = curve.curve_of(runs_of({5: [0.3, 0.1, 0.2], 1: [0.9, 0.7]}))

    assert [point["minutes"] for point in points] == [1, 5]
    assert [point["median"] for point in points] == pytest.approx([0.8, 0.2])
    assert [run["seed"] for run in points[1]["runs"]] == [1, 2, 3]


def test_the_table_has_every_seed_and_the_recordings(curve):
    points = curve.curve_of([*runs_of({1: [0.5, 0.25, 0.4]}),
                             {"minutes": 2.5, "seed": 2, "steps": 7, "word_error_rate": 0.125}])

    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in curve.table_of(points, {"word_error_rate": 0.0625}).splitlines()]

    assert rows[0] == ["minutes", "steps", "seed 1", "seed 2", "seed 3", "median"]
    assert rows[2] == ["1", "90", "0.500", "0.250", "0.400", "**0.400**"]
    assert rows[3] == ["2.5", "7", "", "0.125", "", "**0.125**"]
    assert rows[4] == ["recordings", "", "", "", "", "0.062"]


def picture(curve, errors, beside=0.075, title="A <voice> & words"):
    points = curve.curve_of(runs_of(errors))
    return xml.etree.ElementTree.fromstring(curve.svg_of(points, {"word_error_rate": beside}, title))


def test_the_picture_lies_on_a_logarithmic_axis_with_zero_below(curve):
    svg = picture(curve, {1: [0.8], 2: [0.4, 0.2, 0.3], 4: [0.1]})

    medians = [circle for circle in svg.iter(f"{SVG}circle") if circle.get("class") == "median"]
    x = [float(circle.get("cx")) for circle in medians]
    y = [float(circle.get("cy")) for circle in medians]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert y[1] - y[0] == pytest.approx((y[2] - y[0]) * 5 / 7, abs=0.2)  # 0.8, 0.3, 0.1
    [beside] = [line for line in svg.iter(f"{SVG}line") if line.get("class") == "beside"]
    assert y[2] < float(beside.get("y1")) < 344  # below 0.1, above the axis
    assert sum(circle.get("class") == "seed" for circle in svg.iter(f"{SVG}circle")) == 5
    assert svg.find(f"{SVG}title").text == "A <voice> & words"
    assert "prefers-color-scheme: dark" in svg.find(f"{SVG}style").text


@pytest.mark.parametrize("errors", [{3: [0.5]}, {1: [1.4], 20: [0.0]}, {1: [0.01], 2: [0.005]}],
                         ids=["one_point", "beyond_one", "tiny"])
def test_everything_lies_within_the_picture(curve, errors):
    svg = picture(curve, errors)

    for node in svg.iter():
        for name, most in (("cx", 720), ("x", 720), ("x1", 720), ("x2", 720), ("cy", 400), ("y", 400), ("y1", 400)):
            assert 0 <= float(node.get(name, 0)) <= most, (node.tag, node.attrib)


def test_the_page_plays_the_recording_and_the_median_run_of_each_point(curve, tmp_path):
    page = importlib.import_module("word_page")
    runs = [{**run, "audio_s_per_s": 80.0} for run in runs_of({1: [0.9, 0.5, 0.7], 5: [0.1]})]
    report = {"curve": curve.curve_of(runs), "recordings": {"word_error_rate": 0.05, "words": 9},
              "corpus": {"utterances": 3, "hours": 0.01, "voice": "<rms>"}}
    for folder in ("recorded", "1_3", "5_1"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "0001.wav").write_text(f"sound of {folder}")

    text = page.page_of(report, ["Is 1 < 2?"], tmp_path / "recorded",
                        lambda run: tmp_path / f"{run['minutes']}_{run['seed']}", "2 cores.")

    sounds = [base64.b64decode(data).decode() for data in re.findall(r"base64,([^\"]+)", text)]
    assert sounds == ["sound of recorded", "sound of 1_3", "sound of 5_1"]
    assert "<h3>Is 1 &lt; 2?</h3>" in text and "&lt;rms&gt;" in text and "<rms>" not in text
    assert "<strong>0.700</strong>" in text and "<svg" in text
    for word in ("http:", "https:"):
        assert word not in text.replace("http://www.w3.org/2000/svg", "")  # opens without a network


def test_what_was_not_spoken_is_said_in_the_page(curve, tmp_path):
    page = importlib.import_module("word_page")
    assert curve and "not spoken" in page.player(tmp_path / "0001.wav")


def test_a_small_player_has_the_same_sound_in_fewer_bytes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    page = importlib.import_module("word_page")
    wav = tmp_path / "0001.wav"
    soundfile.write(wav, [0.3 * math.sin(0.05 * i) for i in range(22050)], 22050)

    sound, rate = soundfile.read(io.BytesIO(page.mp3_of(wav)))

    assert rate == 22050 and abs(len(sound) - 22050) < 2500
    assert 0.15 < sound.std() < 0.25  # 0.21 is that of the tone
    assert "data:audio/mpeg;base64," in page.player(wav, is_small=True)
    assert 4 * len(page.player(wav, is_small=True)) < len(page.player(wav))
    lines = ["one two three", "one", "one two", "one two three four", "one two three"]
    assert page.chosen(lines) == [0, 2, 4]
    assert page.chosen(lines[:2]) == [0, 1] and page.chosen([]) == []


@pytest.fixture(name="call")
def fixture_call(tmp_path):
    """Calls the script with the stand-in; the judge of recordings always answers the same."""

    def call(*words, fails=""):
        program = tmp_path / "myxtts"
        program.write_text(STAND_IN.format(python=sys.executable, calls=tmp_path / "calls", fails=fails))
        program.chmod(0o755)
        judge = """echo '{"word_error_rate": 0.01, "words": 1600, "errors": 16}' #"""
        return subprocess.run([sys.executable, BENCH / "time_to_words.py", program, "--out", tmp_path / "out",
                               "--judge", judge, "--utterances", "20", "--check-sentences", "4", *words],
                              check=False, text=True, capture_output=True)

    return call


def trainings(tmp_path):
    lines = (tmp_path / "calls").read_text().splitlines()
    return [re.search(r"out/([\w.]+)_min_seed_(\d)", line).groups() for line in lines
            if line.startswith("train ")]


def test_every_point_is_a_run_of_its_own_and_nothing_is_done_twice(call, tmp_path):
    first = call("--minutes", "1,2", "--seeds", "1,2", "--json")
    second = call("--minutes", "1,2,4", "--seeds", "1,2", "--json", "--svg", tmp_path / "curve.svg",
                  "--html", tmp_path / "curve.html")

    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert trainings(tmp_path) == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"), ("4", "1"), ("4", "2")]
    report = json.loads(second.stdout)
    assert report["recordings"]["word_error_rate"] == 0.01
    assert [point["median"] for point in report["curve"]] == pytest.approx([0.055, 0.035, 0.025])
    assert [run["steps"] for run in report["curve"][2]["runs"]] == [400, 400]
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    assert (tmp_path / "curve.html").read_text().count("<h3>") == 3
    check = (tmp_path / "out" / "check.txt").read_text().splitlines()
    trained = (tmp_path / "out" / "corpus" / "train" / "metadata.csv").read_text()
    assert len(check) == 4 and not any(f"|{text}|" in trained for text in check)
    recorded = sorted((tmp_path / "out" / "recorded").iterdir())
    assert [path.name for path in recorded] == [f"{number:04}.wav" for number in range(1, 5)]
    assert [path.read_text() for path in recorded] == check  # each is of its sentence


def test_the_curve_has_what_was_done_before_with_other_seeds(call, tmp_path):
    assert call("--minutes", "2", "--seeds", "1,3").returncode == 0
    assert call("--minutes", "8", "--seeds", "1", fails="8_min_seed_1").returncode != 0

    answer = call("--minutes", "4", "--seeds", "2", "--json")

    assert answer.returncode == 0, answer.stderr
    points = json.loads(answer.stdout)["curve"]
    assert [(point["minutes"], [run["seed"] for run in point["runs"]]) for point in points] == [(2, [1, 3]), (4, [2])]
    assert trainings(tmp_path) == [("2", "1"), ("2", "3"), ("8", "1"), ("4", "2")]  # nothing is trained for it


def test_a_run_that_fails_is_told_and_the_next_call_goes_on_from_there(call, tmp_path):
    failed = call("--minutes", "1,2", "--seeds", "1", fails="2_min_seed_1")
    assert failed.returncode != 0
    assert "no such luck" in failed.stderr and "exit code 1" in failed.stderr

    assert call("--minutes", "1,2", "--seeds", "1").returncode == 0

    assert trainings(tmp_path) == [("1", "1"), ("2", "1"), ("2", "1")]


def test_runs_of_another_experiment_are_no_points_of_this_curve(call):
    assert call("--minutes", "1", "--seeds", "1").returncode == 0

    other = call("--minutes", "1", "--seeds", "1", "--set", "training.learning_rate=0.1")

    assert other.returncode != 0
    assert "another experiment" in other.stderr


def test_the_table_says_what_a_run_is(call):
    answer = call("--minutes", "1", "--seeds", "1")

    assert "warning" not in answer.stderr  # the judge heard 1,600 words
    assert "the learning rate falls over the time" in answer.stdout
    assert "[1/1] 1 min, seed 1" in answer.stderr and "left" in answer.stderr


def test_too_few_words_are_warned_about(call, tmp_path):
    judge = """echo '{"word_error_rate": 0.01, "words": 160, "errors": 16}' #"""
    answer = call("--minutes", "1", "--seeds", "1", "--judge", judge, "--out", tmp_path / "few")

    assert answer.returncode == 0, answer.stderr
    assert "warning: 160 words to judge by" in answer.stderr
