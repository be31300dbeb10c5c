"""bench/voice_variants.py with a stand-in for the program, and what is pure in tools/judge_mos.py."""

import argparse
import importlib
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]

# Makes what the real program makes, in no time. With --decoder flow a voice is understood better and
# sounds worse; the judges read that out of what it "spoke".
STAND_IN = """#!{python}
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
print(json.dumps({{"{name}": float(wav.read_text().split()[{place}]), "words": 9}}))
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
    """The script's own main(), with judges that need no pocketsphinx."""
    python = sys.executable
    program = write_program(tmp_path / "myxtts", STAND_IN.format(python=python))
    understood = write_program(tmp_path / "words", JUDGE.format(python=python, name="word_error_rate", place=0))
    sound = write_program(tmp_path / "sound", JUDGE.format(python=python, name="score", place=1))
    monkeypatch.setattr(variants, "JUDGE", str(understood))

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["voice_variants.py", str(program), "--out", str(tmp_path / "out"),
                                          "--utterances", "20", "--check-sentences", "4",
                                          "--judge", f"mos={sound}", *words])
        variants.main()
        return capsys.readouterr().out

    return call


def test_variants_take_turns_and_nothing_is_trained_twice(call, tmp_path):
    words = ["--variant", "plain:", "--variant", "flow: --decoder flow", "--seeds", "1,2"]
    first = call(*words)
    second = call(*words, "--json")

    trainings = (tmp_path / "out" / "trainings").read_text().split()
    assert trainings == ["plain_seed_1", "flow_seed_1", "plain_seed_2", "flow_seed_2"]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in first.splitlines()]
    assert rows[0] == ["variant", "steps", "ms per step", "words", "mos"]
    assert rows[2] == ["plain", "150", "250", "0.200", "3.000"]
    assert rows[3] == ["flow", "150", "250", "0.100", "2.500"]
    assert rows[4] == ["the recordings", "", "", "0.050", "4.000"]
    assert [run["variant"] for run in json.loads(second)["runs"]] == ["plain", "flow", "plain", "flow"]


def test_a_variant_of_that_name_with_other_flags_is_refused(call):
    call("--variant", "one: --decoder flow")
    with pytest.raises(SystemExit, match="another experiment"):
        call("--variant", "one:")


def test_what_is_not_a_variant_is_said(variants):
    assert variants.variant_of("a.b: --set 'x=1 2'") == ("a.b", ["--set", "x=1 2"])
    for wrong in ("plain", ": --x", "a b: --x", "../a:"):
        with pytest.raises(argparse.ArgumentTypeError, match="expected NAME: FLAGS"):
            variants.variant_of(wrong)


def test_the_figure_of_a_judge_is_the_one_that_counts_nothing(variants):
    assert variants.number_in({"word_error_rate": 0.5, "errors": 9, "words": 18}) == 0.5
    assert variants.number_in({"judge": "a name", "files": 9, "similarity": 0.75}) == 0.75
    for wrong in ({"files": 9}, {"one": 1, "two": 2}):
        with pytest.raises(SystemExit, match="expected one figure"):
            variants.number_in(wrong)


def test_what_is_not_a_judge_is_said(variants, call):
    for wrong in ("mos", "words=x", "a/b=x", "steps=x", "mos="):
        with pytest.raises(argparse.ArgumentTypeError, match="expected NAME=COMMAND"):
            variants.judge_of(wrong)
    call("--variant", "plain:")
    with pytest.raises(SystemExit, match="another experiment"):
        call("--variant", "plain:", "--judge", "other=true")


def test_the_judge_of_sound_listens_to_some_that_lie_evenly(tmp_path):
    sys.path.insert(0, str(ROOT / "tools"))
    judge = importlib.import_module("judge_mos")
    sys.path.remove(str(ROOT / "tools"))

    assert judge.evenly(list(range(10)), 3) == [0, 3, 6]
    assert judge.evenly([1, 2], None) == judge.evenly([1, 2], 5) == [1, 2]
    assert "expected *.wav; none is there" in refusal_of("judge_mos.py", "--wavs", tmp_path)


def refusal_of(tool, *words):
    answer = subprocess.run([sys.executable, ROOT / "tools" / tool, *words], check=False, capture_output=True, text=True)
    assert answer.returncode == 1 and answer.stdout == ""
    return answer.stderr


def test_the_judge_of_voices_says_what_it_misses(tmp_path):
    reference = ("--reference", tmp_path)
    assert "expected *.wav; none is there" in refusal_of("judge_voice.py", "--wavs", tmp_path, *reference)
    (tmp_path / "wavs").mkdir()
    (tmp_path / "wavs" / "0001.wav").write_bytes(b"")
    for missing in (tmp_path, tmp_path / "nowhere.wav"):
        said = refusal_of("judge_voice.py", "--wavs", tmp_path / "wavs", "--reference", missing)
        assert f"--reference {missing}: expected a WAV or a folder of them" in said
