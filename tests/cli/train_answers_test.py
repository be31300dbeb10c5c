"""Results of `myxtts train`: --dry-run, --json, precision, early stopping, checkpoints that are kept, logs."""

import json
import logging
import platform

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util import tb_logging
from training import (checkpoint_names, checkpoint_state, metrics, newest_checkpoint, step_records, train,
                      write_tones)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 16)
    write_tones(folder / "val", 4)
    return folder


def test_dry_run_prints_the_configuration_and_writes_nothing(corpus, tmp_path):
    before = sorted(corpus.rglob("*"))
    ended = train(tmp_path / "voice", corpus, "--max-steps", 2, "--dry-run")

    assert ended.returncode == 0, ended.stderr
    for text in ("M parameters", "MB in total", "billion multiply-adds", "Signatures:",
                 "2 steps, 4 steps per epoch", "Nothing was written"):
        assert text in ended.stdout + ended.stderr, text
    assert list(tmp_path.iterdir()) == [] and sorted(corpus.rglob("*")) == before

    answer = json.loads(train(tmp_path / "voice", corpus, "--dry-run", "--json").stdout)
    assert answer["steps_per_epoch"] == 4 and answer["memory_bytes"] > 20 * answer["parameters"]
    assert answer["multiply_adds_per_step"] > answer["parameters"] > 1000
    assert abs(sum(one["share_of_steps"] for one in answer["signatures"]) - 1.0) < 1e-9
    assert all(one["batch"] >= 1 and one["mel"] % 8 == 0 and one["memory_bytes"] > 0
               for one in answer["signatures"])
    assert 0.0 <= answer["padding"] < 1.0
    assert list(tmp_path.iterdir()) == []


def test_auto_precision_is_bf16_only_if_bf16_is_faster(corpus, tmp_path):
    """ONEDNN_MAX_CPU_ISA=AVX2 makes oneDNN emulate bf16, which is slower than fp32, on every x86-64 processor."""
    if platform.machine() != "x86_64":
        pytest.skip("the oneDNN limit needs x86-64")
    emulated = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
    for precision, resolved in (("auto", "fp32"), ("bf16", "bf16")):
        ended = train(tmp_path / "voice", corpus, "--dry-run", environment=emulated,
                      training__precision=precision)
        if "bf16 matrix products fail on this machine" in ended.stderr:
            pytest.skip("oneDNN cannot emulate bf16 on this machine")
        assert ended.returncode == 0, ended.stderr
        assert f"Precision:             {resolved}," in ended.stdout + ended.stderr, precision


def test_json_output_equals_summary_json_and_the_sums_of_the_steps(corpus, tmp_path):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 5, "--json", training__val_step=2, data__num_workers=1)

    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    assert answer == json.loads((run / "summary.json").read_text())
    assert answer["steps"] == 5 and answer["skipped_steps"] == 0
    assert answer["final_loss"] == step_records(run)[-1]["loss"]
    assert answer["validation_loss"] > 0 and answer["peak_rss_bytes"] > 1e6
    assert set(answer) >= {
        "retraces", "signatures", "padding", "step_s", "model_busy", "data_busy", "wait_share",
        "frames_per_s", "audio_s_per_s", "skipped_utterances", "mode", "limited_by"}
    lines = step_records(run)
    for key in ("busy_s", "waiting_s", "blocked_s"):
        of_steps = sum(line[f"data_{key}"] for line in lines)
        assert answer["lanes"]["data"][key] == pytest.approx(of_steps) and of_steps >= 0.0
    model = answer["lanes"]["model"]
    assert model["busy_s"] == pytest.approx(sum(line["step_s"] for line in lines)) and model["busy_s"] > 0
    assert model["waiting_s"] == pytest.approx(sum(line["wait_s"] for line in lines))
    assert model["blocked_s"] == pytest.approx(sum(line["host_s"] for line in lines))
    depths = [line["buffer_depth"] for line in lines]
    assert answer["buffer_depth"] == {"min": min(depths), "mean": pytest.approx(sum(depths) / 5),
                                      "p50": sorted(depths)[2]}
    assert answer["limited_by"].startswith("limited by ")
    assert (run / "log.txt").read_text().endswith(f"[train] {answer['limited_by']}\n")


