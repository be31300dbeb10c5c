"""Tests of bench/wer_over_time.py: its pure functions, and its order of work with a fake program."""

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

# A fake program that writes the files of myxtts and records its arguments. A voice that was trained for M minutes
# with seed S has 4 / M + S errors in 100 words.
FAKE_PROGRAM = """#!{python}
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
        sys.exit("injected failure")
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
    yield importlib.import_module("wer_over_time")
    sys.path.remove(str(BENCH))


@pytest.fixture(name="curve", scope="module")
def fixture_curve(bench):
    assert bench
    return importlib.import_module("wer_curve")


def runs_of(errors):
    """Returns runs with seeds 1, 2, ... from {minutes: WERs}."""
    return [{"minutes": minutes, "seed": seed, "steps": round(90 * minutes), "word_error_rate": error}
            for minutes, several in errors.items() for seed, error in enumerate(several, 1)]


def test_numbers_are_sorted_without_duplicates(bench):
    assert bench.parse_numbers("5,1,2.5,1", float) == [1, 2.5, 5]
    for wrong in ("", "a", "1,,2", "0", "-1", "nan", "1;2"):
        with pytest.raises(argparse.ArgumentTypeError):
            bench.parse_numbers(wrong, float)


def test_lines_have_single_blanks_and_no_duplicates(bench):
    assert bench.tidy_lines(" One  two.\r\n\nOne two.\nThree.") == ["One two.", "Three."]


def test_held_out_sentences_are_not_in_the_training_data(bench):
    candidates = ["The rain stopped!", "Good morning.", "It snows.", "Who is it?"]

    assert bench.unseen_sentences(candidates, ["the rain stopped.", "It snows."], 2) == ["Good morning.", "Who is it?"]
    with pytest.raises(SystemExit, match="2 sentences are not in the training data, expected 3"):
        bench.unseen_sentences(candidates, ["the rain stopped.", "It snows."], 3)


def test_remaining_time_includes_the_overhead_of_runs(bench):
    assert bench.format_remaining([1, 2], 30) == "4 min"
    assert bench.format_remaining([60, 60], 0) == "2.0 h"


def test_median_is_over_the_seeds(curve):
    points = curve.curve_of(runs_of({5: [0.3, 0.1, 0.2], 1: [0.9, 0.7]}))

    assert [point["minutes"] for point in points] == [1, 5]
    assert [point["median"] for point in points] == pytest.approx([0.8, 0.2])
    assert [run["seed"] for run in points[1]["runs"]] == [1, 2, 3]


def test_table_has_percent_for_every_seed_and_the_recordings(curve):
    points = curve.curve_of([*runs_of({1: [0.5, 0.25, 0.4]}),
                             {"minutes": 2.5, "seed": 2, "steps": 7, "word_error_rate": 0.125}])

    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in curve.format_table(points, {"word_error_rate": 0.0625}).splitlines()]

    assert rows[0] == ["minutes", "steps", "seed 1", "seed 2", "seed 3", "median"]
    assert rows[2] == ["1", "90", "50.0", "25.0", "40.0", "**40.0**"]
    assert rows[3] == ["2.5", "7", "", "12.5", "", "**12.5**"]
    assert rows[4] == ["recordings", "", "", "", "", "6.2"]


def picture(curve, errors, recorded=0.075, title="A <voice> & WER"):
    points = curve.curve_of(runs_of(errors))
    return xml.etree.ElementTree.fromstring(curve.draw_wer_curve(points, {"word_error_rate": recorded}, title))


def test_picture_has_a_logarithmic_time_axis_and_starts_at_zero(curve):
    svg = picture(curve, {1: [0.8], 2: [0.4, 0.2, 0.3], 4: [0.1]})

    medians = [circle for circle in svg.iter(f"{SVG}circle") if circle.get("class") == "median"]
    x = [float(circle.get("cx")) for circle in medians]
    y = [float(circle.get("cy")) for circle in medians]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert y[1] - y[0] == pytest.approx((y[2] - y[0]) * 5 / 7, abs=0.2)  # 80, 30, 10 %
    [reference] = [line for line in svg.iter(f"{SVG}line") if line.get("class") == "reference"]
    assert y[2] < float(reference.get("y1")) < 344  # below 10 %, above the axis
    assert sum(circle.get("class") == "seed" for circle in svg.iter(f"{SVG}circle")) == 5
    assert svg.find(f"{SVG}title").text == "A <voice> & WER"
    texts = {text.text for text in svg.iter(f"{SVG}text")}
    assert {"WER in percent", "80.0 %", "recordings: 7.5 %", "100"} <= texts
    assert "prefers-color-scheme: dark" in svg.find(f"{SVG}style").text


@pytest.mark.parametrize("errors", [{3: [0.5]}, {1: [1.4], 20: [0.0]}, {1: [0.01], 2: [0.005]}],
                         ids=["one_point", "above_100_percent", "tiny"])
def test_all_elements_are_inside_the_picture(curve, errors):
    svg = picture(curve, errors)

    for node in svg.iter():
        for name, most in (("cx", 720), ("x", 720), ("x1", 720), ("x2", 720), ("cy", 400), ("y", 400), ("y1", 400)):
            assert 0 <= float(node.get(name, 0)) <= most, (node.tag, node.attrib)


def test_page_plays_the_recording_and_the_median_run_of_each_point(curve, tmp_path):
    page = importlib.import_module("wer_page")
    runs = [{**run, "audio_s_per_s": 80.0} for run in runs_of({1: [0.9, 0.5, 0.7], 5: [0.1]})]
    report = {"curve": curve.curve_of(runs), "recordings": {"word_error_rate": 0.05, "words": 9},
              "corpus": {"utterances": 3, "hours": 0.01, "voice": "<rms>"}}
    for folder in ("recorded", "1_3", "5_1"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "0001.wav").write_text(f"audio of {folder}")

    text = page.html_page("WER", report, ["Is 1 < 2?"], tmp_path / "recorded",
                          lambda run: tmp_path / f"{run['minutes']}_{run['seed']}", "2 cores.")

    clips = [base64.b64decode(data).decode() for data in re.findall(r"base64,([^\"]+)", text)]
    assert clips == ["audio of recorded", "audio of 1_3", "audio of 5_1"]
    assert "<h3>Is 1 &lt; 2?</h3>" in text and "&lt;rms&gt;" in text and "<rms>" not in text
    assert "<strong>70.0 %</strong>" in text and "<svg" in text
    for word in ("http:", "https:"):
        assert word not in text.replace("http://www.w3.org/2000/svg", "")  # opens without a network


def test_missing_audio_is_marked_in_the_page(curve, tmp_path):
    page = importlib.import_module("wer_page")
    assert curve and "not synthesised" in page.player(tmp_path / "0001.wav")


def test_small_player_has_the_same_audio_in_fewer_bytes(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    page = importlib.import_module("wer_page")
    wav = tmp_path / "0001.wav"
    soundfile.write(wav, [0.3 * math.sin(0.05 * i) for i in range(22050)], 22050)

    samples, rate = soundfile.read(io.BytesIO(page.mp3_bytes(wav)))

    assert rate == 22050 and abs(len(samples) - 22050) < 2500
    assert 0.15 < samples.std() < 0.25  # the tone has 0.21
    assert "data:audio/mpeg;base64," in page.player(wav, is_small=True)
    assert 4 * len(page.player(wav, is_small=True)) < len(page.player(wav))
    lines = ["one two three", "one", "one two", "one two three four", "one two three"]
    assert page.sample_sentences(lines) == [0, 2, 4]
    assert page.sample_sentences(lines[:2]) == [0, 1] and page.sample_sentences([]) == []


@pytest.fixture(name="call")
def fixture_call(tmp_path):
    """Runs the script with the fake program and a judge that always prints the same score."""

    def call(*flags, fails=""):
        program = tmp_path / "myxtts"
        program.write_text(FAKE_PROGRAM.format(python=sys.executable, calls=tmp_path / "calls", fails=fails))
        program.chmod(0o755)
        judge = """echo '{"word_error_rate": 0.01, "words": 1600, "errors": 16}' #"""
        return subprocess.run([sys.executable, BENCH / "wer_over_time.py", program, "--out", tmp_path / "out",
                               "--judge", judge, "--utterances", "20", "--check-sentences", "4", *flags],
                              check=False, text=True, capture_output=True)

    return call


