"""What `myxtts train` answers: --dry-run, --json, early stopping, logs that a board accepts."""

import json
import logging
import platform

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util import tb_logging
from training import metrics, newest, saves, state_of, train, updates, write_tones


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 16)
    write_tones(folder / "val", 4)
    return folder


def test_a_dry_run_says_what_would_be_and_writes_nothing(corpus, tmp_path):
    before = sorted(corpus.rglob("*"))
    ended = train(tmp_path / "voice", corpus, "--max-steps", 2, "--dry-run")

    assert ended.returncode == 0, ended.stderr
    for words in ("M parameters", "MB in total", "billion multiply-adds", "Signatures:",
                  "2 steps, 4 steps per epoch", "Nothing was written"):
        assert words in ended.stdout + ended.stderr, words
    assert list(tmp_path.iterdir()) == [] and sorted(corpus.rglob("*")) == before

    answer = json.loads(train(tmp_path / "voice", corpus, "--dry-run", "--json").stdout)
    assert answer["steps_per_epoch"] == 4 and answer["memory_bytes"] > 20 * answer["parameters"]
    assert answer["multiply_adds_per_step"] > answer["parameters"] > 1000
    assert abs(sum(one["share_of_steps"] for one in answer["signatures"]) - 1.0) < 1e-9
    assert all(one["batch"] >= 1 and one["mel"] % 8 == 0 and one["memory_bytes"] > 0
               for one in answer["signatures"])
    assert 0.0 <= answer["padding"] < 1.0
    assert list(tmp_path.iterdir()) == []


def test_bf16_is_taken_only_where_it_is_faster(corpus, tmp_path):
    """With this limit oneDNN emulates it, whatever an x86 has."""
    if platform.machine() != "x86_64":
        pytest.skip("the limit is one of x86")
    emulated = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
    for precision, taken in (("auto", "fp32"), ("bf16", "bf16")):
        ended = train(tmp_path / "voice", corpus, "--dry-run", environment=emulated,
                      training__precision=precision)
        if "cannot multiply matrices in bf16" in ended.stderr:
            pytest.skip("this machine cannot even emulate it")
        assert ended.returncode == 0, ended.stderr
        assert f"Precision:             {taken}," in ended.stdout + ended.stderr, precision


def test_the_answer_for_machines_is_also_in_the_run_folder(corpus, tmp_path):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 5, "--json", training__val_step=2, data__num_workers=1)

    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    assert answer == json.loads((run / "summary.json").read_text())
    assert answer["steps"] == 5 and answer["skipped_steps"] == 0
    assert answer["final_loss"] == updates(run)[-1]["loss"]
    assert answer["validation_loss"] > 0 and answer["peak_rss_bytes"] > 1e6
    assert set(answer) >= {
        "retraces", "signatures", "padding", "step_s", "model_busy", "data_busy", "wait_share",
        "frames_per_s", "audio_s_per_s", "skipped_utterances", "mode", "limited_by"}
    lines = updates(run)
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


def test_names_every_utterance_that_it_skips_and_how_to_convert_it(tmp_path):
    corpus = write_tones(tmp_path / "corpus", 40)
    (corpus / "wavs" / "u005.wav").write_bytes(b"\0\0\0\x18ftypM4A \0\0\0\0M4A mp42isom" + bytes(400))
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 1)

    assert ended.returncode == 0, ended.stderr
    for text in (ended.stderr, (run / "log.txt").read_text()):
        line = next(line for line in text.splitlines() if "u005" in line)
        assert "not_audio" in line and "M4A" in line and "ffmpeg -i" in line, line


def test_stops_early_and_stays_stopped_until_told_otherwise(corpus, tmp_path):
    """Nothing counts as progress, so the second validation is one without, and the third."""
    run = tmp_path / "voice"
    settings = {"training__val_step": 2, "training__early_stopping_min_delta": 1e9}
    ended = train(run, corpus, "--max-steps", 20, training__early_stopping_patience=2, **settings)

    assert ended.returncode == 0, ended.stderr
    assert "no progress: stopping" in ended.stderr
    assert state_of(newest(run))["step"] == 6

    again = train(run, corpus, "--max-steps", 20, training__early_stopping_patience=2, **settings)
    assert again.returncode == 0 and state_of(newest(run))["step"] == 6

    goes_on = train(run, corpus, "--max-steps", 8, training__early_stopping_patience=0, **settings)
    assert goes_on.returncode == 0, goes_on.stderr
    assert state_of(newest(run))["step"] == 8


def test_the_best_save_is_kept_beside_the_last_ones(corpus, tmp_path):
    """Nothing counts as progress after the first validation, which is at step 1."""
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 9, "--keep", 2, training__val_step=1,
                  training__save_step=2, training__early_stopping_min_delta=1e9)

    assert ended.returncode == 0, ended.stderr
    assert saves(run) == ["step_00000001", "step_00000008", "step_00000009"]


def test_the_board_reads_what_a_run_and_its_second_start_left(corpus, tmp_path):
    run = tmp_path / "voice"
    settings = {"training__val_step": 3, "training__spectrogram_log_interval": 3,
                "training__spectrogram_log_num_examples": 1, "training__schedule_steps": 6,
                "training__enable_text2audio_eval": "true", "training__text2audio_interval_steps": 3}
    for steps in (3, 6):
        assert train(run, corpus, "--max-steps", steps, **settings).returncode == 0

    remarks = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = remarks.append
    tb_logging.get_logger().addHandler(handler)
    board = EventAccumulator(str(run), size_guidance={"scalars": 0, "images": 0, "audio": 0}).Reload()
    tb_logging.get_logger().removeHandler(handler)

    assert remarks == []
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


def test_logs_go_where_they_are_told_to(corpus, tmp_path):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 2, "--metrics", tmp_path / "numbers.jsonl",
                  "--tensorboard-log-dir", tmp_path / "board")

    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "numbers.jsonl").read_text().count("\n") == 2
    assert len(list((tmp_path / "board").iterdir())) == 1
    assert not (run / "metrics.jsonl").exists()


def test_a_small_learning_rate_needs_no_second_setting(corpus, tmp_path):
    ended = train(tmp_path / "voice", corpus, "--max-steps", 2, "--lr", "8e-5")

    assert ended.returncode == 0, ended.stderr


def test_a_corpus_that_is_not_there_is_a_mistake_of_the_command(tmp_path):
    ended = train(tmp_path / "voice", tmp_path / "absent", "--max-steps", 2)

    assert ended.returncode == 2
    assert not (tmp_path / "voice").exists()
