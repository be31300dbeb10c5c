"""Tests of `train --evaluate-every`: speech of the EMA weights is judged, and the training is not affected."""

import json
import shlex
import signal
import sys

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from training import (TIMING_FIELDS, checkpoint_names, checkpoint_state, differences, metrics, newest_checkpoint,
                      reproducible_state, start, step_records, terminate, train, wait_until, write_tones)

# A judge that takes its WER from a list and records its calls. "hang" sleeps until the training is terminated;
# "fail" exits with an error.
JUDGE = """
import json, pathlib, sys, time
text, wavs = (pathlib.Path(sys.argv[sys.argv.index(flag) + 1]) for flag in ("--text", "--wavs"))
folder = pathlib.Path({folder!r})
results = json.loads((folder / "results").read_text())
calls = folder / "calls"
number = len(calls.read_text().splitlines()) if calls.exists() else 0
with calls.open("a") as file:
    names = sorted(path.name for path in wavs.iterdir())
    file.write(json.dumps([text.read_text(), names]) + chr(10))
result = results[number]
if result == "hang":
    time.sleep(300)
if result == "fail":
    sys.exit("injected failure")
time.sleep({delay})
print(json.dumps({{"word_error_rate": result, "words": 4}}))
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 16)
    write_tones(folder / "val", 4)
    return folder


@pytest.fixture
def judge(tmp_path):
    """Writes a judge with these results and returns the settings of a training that calls it every 2 steps."""

    def write(*results, delay=0.0):
        (tmp_path / "results").write_text(json.dumps(results))
        (tmp_path / "judge.py").write_text(JUDGE.format(folder=str(tmp_path), delay=delay))
        (tmp_path / "lines.txt").write_text("la la\n\na low tone\n")
        return {"training__evaluate_every": 2, "training__evaluate_text": tmp_path / "lines.txt",
                "training__evaluate_judge": shlex.join([sys.executable, str(tmp_path / "judge.py")])}

    return write


def judgements(run):
    """Returns the WER of every judged step."""
    return {line["step"]: line["judged"]["word_error_rate"] for line in metrics(run) if "judged" in line}


def judge_calls(tmp_path):
    """Returns the text and the names of the files of every call of the judge."""
    return [json.loads(line) for line in (tmp_path / "calls").read_text().splitlines()]


def test_evaluation_does_not_change_the_training(corpus, tmp_path, judge):
    """Losses, weights, optimiser state and random generator are bit-identical with and without evaluation.

    Dropout would reveal a random generator that was advanced, and the EMA weights a model that was not restored.
    """
    plain, evaluated = tmp_path / "plain", tmp_path / "evaluated"
    assert train(plain, corpus, "--max-steps", 7, training__val_step=3).returncode == 0

    ended = train(evaluated, corpus, "--max-steps", 7, training__val_step=3, **judge(0.5, 0.4, 0.3, 0.2))

    assert ended.returncode == 0, ended.stderr
    records = [[{key: value for key, value in line.items() if key not in TIMING_FIELDS}
                for line in step_records(run)] for run in (plain, evaluated)]
    assert records[0] == records[1] and len(records[0]) == 7
    for file in ("model.safetensors", "trainer.safetensors"):
        assert (newest_checkpoint(plain) / file).read_bytes() == (newest_checkpoint(evaluated) / file).read_bytes()
    assert list(judgements(evaluated)) == [2, 4, 6, 7]  # also the last step


def test_scores_are_logged_and_the_best_checkpoint_is_kept(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 8, "--keep", 2, "--json", training__save_step=1,
                  **judge(0.5, 0.125, 0.25, 0.375))

    assert ended.returncode == 0, ended.stderr
    assert checkpoint_names(run) == ["step_00000004", "step_00000007", "step_00000008"]
    assert judgements(run) == {2: 0.5, 4: 0.125, 6: 0.25, 8: 0.375}
    summary = json.loads(ended.stdout)
    assert summary == json.loads((run / "summary.json").read_text())
    assert summary["judged"] == {"step": 8, "score": {"word_error_rate": 0.375, "words": 4}}
    assert summary["judged_best"] == {"step": 4, "score": {"word_error_rate": 0.125, "words": 4}}
    board = EventAccumulator(str(run)).Reload()
    assert [(event.step, event.value) for event in board.Scalars("judge/word_error_rate")] == [
        (2, 0.5), (4, 0.125), (6, 0.25), (8, 0.375)]
    log = (run / "log.txt").read_text()
    assert "judged at step 4: WER 12.5 %, words 4, the best so far" in log
    assert "judged at step 6: WER 25.0 %, words 4 (" in log
    assert f"--checkpoint {run}/checkpoints/step_00000004" in ended.stderr
    assert judge_calls(tmp_path) == [["la la\na low tone\n", ["0001.wav", "0002.wav", "sentences.txt"]]] * 4


def test_checkpoint_is_written_for_a_new_best_score(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 6, training__save_step=100, training__val_step=100,
                  **judge(0.5, 0.25, 0.75))

    assert ended.returncode == 0, ended.stderr
    assert checkpoint_names(run) == ["step_00000002", "step_00000004", "step_00000006"]


def test_every_failure_of_the_judge_is_logged_and_training_continues(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 6, **judge("fail", 0.25, "fail"))

    assert ended.returncode == 0, ended.stderr
    log = (run / "log.txt").read_text()
    assert log.count("injected failure") == 2
    for step in (2, 6):
        assert f"not judged at step {step}: the judge failed (exit code 1): injected failure" in log
    assert judgements(run) == {4: 0.25}
    assert len(step_records(run)) == 6
    assert json.loads((run / "summary.json").read_text())["judged"]["step"] == 4


def test_evaluation_time_is_not_training_time(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 4, **judge(0.5, 0.5, delay=1.5))

    assert ended.returncode == 0, ended.stderr
    steps_s = sum(line["step_s"] for line in step_records(run))
    assert checkpoint_state(newest_checkpoint(run))["trained_s"] == pytest.approx(steps_s)
    assert json.loads((run / "summary.json").read_text())["seconds"] > steps_s + 3
    assert step_records(run)[2]["host_s"] > 1.5  # counted as host time before the third step


def test_interrupted_evaluation_is_repeated_after_the_resume(corpus, tmp_path, judge):
    uninterrupted, run = tmp_path / "uninterrupted", tmp_path / "voice"
    assert train(uninterrupted, corpus, "--max-steps", 6, **judge(0.5, 0.25, 0.75)).returncode == 0
    (tmp_path / "calls").unlink()
    settings = judge(0.5, "hang", 0.25, 0.75)

    process = start(run, corpus, "--max-steps", 6, **settings)
    wait_until(lambda: (tmp_path / "calls").exists() and len(judge_calls(tmp_path)) == 2, process)
    assert terminate(process, signal.SIGTERM) == 128 + signal.SIGTERM
    assert judgements(run) == {2: 0.5} and newest_checkpoint(run).name == "step_00000004"
    ended = train(run, corpus, "--max-steps", 6, **settings)

    assert ended.returncode == 0, ended.stderr
    assert judgements(run) == {2: 0.5, 4: 0.25, 6: 0.75}
    assert differences(reproducible_state(uninterrupted), reproducible_state(run)) == []


def test_missing_text_or_judge_is_a_usage_error(corpus, tmp_path, judge):
    settings = judge(0.5)
    for key, message in (("training__evaluate_text", "needs training.evaluate_text"),
                         ("training__evaluate_judge", "needs training.evaluate_judge")):
        without = {name: value for name, value in settings.items() if name != key}
        ended = train(tmp_path / "voice", corpus, "--max-steps", 2, **without)
        assert ended.returncode == 2 and message in ended.stderr

    absent = train(tmp_path / "voice", corpus, "--max-steps", 2,
                   **{**settings, "training__evaluate_text": tmp_path / "line.txt"})
    assert absent.returncode == 2
    assert "did you mean 'lines.txt'?" in absent.stderr


def test_judge_without_an_interval_gives_a_warning(corpus, tmp_path, judge):
    ended = train(tmp_path / "voice", corpus, "--max-steps", 2, **{**judge(), "training__evaluate_every": 0})

    assert ended.returncode == 0, ended.stderr
    assert "warning: no evaluation: training.evaluate_every is 0" in ended.stderr
    assert not (tmp_path / "calls").exists()