def trainings(tmp_path):
    lines = (tmp_path / "calls").read_text().splitlines()
    return [re.search(r"out/([\w.]+)_min_seed_(\d)", line).groups() for line in lines
            if line.startswith("train ")]


def test_every_point_is_a_separate_run_and_results_are_reused(call, tmp_path):
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
    assert [path.read_text() for path in recorded] == check  # each file is the recording of its sentence


def test_curve_includes_earlier_runs_with_other_seeds(call, tmp_path):
    assert call("--minutes", "2", "--seeds", "1,3").returncode == 0
    assert call("--minutes", "8", "--seeds", "1", fails="8_min_seed_1").returncode != 0

    done = call("--minutes", "4", "--seeds", "2", "--json")

    assert done.returncode == 0, done.stderr
    points = json.loads(done.stdout)["curve"]
    assert [(point["minutes"], [run["seed"] for run in point["runs"]]) for point in points] == [(2, [1, 3]), (4, [2])]
    assert trainings(tmp_path) == [("2", "1"), ("2", "3"), ("8", "1"), ("4", "2")]  # no run is trained again


def test_failed_run_is_reported_and_repeated_by_the_next_call(call, tmp_path):
    failed = call("--minutes", "1,2", "--seeds", "1", fails="2_min_seed_1")
    assert failed.returncode != 0
    assert "injected failure" in failed.stderr and "exit code 1" in failed.stderr

    assert call("--minutes", "1,2", "--seeds", "1").returncode == 0

    assert trainings(tmp_path) == [("1", "1"), ("2", "1"), ("2", "1")]


def test_runs_of_another_experiment_are_rejected(call):
    assert call("--minutes", "1", "--seeds", "1").returncode == 0

    other = call("--minutes", "1", "--seeds", "1", "--set", "training.learning_rate=0.1")

    assert other.returncode != 0
    assert "another experiment" in other.stderr


def test_table_explains_what_a_point_is(call):
    done = call("--minutes", "1", "--seeds", "1")

    assert "warning" not in done.stderr  # 1,600 words
    assert "WER in percent of 1600 words" in done.stdout
    assert "the learning rate decays over the time" in done.stdout
    assert "[1/1] 1 min, seed 1" in done.stderr and "left" in done.stderr


def test_too_few_words_give_a_warning(call, tmp_path):
    judge = """echo '{"word_error_rate": 0.01, "words": 160, "errors": 16}' #"""
    done = call("--minutes", "1", "--seeds", "1", "--judge", judge, "--out", tmp_path / "few")

    assert done.returncode == 0, done.stderr
    assert "warning: 160 held-out words" in done.stderr
