"""Fixed, bucketed and dynamic shapes: configuration output, batch shapes, length filter and resume."""

import json
import shutil

import pytest
from training import checkpoint_state, configuration_block, metrics, newest_checkpoint, step_records, train, write_tones

MODES = {"fixed": ["--enable-static-shapes"], "auto": ["--shape-buckets", "auto"],
         "dynamic": ["--dynamic-shapes"]}
SETTINGS = {"data__batch_size": 2, "training__gradient_accumulation_steps": 1}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Short and long tones, so that a shape plan has several signatures. Validation has slightly longer ones."""
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 24)
    write_tones(folder / "more", 24, seconds=1.2)
    lines = (folder / "train" / "metadata.csv").read_text()
    for i in range(24):
        shutil.move(folder / "more" / "wavs" / f"u{i:03}.wav", folder / "train" / "wavs" / f"w{i:03}.wav")
        lines += f"w{i:03}|{'so it runs on and on ' * 2}\n"
    (folder / "train" / "metadata.csv").write_text(lines)
    write_tones(folder / "val", 7, seconds=1.25)
    return folder


def test_configuration_block_has_the_lines_of_the_original(corpus, tmp_path):
    ended = train(tmp_path / "voice", corpus, "--enable-static-shapes", "--max-text-length", 200,
                  "--max-mel-frames", 800, "--dry-run", **SETTINGS)

    lines = configuration_block(ended)
    first = lines.index("Static shapes (pad_to_fixed_length): True")
    assert lines[first + 1:first + 3] == ["Max text length: 200", "Max mel frames: 800"]
    assert any(line.split()[:3] == ["2x200x800", "2", "100.0"] for line in lines), lines


@pytest.mark.parametrize("flags", [["--pad-to-fixed-length"],
                                   ["--set", "data.pad_to_fixed_length=true"]], ids=" ".join)
def test_pad_to_fixed_length_selects_a_fixed_shape(flags, corpus, tmp_path):
    lines = configuration_block(train(tmp_path / "voice", corpus, *flags, "--dry-run", **SETTINGS))

    assert "Static shapes (pad_to_fixed_length): True" in lines
    assert "Max text length: 200" in lines
    assert "Max mel frames: 128" in lines  # the longest of 48 utterances has 114 frames, rounded up to a multiple of 32


def test_batches_have_planned_shapes_unless_shapes_are_dynamic(corpus, tmp_path):
    shapes = {}
    for mode, flags in MODES.items():
        ended = train(tmp_path / mode, corpus, *flags, "--max-steps", 24, "--json", **SETTINGS)
        assert ended.returncode == 0, ended.stderr
        shapes[mode] = {line["signature"] for line in step_records(tmp_path / mode)}
        answer = json.loads(ended.stdout)
        planned = {line.split()[0] for line in configuration_block(ended)
                   if line.startswith("  ") and "MB" in line}
        if mode == "dynamic":
            assert answer["signatures"] == 0 and answer["retraces"] == len(shapes[mode])
            assert "warning: dynamic shapes" in ended.stderr
            assert "Static shapes (pad_to_fixed_length): False" in configuration_block(ended)
        else:
            assert answer["signatures"] == len(planned) and answer["retraces"] == 0
            assert shapes[mode] <= planned
            assert 0 <= answer["padding"] < 1

    assert shapes["fixed"] == {"2x200x128"}
    assert 2 <= len(shapes["auto"]) <= 8
    assert len(shapes["dynamic"]) > len(shapes["auto"])


def test_checkpoint_of_any_shape_setting_resumes_under_any_other(corpus, tmp_path):
    """The validation loss does not depend on the shapes of the batches."""
    run, steps, losses, previous_loss = tmp_path / "voice", 0, [], None
    for mode in ["fixed", "auto", "dynamic", "fixed"]:
        if steps:  # a finished run is only validated, in the shapes of this mode
            again = train(run, corpus, *MODES[mode], "--max-steps", steps, "--json", **SETTINGS)
            assert again.returncode == 0, again.stderr
            losses.append((previous_loss, json.loads(again.stdout)["validation_loss"]))
        steps += 3
        ended = train(run, corpus, *MODES[mode], "--max-steps", steps, "--json", **SETTINGS)

        assert ended.returncode == 0, ended.stderr
        assert ("batch order restarts at the next epoch" in ended.stderr) == (steps > 3)
        assert checkpoint_state(newest_checkpoint(run))["step"] == steps
        previous_loss = json.loads(ended.stdout)["validation_loss"]

    assert [line["step"] for line in metrics(run) if "loss" in line] == list(range(1, 13))
    assert len(losses) == 3
    for one, other in losses:
        assert one == pytest.approx(other, abs=1e-4) and one > 0


def test_resumed_run_keeps_its_shape_setting(corpus, tmp_path):
    run = tmp_path / "voice"
    train(run, corpus, *MODES["fixed"], "--max-steps", 1, **SETTINGS)

    resumed = train(run, corpus, "--max-steps", 2, **SETTINGS)

    assert "1 (fixed)" in resumed.stderr and "batch order restarts at the next epoch" not in resumed.stderr


def test_filtered_utterances_are_listed_before_step_one(corpus, tmp_path):
    """Filtered utterances are listed. Above 5 % a warning names the limit that keeps 99 %. Above half the run fails."""
    few = train(tmp_path / "few", corpus, "--max-mel-frames", 113, "--dry-run", **SETTINGS)
    assert few.returncode == 0, few.stderr
    assert "Filtered by length in the training set: " in few.stdout
    assert "warning" in few.stdout and "--max-mel-frames 128 keeps 99 %" in few.stdout

    more = train(tmp_path / "more", corpus, "--max-mel-frames", 60, "--max-steps", 1, **SETTINGS)
    assert more.returncode == 2
    assert "more than half" in more.stderr and "--max-mel-frames 128 keeps 99 %" in more.stderr
    assert not (tmp_path / "more" / "checkpoints").exists()

    kept = train(tmp_path / "kept", corpus, "--max-mel-frames", 128, "--max-steps", 1, **SETTINGS)
    assert kept.returncode == 0 and "Filtered by length" not in kept.stderr


def test_only_a_fixed_shape_filters_long_texts_by_default(corpus, tmp_path):
    """Buckets have no default limit. The default limit of a fixed shape is 200 symbols."""
    (tmp_path / "corpus").mkdir()
    shutil.copytree(corpus / "train", tmp_path / "corpus" / "train")
    shutil.copytree(corpus / "val", tmp_path / "corpus" / "val")
    write_tones(tmp_path / "long", 1, seconds=4)
    shutil.move(tmp_path / "long" / "wavs" / "u000.wav",
                tmp_path / "corpus" / "train" / "wavs" / "long.wav")
    with (tmp_path / "corpus" / "train" / "metadata.csv").open("a") as file:
        file.write(f"long|{'la ' * 80}la\n")

    buckets = train(tmp_path / "voice", tmp_path / "corpus", "--dry-run", **SETTINGS)
    fixed = train(tmp_path / "voice", tmp_path / "corpus", "--dry-run", *MODES["fixed"], **SETTINGS)

    assert "Filtered by length" not in buckets.stdout
    assert "  long: 242 symbols" in fixed.stdout