def test_skipped_recording_is_logged_with_a_conversion_command(tmp_path):
    corpus = write_tones(tmp_path / "corpus", 40)
    (corpus / "wavs" / "u005.wav").write_bytes(b"\0\0\0\x18ftypM4A \0\0\0\0M4A mp42isom" + bytes(400))
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 1)

    assert ended.returncode == 0, ended.stderr
    for text in (ended.stderr, (run / "log.txt").read_text()):
        line = next(line for line in text.splitlines() if "u005" in line)
        assert "not_audio" in line and "M4A" in line and "ffmpeg -i" in line, line


def test_early_stopping_persists_until_it_is_disabled(corpus, tmp_path):
    """No change of the loss reaches min_delta, so the second and the third validation show no progress."""
    run = tmp_path / "voice"
    settings = {"training__val_step": 2, "training__early_stopping_min_delta": 1e9}
    ended = train(run, corpus, "--max-steps", 20, training__early_stopping_patience=2, **settings)

    assert ended.returncode == 0, ended.stderr
    assert "no progress: stopping" in ended.stderr
    assert checkpoint_state(newest_checkpoint(run))["step"] == 6

    again = train(run, corpus, "--max-steps", 20, training__early_stopping_patience=2, **settings)
    assert again.returncode == 0 and checkpoint_state(newest_checkpoint(run))["step"] == 6

    resumed = train(run, corpus, "--max-steps", 8, training__early_stopping_patience=0, **settings)
    assert resumed.returncode == 0, resumed.stderr
    assert checkpoint_state(newest_checkpoint(run))["step"] == 8


def test_best_checkpoint_is_kept_in_addition_to_the_newest(corpus, tmp_path):
    """No change of the loss reaches min_delta, so the best validation is the first one, at step 1."""
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 9, "--keep", 2, training__val_step=1,
                  training__save_step=2, training__early_stopping_min_delta=1e9)

    assert ended.returncode == 0, ended.stderr
    assert checkpoint_names(run) == ["step_00000001", "step_00000008", "step_00000009"]


def test_tensorboard_reads_the_events_of_a_resumed_run(corpus, tmp_path):
    run = tmp_path / "voice"
    settings = {"training__val_step": 3, "training__spectrogram_log_interval": 3,
                "training__spectrogram_log_num_examples": 1, "training__schedule_steps": 6,
                "training__enable_text2audio_eval": "true", "training__text2audio_interval_steps": 3}
    for steps in (3, 6):
        assert train(run, corpus, "--max-steps", steps, **settings).returncode == 0

    warnings = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = warnings.append
    tb_logging.get_logger().addHandler(handler)
    board = EventAccumulator(str(run), size_guidance={"scalars": 0, "images": 0, "audio": 0}).Reload()
    tb_logging.get_logger().removeHandler(handler)

    assert warnings == []
    assert [event.step for event in board.Scalars("loss/total")] == [1, 2, 3, 4, 5, 6]
    assert [event.step for event in board.Scalars("validation/total")] == [3, 6]
    assert {"loss/mel", "loss/prior", "loss/duration", "loss/energy",
            "train/learning_rate", "data/busy_ms", "data/waiting_ms", "data/blocked_ms",
            "data/buffer_depth"} <= set(board.Tags()["scalars"])
    assert [event.step for event in board.Audio("sample/1")] == [3, 6]
    assert [event.step for event in board.Images("alignment/1")] == [3, 6]
    assert [line["step"] for line in metrics(run) if "validation_loss" in line] == [3, 6]
    assert {path.name for path in (run / "samples").iterdir()} >= {
        "step_00000003_1.wav", "step_00000006_1_alignment.png"}


def test_paths_of_metrics_and_tensorboard_logs_can_be_set(corpus, tmp_path):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 2, "--metrics", tmp_path / "numbers.jsonl",
                  "--tensorboard-log-dir", tmp_path / "board")

    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "numbers.jsonl").read_text().count("\n") == 2
    assert len(list((tmp_path / "board").iterdir())) == 1
    assert not (run / "metrics.jsonl").exists()


def test_small_learning_rate_needs_no_other_setting(corpus, tmp_path):
    ended = train(tmp_path / "voice", corpus, "--max-steps", 2, "--lr", "8e-5")

    assert ended.returncode == 0, ended.stderr


def test_missing_corpus_is_a_usage_error(tmp_path):
    ended = train(tmp_path / "voice", tmp_path / "absent", "--max-steps", 2)

    assert ended.returncode == 2
    assert not (tmp_path / "voice").exists()
