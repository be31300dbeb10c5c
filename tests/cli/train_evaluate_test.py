"""`train --evaluate-every`: the averaged weights speak, a judge listens, and nothing else changes."""

import json
import shlex
import signal
import sys

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from training import (TIMES, differences, facts, metrics, newest, saves, start, state_of, stop, train,
                      updates, wait_until, write_tones)

# Answers with the next number of a list and notes what it was given. "stop" waits for a signal, once.
JUDGE = """
import json, pathlib, sys, time
text, wavs = (pathlib.Path(sys.argv[sys.argv.index(flag) + 1]) for flag in ("--text", "--wavs"))
here = pathlib.Path({here!r})
answers = json.loads((here / "answers").read_text())
asked = here / "asked"
number = len(asked.read_text().splitlines()) if asked.exists() else 0
with asked.open("a") as notes:
    names = sorted(path.name for path in wavs.iterdir())
    notes.write(json.dumps([text.read_text(), names]) + chr(10))
answer = answers[number]
if answer == "stop":
    time.sleep(300)
if answer == "fail":
    sys.exit("nothing to be heard")
time.sleep({delay})
print(json.dumps({{"word_error_rate": answer, "words": 4}}))
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tones")
    write_tones(folder / "train", 16)
    write_tones(folder / "val", 4)
    return folder


@pytest.fixture
def judge(tmp_path):
    """Writes the judge with its answers; gives the settings of a training that asks it every 2 steps."""

    def write(*answers, delay=0.0):
        (tmp_path / "answers").write_text(json.dumps(answers))
        (tmp_path / "judge.py").write_text(JUDGE.format(here=str(tmp_path), delay=delay))
        (tmp_path / "lines.txt").write_text("la la\n\na low tone\n")
        return {"training__evaluate_every": 2, "training__evaluate_text": tmp_path / "lines.txt",
                "training__evaluate_judge": shlex.join([sys.executable, str(tmp_path / "judge.py")])}

    return write


def judged(run):
    return {line["step"]: line["judged"]["word_error_rate"] for line in metrics(run) if "judged" in line}


def asked(tmp_path):
    return [json.loads(line) for line in (tmp_path / "asked").read_text().splitlines()]


def test_nothing_of_the_training_changes(corpus, tmp_path, judge):
    """Losses, weights, optimiser and generator are the same to the bit. Dropout would show a generator
    that was touched, and the average a set of weights that was not put back."""
    plain, evaluated = tmp_path / "plain", tmp_path / "evaluated"
    assert train(plain, corpus, "--max-steps", 7, training__val_step=3).returncode == 0

    ended = train(evaluated, corpus, "--max-steps", 7, training__val_step=3, **judge(0.5, 0.4, 0.3, 0.2))

    assert ended.returncode == 0, ended.stderr
    losses = [[{key: value for key, value in line.items() if key not in TIMES} for line in updates(run)]
              for run in (plain, evaluated)]
    assert losses[0] == losses[1] and len(losses[0]) == 7
    for file in ("model.safetensors", "trainer.safetensors"):
        assert (newest(plain) / file).read_bytes() == (newest(evaluated) / file).read_bytes()
    assert list(judged(evaluated)) == [2, 4, 6, 7]  # the last step as well


def test_the_score_is_everywhere_and_its_best_save_is_kept(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 8, "--keep", 2, "--json", training__save_step=1,
                  **judge(0.5, 0.125, 0.25, 0.375))

    assert ended.returncode == 0, ended.stderr
    assert saves(run) == ["step_00000004", "step_00000007", "step_00000008"]
    assert judged(run) == {2: 0.5, 4: 0.125, 6: 0.25, 8: 0.375}
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
    assert asked(tmp_path) == [["la la\na low tone\n", ["0001.wav", "0002.wav", "sentences.txt"]]] * 4


def test_the_best_is_saved_when_it_is_found(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 6, training__save_step=100, training__val_step=100,
                  **judge(0.5, 0.25, 0.75))

    assert ended.returncode == 0, ended.stderr
    assert saves(run) == ["step_00000002", "step_00000004", "step_00000006"]


def test_a_judge_that_fails_is_said_each_time_and_training_goes_on(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 6, **judge("fail", 0.25, "fail"))

    assert ended.returncode == 0, ended.stderr
    log = (run / "log.txt").read_text()
    assert log.count("nothing to be heard") == 2
    for step in (2, 6):
        assert f"not judged at step {step}: the judge failed (exit code 1): nothing to be heard" in log
    assert judged(run) == {4: 0.25}
    assert len(updates(run)) == 6
    assert json.loads((run / "summary.json").read_text())["judged"]["step"] == 4


def test_the_time_of_judging_is_no_time_in_steps(corpus, tmp_path, judge):
    run = tmp_path / "voice"
    ended = train(run, corpus, "--max-steps", 4, **judge(0.5, 0.5, delay=1.5))

    assert ended.returncode == 0, ended.stderr
    steps_s = sum(update["step_s"] for update in updates(run))
    assert state_of(newest(run))["trained_s"] == pytest.approx(steps_s)
    assert json.loads((run / "summary.json").read_text())["seconds"] > steps_s + 3
    assert updates(run)[2]["host_s"] > 1.5  # where it is counted: before the third update


def test_a_run_that_is_stopped_while_it_is_judged_is_judged_at_its_next_start(corpus, tmp_path, judge):
    unbroken, run = tmp_path / "unbroken", tmp_path / "voice"
    assert train(unbroken, corpus, "--max-steps", 6, **judge(0.5, 0.25, 0.75)).returncode == 0
    (tmp_path / "asked").unlink()
    settings = judge(0.5, "stop", 0.25, 0.75)

    process = start(run, corpus, "--max-steps", 6, **settings)
    wait_until(lambda: (tmp_path / "asked").exists() and len(asked(tmp_path)) == 2, process)
    assert stop(process, signal.SIGTERM) == 128 + signal.SIGTERM
    assert judged(run) == {2: 0.5} and newest(run).name == "step_00000004"
    ended = train(run, corpus, "--max-steps", 6, **settings)

    assert ended.returncode == 0, ended.stderr
    assert judged(run) == {2: 0.5, 4: 0.25, 6: 0.75}
    assert differences(facts(unbroken), facts(run)) == []


def test_what_is_missing_is_a_mistake_of_the_command(corpus, tmp_path, judge):
    settings = judge(0.5)
    for key, words in (("training__evaluate_text", "needs training.evaluate_text"),
                       ("training__evaluate_judge", "needs training.evaluate_judge")):
        without = {name: value for name, value in settings.items() if name != key}
        ended = train(tmp_path / "voice", corpus, "--max-steps", 2, **without)
        assert ended.returncode == 2 and words in ended.stderr

    absent = train(tmp_path / "voice", corpus, "--max-steps", 2,
                   **{**settings, "training__evaluate_text": tmp_path / "line.txt"})
    assert absent.returncode == 2
    assert "did you mean 'lines.txt'?" in absent.stderr


def test_a_judge_that_nobody_asks_is_warned_about(corpus, tmp_path, judge):
    ended = train(tmp_path / "voice", corpus, "--max-steps", 2, **{**judge(), "training__evaluate_every": 0})

    assert ended.returncode == 0, ended.stderr
    assert "warning: no evaluation: training.evaluate_every is 0" in ended.stderr
    assert not (tmp_path / "asked").exists()
