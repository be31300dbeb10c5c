"""Tests of bench/vocoder_over_time.py with a fake program: trainings, scores and pictures."""

import importlib
import json
import pathlib
import sys
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).parents[2]

# A fake program that writes the files of myxtts. The content of an audio file is its score: 4.0 for recordings, 2.0
# with Griffin-Lim, 3 + M / 100 with a vocoder of M minutes, and half a point less for synthesised text.
FAKE_PROGRAM = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
with open("{calls}", "a") as calls:
    calls.write(" ".join(words[:2]) + chr(10))
flag = lambda name, default=None: words[words.index(name) + 1] if name in words else default
def quality():
    vocoder = flag("--vocoder", "griffin-lim")
    return 2.0 if vocoder == "griffin-lim" else 3 + float(pathlib.Path(vocoder).name.split("_")[0]) / 100
if words[0] == "corpus":
    out, voice = pathlib.Path(flag("--out")), flag("--voices")
    count = len(open(flag("--text")).readlines()) if "--text" in words else int(flag("--utterances"))
    (out / "train" / "wavs").mkdir(parents=True, exist_ok=True)
    rows = [f"{{voice}}_{{i:05}}|Sentence {{i}} of {{flag('--seed', 1)}}.|" for i in range(1, count + 1)]
    for row in rows:
        (out / "train" / "wavs" / (row.split("|")[0] + ".wav")).write_text("4.0")
    (out / "train" / "metadata.csv").write_text(chr(10).join(rows) + chr(10))
    print(json.dumps({{"train": count, "hours": 0.5}}))
elif words[0] == "train-vocoder":
    run = pathlib.Path(flag("--checkpoint-dir"))
    (run / "summary.json").write_text(json.dumps({{"steps": int(100 * float(flag("--max-minutes")))}}))
    print("{{}}")
elif words[0] == "audio":
    pathlib.Path(flag("--out")).write_text(str(quality()))
    print("{{}}")
elif words[0] == "evaluate":
    out = pathlib.Path(flag("--out"))
    out.mkdir()
    (out / "0001.wav").write_text(str(quality() - 0.5))
    (out / "sentences.txt").write_text("")
    print("{{}}")
"""

JUDGE = """#!{python}
import json, pathlib, sys
wav = pathlib.Path(sys.argv[sys.argv.index("--wavs") + 1]) / "0001.wav"
print(json.dumps({{"{name}": float(wav.read_text()), "files": 9}}))
"""


@pytest.fixture(name="call")
def fixture_call(tmp_path, monkeypatch, capsys):
    """Runs main() of the script with fake judges."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    bench = importlib.import_module("vocoder_over_time")
    programs = {}
    for name, text in (("myxtts", FAKE_PROGRAM), ("wer", JUDGE), ("mos", JUDGE)):
        programs[name] = tmp_path / name
        programs[name].write_text(text.format(python=sys.executable, calls=tmp_path / "calls",
                                              name="word_error_rate" if name == "wer" else name))
        programs[name].chmod(0o755)
    monkeypatch.setattr(importlib.import_module("voice_variants"), "JUDGE", str(programs["wer"]))
    (tmp_path / "voice").mkdir()

    def call(*flags):
        monkeypatch.setattr(sys, "argv", ["vocoder_over_time.py", str(programs["myxtts"]), "--out", str(tmp_path / "out"),
                                          "--utterances", "20", "--check-sentences", "4", "--first", "3",
                                          "--judge", f"DNSMOS={programs['mos']}",
                                          "--voice-run", str(tmp_path / "voice"), *flags])
        bench.main()
        return capsys.readouterr().out

    return call


def test_every_point_is_a_separate_run_and_results_are_reused(call, tmp_path):
    call("--minutes", "5")
    report = json.loads(call("--minutes", "5,10", "--json"))

    commands = (tmp_path / "calls").read_text().splitlines()
    assert commands.count("train-vocoder --train-data") == 2
    assert sum(command.startswith("audio") for command in commands) == 3 * 3  # Griffin-Lim and two vocoders, --first 3
    assert [(row["audio"], row.get("minutes"), row["DNSMOS"]) for row in report["rows"]] == [
        ("recordings", None, 4.0), ("Griffin-Lim", None, 2.0), ("text to speech, Griffin-Lim", None, 1.5),
        ("ground-truth mels", 5, 3.05), ("text to speech", 5, 2.55), ("ground-truth mels", 10, 3.1), ("text to speech", 10, 2.6)]


def test_picture_has_both_curves_between_the_references(call, tmp_path):
    call("--minutes", "5,10", "--svg", str(tmp_path / "curve.svg"), "--html", str(tmp_path / "page.html"))

    svg = xml.etree.ElementTree.fromstring((tmp_path / "curve.svg").read_text())
    name = "{http://www.w3.org/2000/svg}"
    y = [float(circle.get("cy")) for circle in svg.iter(f"{name}circle")]
    recorded, griffin_lim = [float(line.get("y1")) for line in svg.iter(f"{name}line") if line.get("class") == "reference"]
    assert len(y) == 4 and recorded < y[1] < y[0] < y[3] < y[2] < griffin_lim < 344
    assert {"ground-truth mels", "text to speech"} <= {text.text for text in svg.iter(f"{name}text")}
    page = (tmp_path / "page.html").read_text()
    assert page.count("<audio") == 7 + 2 * 4  # three sentences; the fake program synthesises only the first
    assert "<td>3.100</td>" in page and "not synthesised" in page and "<th>WER (%)</th>" in page


def test_label_of_a_reference_line_avoids_other_elements(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    picture = importlib.import_module("curve_picture")
    reference = {"value": 3.2, "label": "a label of some thirty letters."}

    def label_position(occupied):
        label = xml.etree.ElementTree.fromstring(picture.reference_label(reference, 100.0, False, occupied))
        return float(label.get("x")), float(label.get("y"))

    assert label_position([]) == (picture.LEFT + 8, 94.0)
    assert label_position([(90, 85, 120, 95)]) == (picture.LEFT + 8, 118.0)  # below the line
    assert label_position([(90, 80, 120, 120)])[0] > picture.LEFT + 100


def test_run_with_other_settings_is_rejected(call):
    call("--minutes", "5")
    with pytest.raises(SystemExit, match="another experiment"):
        call("--minutes", "5", "--set", "training.vocoder_learning_rate=1")
