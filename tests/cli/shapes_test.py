"""The three settings of shapes as a person sees them: what is said, what is left out, going on."""

import json
import shutil

import pytest
from training import block, metrics, newest, state_of, train, updates, write_tones

MODES = {"fixed": ["--enable-static-shapes"], "auto": ["--shape-buckets", "auto"],
         "dynamic": ["--dynamic-shapes"]}
FEW = {"data__batch_size": 2, "training__gradient_accumulation_steps": 1}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Short and long tones, so that there is something to plan; validation is a little longer."""
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 24)
    write_tones(folder / "more", 24, seconds=1.2)
    lines = (folder / "train" / "metadata.csv").read_text()
    for i in range(24):
        shutil.move(folder / "more" / "wavs" / f"u{i:03}.wav", folder / "train" / "wavs" / f"w{i:03}.wav")
        lines += f"w{i:03}|{'so it goes on and on ' * 2}\n"
    (folder / "train" / "metadata.csv").write_text(lines)
    write_tones(folder / "val", 7, seconds=1.25)
    return folder


def test_the_block_before_step_one_has_the_lines_of_the_original(corpus, tmp_path):
    ended = train(tmp_path / "voice", corpus, "--enable-static-shapes", "--max-text-length", 200,
                  "--max-mel-frames", 800, "--dry-run", **FEW)

    lines = block(ended)
    at = lines.index("Static shapes (pad_to_fixed_length): True")
    assert lines[at + 1:at + 3] == ["Max text length: 200", "Max mel frames: 800"]
    assert any(line.split()[:3] == ["2x200x800", "2", "100.0"] for line in lines), lines


@pytest.mark.parametrize("flags", [["--pad-to-fixed-length"],
                                   ["--set", "data.pad_to_fixed_length=true"]], ids=" ".join)
def test_a_fixed_shape_has_other_names(flags, corpus, tmp_path):
    lines = block(train(tmp_path / "voice", corpus, *flags, "--dry-run", **FEW))

    assert "Static shapes (pad_to_fixed_length): True" in lines
    assert "Max text length: 200" in lines
    assert "Max mel frames: 128" in lines  # the longest of 48 has 114 frames, rounded up to 32


def test_every_batch_has_a_shape_of_the_plan_in_static_settings_alone(corpus, tmp_path):
    shapes = {}
    for mode, flags in MODES.items():
        ended = train(tmp_path / mode, corpus, *flags, "--max-steps", 24, "--json", **FEW)
        assert ended.returncode == 0, ended.stderr
        shapes[mode] = {line["signature"] for line in updates(tmp_path / mode)}
        answer = json.loads(ended.stdout)
        table = {line.split()[0] for line in block(ended) if line.startswith("  ") and "MB" in line}
        if mode == "dynamic":
            assert answer["signatures"] == 0 and answer["retraces"] == len(shapes[mode])
            assert "warning: dynamic shapes" in ended.stderr
            assert "Static shapes (pad_to_fixed_length): False" in block(ended)
        else:
            assert answer["signatures"] == len(table) and answer["retraces"] == 0
            assert shapes[mode] <= table
            assert 0 <= answer["padding"] < 1

    assert shapes["fixed"] == {"2x200x128"}
    assert 2 <= len(shapes["auto"]) <= 8
    assert len(shapes["dynamic"]) > len(shapes["auto"])


def test_a_save_of_any_setting_goes_on_under_any_other(corpus, tmp_path):
    """And the loss on the validation set does not depend on the shapes it is computed in."""
    run, steps, losses = tmp_path / "voice", 0, []
    for mode in ["fixed", "auto", "dynamic", "fixed"]:
        if steps:  # the run is over: nothing but its validation happens, in the shapes of this mode
            again = train(run, corpus, *MODES[mode], "--max-steps", steps, "--json", **FEW)
            assert again.returncode == 0, again.stderr
            losses.append((before, json.loads(again.stdout)["validation_loss"]))
        steps += 3
        ended = train(run, corpus, *MODES[mode], "--max-steps", steps, "--json", **FEW)

        assert ended.returncode == 0, ended.stderr
        assert ("batch order restarts at the next epoch" in ended.stderr) == (steps > 3)
        assert state_of(newest(run))["step"] == steps
        before = json.loads(ended.stdout)["validation_loss"]

    assert [line["step"] for line in metrics(run) if "loss" in line] == list(range(1, 13))
    assert len(losses) == 3
    for one, other in losses:
        assert one == pytest.approx(other, abs=1e-4) and one > 0


def test_a_setting_stays_until_another_is_given(corpus, tmp_path):
    run = tmp_path / "voice"
    train(run, corpus, *MODES["fixed"], "--max-steps", 1, **FEW)

    stays = train(run, corpus, "--max-steps", 2, **FEW)

    assert "1 (fixed)" in stays.stderr and "batch order restarts at the next epoch" not in stays.stderr


def test_who_is_left_out_is_said_before_step_one(corpus, tmp_path):
    """A few: named. More than 5 %: with the flag that keeps 99 %. More than half: refused."""
    few = train(tmp_path / "few", corpus, "--max-mel-frames", 113, "--dry-run", **FEW)
    assert few.returncode == 0, few.stderr
    assert "Filtered by length in the training set: " in few.stdout
    assert "warning" in few.stdout and "--max-mel-frames 128 keeps 99 %" in few.stdout

    more = train(tmp_path / "more", corpus, "--max-mel-frames", 60, "--max-steps", 1, **FEW)
    assert more.returncode == 2
    assert "more than half" in more.stderr and "--max-mel-frames 128 keeps 99 %" in more.stderr
    assert not (tmp_path / "more" / "checkpoints").exists()

    kept = train(tmp_path / "kept", corpus, "--max-mel-frames", 128, "--max-steps", 1, **FEW)
    assert kept.returncode == 0 and "Filtered by length" not in kept.stderr


def test_no_default_leaves_anybody_out(corpus, tmp_path):
    """A text of more than 200 symbols, which a fixed shape does not hold unless it is told to."""
    (tmp_path / "corpus").mkdir()
    shutil.copytree(corpus / "train", tmp_path / "corpus" / "train")
    shutil.copytree(corpus / "val", tmp_path / "corpus" / "val")
    write_tones(tmp_path / "long", 1, seconds=4)
    shutil.move(tmp_path / "long" / "wavs" / "u000.wav",
                tmp_path / "corpus" / "train" / "wavs" / "long.wav")
    with (tmp_path / "corpus" / "train" / "metadata.csv").open("a") as file:
        file.write(f"long|{'la ' * 80}la\n")

    buckets = train(tmp_path / "voice", tmp_path / "corpus", "--dry-run", **FEW)
    fixed = train(tmp_path / "voice", tmp_path / "corpus", "--dry-run", *MODES["fixed"], **FEW)

    assert "Filtered by length" not in buckets.stdout
    assert "  long: 242 symbols" in fixed.stdout
