"""Tests of bench/peers/loader_peers.py: its pure functions, and its rounds with fake programs."""

import importlib
import json
import pathlib
import sys

import numpy
import pytest
import soundfile

PEERS = pathlib.Path(__file__).parents[2] / "bench/peers"
RATE = 22050


@pytest.fixture(name="peers", scope="module")
def fixture_peers():
    sys.path.insert(0, str(PEERS))
    yield importlib.import_module("loader_peers")
    sys.path.remove(str(PEERS))


def fake_program(path, output):
    """Writes a program that always prints the same JSON object."""
    path.write_text(f"#!/bin/sh\necho '{json.dumps(output)}'\n")
    path.chmod(0o755)
    return path


def peer(name, x_real_time=500.0, frames=7, mean=-5.0):
    return {"name": name, "x_real_time": x_real_time, "seconds": 1.0, "frames": frames,
            "mean_log_mel": mean}


def write_wav(path, rate, samples=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, numpy.zeros(rate) if samples is None else samples, rate, subtype="PCM_16")


def test_ratios_are_computed_per_round(peers):
    rounds = [{"ours": 10.0, "peer": 5.0}, {"ours": 90.0, "peer": 30.0}, {"ours": 8.0, "peer": 1.0}]

    ours, other = peers.alternate.compare(rounds, "ours")

    assert (ours["ours_speedup"], ours["smallest"], ours["largest"]) == (1.0, 1.0, 1.0)
    # The ratio of the medians, 10 and 5, would be 2.
    assert (other["ours_speedup"], other["smallest"], other["largest"]) == (3.0, 2.0, 8.0)
    assert other["x_real_time"] == 5.0


def test_only_results_in_real_time_are_read(peers, tmp_path):
    program = fake_program(tmp_path / "ours", {"machine": "m", "version": "v", "results": [
        {"name": "loader_files", "value": 9.0, "unit": "x real time"},
        {"name": "loader_second_to_first_epoch", "value": 2.0, "unit": "ratio"}]})

    assert peers.alternate.run_myxtts(program, "loader") == ("m", {"loader_files": 9.0})


def test_failure_of_a_side_exits_with_its_command(peers):
    with pytest.raises(SystemExit, match="exit 1: false"):
        peers.alternate.run_json(["false"])


@pytest.mark.parametrize("other", [peer("b", frames=8), peer("b", mean=-4.99),
                                   peer("b", mean=float("nan"))])
def test_peers_with_different_results_are_rejected(peers, other):
    for reports in ([peer("a"), other], [other, peer("a")]):
        with pytest.raises(SystemExit, match="do not do the same work"):
            peers.check_peers_agree(reports)


def test_rounding_differences_of_peers_are_accepted(peers):
    peers.check_peers_agree([peer("a"), peer("b", mean=-5.00005)])


def test_mean_excludes_padding(peers):
    mels = numpy.full((2, 3, 4), -2.0)
    mels[1, 1:] = 1000.0

    frames, mean = peers.loader_common.frames_and_mean([(mels, numpy.array([3, 1]))])

    assert (frames, mean) == (4, -2.0)


def test_readable_corpus_is_not_copied(peers, tmp_path):
    write_wav(tmp_path / "corpus/wavs/a.wav", RATE)

    assert peers.readable_corpus(tmp_path / "corpus", tmp_path / "copy") == tmp_path / "corpus"
    assert not (tmp_path / "copy").exists()


def test_other_corpus_is_copied_at_the_sample_rate_of_the_mel(peers, tmp_path):
    corpus = tmp_path / "corpus"
    write_wav(corpus / "wavs/a.wav", 16000)
    write_wav(corpus / "wavs/b.wav", RATE, numpy.zeros((RATE, 2)))
    (corpus / "metadata.csv").write_text("a|A.|A.\nb|B.|B.\n")

    copy = peers.readable_corpus(corpus, tmp_path / "copy")

    wavs = peers.loader_common.wavs_below(copy)
    assert [wav.name for wav in wavs] == ["a.wav", "b.wav"]
    assert all(map(peers.loader_common.is_readable, wavs))
    assert [soundfile.info(wav).frames for wav in wavs] == [RATE, RATE]
    assert (copy / "metadata.csv").read_text() == "a|A.|A.\nb|B.|B.\n"


def test_folder_without_recordings_is_an_error(peers, tmp_path):
    with pytest.raises(SystemExit, match="no .wav below"):
        peers.loader_common.wavs_below(tmp_path)


def test_missing_tensorflow_names_setup_and_flag(peers, tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "TF_PYTHON", tmp_path / "python")

    with pytest.raises(SystemExit, match="bench-tf-venv, or omit TensorFlow with --no-tensorflow"):
        peers.peer_commands("corpus", "filters.npy", with_tensorflow=True)

    (alone,) = peers.peer_commands("corpus", "filters.npy", with_tensorflow=False)
    assert alone[1].name == "torch_loader.py"


def test_report_has_the_speedup_over_every_peer(peers, tmp_path, monkeypatch):
    write_wav(tmp_path / "corpus/a.wav", RATE)
    ours = fake_program(tmp_path / "ours", {"machine": "m", "results": [
        {"name": "loader_files", "value": 5000.0, "unit": "x real time"}]})
    commands = [[fake_program(tmp_path / name, peer(name, speed))]
             for name, speed in (("tf", 500.0), ("torch", 1000.0))]
    monkeypatch.setattr(peers, "peer_commands", lambda *_: commands)
    monkeypatch.setattr(peers, "mel_filters", lambda: numpy.zeros((80, 513)))
    arguments = peers.argparse.Namespace(program=ours, train_data=str(tmp_path / "corpus"), rounds=2,
                                         tensorflow=True)

    report = peers.measure(arguments, tmp_path)

    speedups = {side["name"]: side["loader_files_speedup"] for side in report["results"]}
    assert speedups == {"loader_files": 1.0, "tf": 10.0, "torch": 5.0}
