"""Tests of bench/voice_variants.py with a fake program, and of tools/judge_mos.py and judge_similarity.py."""

import argparse
import importlib
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]

# A fake program that writes the files of myxtts. The content of an audio file is its WER and its score; with
# --decoder flow both are lower.
FAKE_PROGRAM = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
flag = lambda name, default=None: words[words.index(name) + 1] if name in words else default
if words[0] == "corpus":
    out, voice = pathlib.Path(flag("--out")), flag("--voices")
    texts = (pathlib.Path(flag("--text")).read_text().splitlines() if "--text" in words else
             [f"Sentence {{i * int(flag('--seed', 1)) ** 4}}." for i in range(int(flag("--utterances")))])
    (out / "train" / "wavs").mkdir(parents=True, exist_ok=True)
    rows = [f"{{voice}}_{{i:05}}|{{text}}|{{text}}" for i, text in enumerate(texts, 1)]
    for row in rows:
        (out / "train" / "wavs" / (row.split("|")[0] + ".wav")).write_text("0.05 4.0")
    (out / "train" / "metadata.csv").write_text(chr(10).join(rows) + chr(10))
    print(json.dumps({{"train": len(texts), "hours": 0.5}}))
elif words[0] == "train":
    run = pathlib.Path(flag("--checkpoint-dir"))
    with open(run.parent / "trainings", "a") as trainings:
        trainings.write(run.name + chr(10))
    summary = {{"steps": 100 * int(flag("--seed")), "audio_s_per_s": 80.0, "step_s": {{"p50": 0.25}}}}
    (run / "summary.json").write_text(json.dumps(summary))
    (run / "voice").write_text("0.1 2.5" if flag("--decoder") == "flow" else "0.2 3.0")
    print(json.dumps(summary))
elif words[0] == "evaluate":
    out = pathlib.Path(flag("--out"))
    out.mkdir()
    (out / "0001.wav").write_text((pathlib.Path(words[1]) / "voice").read_text())
    (out / "sentences.txt").write_text("")
    print(json.dumps({{}}))
"""

JUDGE = """#!{python}
import json, pathlib, sys
wav = pathlib.Path(sys.argv[sys.argv.index("--wavs") + 1]) / "0001.wav"
print(json.dumps({{"{name}": float(wav.read_text().split()[{index}]), "words": 9}}))
"""


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture(name="variants", scope="module")
def fixture_variants():
    sys.path.insert(0, str(ROOT / "bench"))
    yield importlib.import_module("voice_variants")
    sys.path.remove(str(ROOT / "bench"))


@pytest.fixture(name="call")
def fixture_call(tmp_path, variants, monkeypatch, capsys):
    """Runs main() of the script with fake judges."""
    python = sys.executable
    program = write_program(tmp_path / "myxtts", FAKE_PROGRAM.format(python=python))
    wer = write_program(tmp_path / "wer", JUDGE.format(python=python, name="word_error_rate", index=0))
    mos = write_program(tmp_path / "mos", JUDGE.format(python=python, name="score", index=1))
    monkeypatch.setattr(variants, "JUDGE", str(wer))

    def call(*flags):
        monkeypatch.setattr(sys, "argv", ["voice_variants.py", str(program), "--out", str(tmp_path / "out"),
                                          "--utterances", "20", "--check-sentences", "4",
                                          "--judge", f"mos={mos}", *flags])
        variants.main()
        return capsys.readouterr().out

    return call


def test_variants_alternate_and_results_are_reused(call, tmp_path):
    flags = ["--variant", "plain:", "--variant", "flow: --decoder flow", "--seeds", "1,2"]
    first = call(*flags)
    second = call(*flags, "--json")

    trainings = (tmp_path / "out" / "trainings").read_text().split()
    assert trainings == ["plain_seed_1", "flow_seed_1", "plain_seed_2", "flow_seed_2"]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in first.splitlines()]
    assert rows[0] == ["variant", "steps", "ms per step", "WER (%)", "mos"]
    assert rows[2] == ["plain", "150", "250", "20.0", "3.000"]
    assert rows[3] == ["flow", "150", "250", "10.0", "2.500"]
    assert rows[4] == ["recordings", "", "", "5.0", "4.000"]
    assert [run["variant"] for run in json.loads(second)["runs"]] == ["plain", "flow", "plain", "flow"]


def test_variant_with_the_same_name_and_other_flags_is_rejected(call):
    call("--variant", "one: --decoder flow")
    with pytest.raises(SystemExit, match="another experiment"):
        call("--variant", "one:")


def test_invalid_variants_are_rejected(variants):
    assert variants.parse_variant("a.b: --set 'x=1 2'") == ("a.b", ["--set", "x=1 2"])
    for wrong in ("plain", ": --x", "a b: --x", "../a:"):
        with pytest.raises(argparse.ArgumentTypeError, match="expected NAME: FLAGS"):
            variants.parse_variant(wrong)


def test_score_of_a_judge_is_the_number_that_is_not_a_count(variants):
    assert variants.score_in({"word_error_rate": 0.5, "errors": 9, "words": 18}) == 0.5
    assert variants.score_in({"judge": "a name", "files": 9, "similarity": 0.75}) == 0.75
    for wrong in ({"files": 9}, {"one": 1, "two": 2}):
        with pytest.raises(SystemExit, match="expected one score"):
            variants.score_in(wrong)


def test_invalid_judges_are_rejected(variants, call):
    for wrong in ("mos", "word_error_rate=x", "a/b=x", "steps=x", "mos="):
        with pytest.raises(argparse.ArgumentTypeError, match="expected NAME=COMMAND"):
            variants.parse_judge(wrong)
    call("--variant", "plain:")
    with pytest.raises(SystemExit, match="another experiment"):
        call("--variant", "plain:", "--judge", "other=true")


def test_mos_judge_scores_evenly_distributed_files(tmp_path):
    sys.path.insert(0, str(ROOT / "tools"))
    judge = importlib.import_module("judge_mos")
    sys.path.remove(str(ROOT / "tools"))

    assert judge.sample_evenly(list(range(10)), 3) == [0, 3, 6]
    assert judge.sample_evenly([1, 2], None) == judge.sample_evenly([1, 2], 5) == [1, 2]
    assert "no WAV file; expected *.wav" in error_of("judge_mos.py", "--wavs", tmp_path)


def error_of(tool, *flags):
    done = subprocess.run([sys.executable, ROOT / "tools" / tool, *flags], check=False, capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == ""
    return done.stderr


def test_similarity_judge_names_missing_files(tmp_path):
    reference = ("--reference", tmp_path)
    assert "no WAV file; expected *.wav" in error_of("judge_similarity.py", "--wavs", tmp_path, *reference)
    (tmp_path / "wavs").mkdir()
    (tmp_path / "wavs" / "0001.wav").write_bytes(b"")
    for missing in (tmp_path, tmp_path / "nowhere.wav"):
        error = error_of("judge_similarity.py", "--wavs", tmp_path / "wavs", "--reference", missing)
        assert f"--reference {missing}: no WAV file; expected one or a folder of them" in error
