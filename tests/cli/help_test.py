"""The help of every command has examples, and every example runs as printed."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from training import SETTINGS, train

PROGRAM = os.environ["MYXTTS"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = [["demo"], ["corpus", "demo"], ["corpus", "check"], ["stats"], ["train"],
            ["train-vocoder"], ["top"], ["text"], ["audio"], ["speak"], ["evaluate"], ["inspect"],
            ["export"], ["config", "show"], ["config", "diff"], ["bench", "mel"], ["bench", "speak"],
            ["bench", "loader"], ["bench", "step"], ["diagnose", "retracing"],
            ["diagnose", "bottleneck"], ["diagnose", "recommend"]]


def help_of(command):
    result = subprocess.run([PROGRAM, *command, "--help"], check=True, text=True, capture_output=True)
    return result.stdout


def examples_of(text):
    """Returns the commands below "Examples:". Joins continued lines and removes the remark after two spaces."""
    lines = text.split("Examples:")[1].replace("\\\n", " ").splitlines()
    commands = [re.split(r"\s{2,}", line.strip(), maxsplit=1)[0] if "&&" not in line else line
                for line in lines if "myxtts " in line]
    return [command.split("| jq")[0].strip() for command in commands if command]


def commands_in(text):
    listed = text.split("Subcommands:")[1].split("Examples:")[0]
    return re.findall(r"^  ([\w-]+) ", listed, re.M)


def test_command_list_is_complete():
    top = commands_in(help_of([]))
    nested = [[name, inner] for name in top if "Subcommands:" in help_of([name])
              for inner in commands_in(help_of([name]))]
    flat = [[name] for name in top if not any(pair[0] == name for pair in nested)]

    assert sorted(flat + nested) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_at_least_two_examples(command):
    assert len(examples_of(help_of(command))) >= 2


@pytest.fixture(scope="module")
def playground(demo_corpus, tmp_path_factory):
    """A folder with the files that the examples use, and with a bin folder that contains `myxtts`."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(demo_corpus, folder / "demo_corpus")
    shutil.copytree(ROOT / "configs", folder / "configs")
    voice = train(folder / "runs" / "voice", demo_corpus, "--max-steps", 12,
                  data__reference_audio_length=3)
    assert voice.returncode == 0, voice.stderr
    vocoder = train(folder / "runs" / "vocoder", demo_corpus, "--max-steps", 2, subcommand="train-vocoder")
    assert vocoder.returncode == 0, vocoder.stderr
    (folder / "lines.txt").write_text("One line.\nAnother one.\n")
    clip = next((demo_corpus / "train" / "wavs").glob("*.wav"))
    shutil.copy(clip, folder / "clip.wav")
    (folder / "recorded").mkdir()
    for name in ("0001.wav", "0002.wav"):
        shutil.copy(clip, folder / "recorded" / name)
    import soundfile
    samples, rate = soundfile.read(clip)
    soundfile.write(folder / "clip.flac", samples, rate)
    (folder / "bin").mkdir()
    (folder / "bin" / "myxtts").symlink_to(PROGRAM)
    return folder


def shortened(example):
    """Returns the example with fewer utterances, steps and minutes, a small model and a stub judge."""
    if re.search(r"myxtts (corpus )?demo\b", example) and "--text" not in example:
        example = re.sub(r"--utterances \d+", "", example) + " --utterances 6"
    if "myxtts demo" in example:
        example = re.sub(r"--judge '[^']*'", "", example)  # tests/cli/demo_test.py tests the judge
        example = re.sub(r"--minutes [1-9]\d*", "", example) + " --examples 1"
        example += "" if "--minutes" in example else " --minutes 0.005"
    example = re.sub(r"\| aplay .*", "> /dev/null", example)  # no audio device
    if "myxtts evaluate" in example or "--evaluate-every" in example:  # other tests run the judge
        example = re.sub(r"--judge '[^']*'", """--judge "printf '{\\"mos\\": 1}'\"""", example)
    if "myxtts bench loader" in example:
        example += " --rounds 1 --batch-size 2"
    if "myxtts bench step" in example:
        example = re.sub(r"--rounds \d+", "", example)
        example += " --rounds 1 --steps 1 --batch-size 1"
    if "myxtts diagnose" in example:
        example = re.sub(r"--(steps|num-batches) \d+", "", example)
        example += " --steps 2" if "retracing" in example else ""
        example += " --num-batches 3" if "bottleneck" in example else ""
        example = re.sub(r"--batch-size \d+", "", example) + " --batch-size 2"
    if "myxtts train" in example or "myxtts diagnose" in example:
        example += "".join(f" --set {key}={value}" for key, value in SETTINGS.items()
                           if key.startswith("model."))
    example = re.sub(r"--max-minutes (\d+)", lambda found: f"--max-minutes {int(found[1]) / 1000}",
                     example)
    return re.sub(r"--max-steps \d+", "--max-steps 2", example)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_example_runs(command, playground, demo_corpus, tmp_path):
    environment = {**os.environ, "PATH": f"{playground / 'bin'}:{os.environ['PATH']}"}
    folder = playground
    if command[0].startswith("train"):  # the first example starts a run on an unchanged corpus
        folder = tmp_path
        (folder / "demo_corpus").symlink_to(demo_corpus)
        if command == ["train-vocoder"]:  # one example trains on mels of a voice
            shutil.copytree(playground / "runs" / "voice", folder / "runs" / "voice")
        (folder / "lines.txt").write_text("One line.\n")
    for example in examples_of(help_of(command)):
        result = subprocess.run(["sh", "-c", shortened(example)], check=False, text=True,
                                capture_output=True, cwd=folder, env=environment, timeout=300)

        # `corpus check` and `diagnose` exit with 1 if they have findings about this small corpus. The exit code of a
        # usage error is 2.
        may_have_findings = command == ["corpus", "check"] or command[0] == "diagnose"
        assert result.returncode in ((0, 1) if may_have_findings else (0,)), (
            example, result.stdout, result.stderr)
