"""TensorBoard as the judge of the event files that a training writes.

The files come from the unit tests' program, which stands beside the program itself.
"""

import logging
import os
import pathlib
import platform
import struct
import subprocess
import time
import warnings

import grpc
import pytest
import soundfile
import tensorboard_data_server
from tensorboard import context
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.data import grpc_provider
from tensorboard.data.proto import data_provider_pb2_grpc
from tensorboard.util import tb_logging

WRITER = pathlib.Path(os.environ["MYXTTS"]).with_name("train_test")
CONTEXT = context.RequestContext()
# The run was killed after step 20, its save was of step 10, and the second start reached step 30.
RESUMED = [(step, step) for step in range(1, 11)] + [(step, 1000 + step) for step in range(11, 31)]


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("events")
    made = subprocess.run([WRITER, "--gtest_filter=EventFile.WritesFilesForTensorBoard"], check=False,
                          env={**os.environ, "MYXTTS_EVENT_FILES": str(path)}, capture_output=True)
    assert made.returncode == 0, made.stdout
    return path


class Remarks(logging.Handler):
    """What TensorBoard has to say about the files while it reads them."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def read(folder):
    """The accumulator of a folder, and every warning on the way."""
    remarks = Remarks()
    logger = tb_logging.get_logger()
    logger.addHandler(remarks)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    finally:
        logger.removeHandler(remarks)
    return run, remarks.lines + [str(one.message) for one in caught]


def scalars(run, tag):
    return [(event.step, event.value) for event in run.Scalars(tag)]


def test_scalars_are_read_without_a_warning(folder):
    run, said = read(folder / "plain")

    assert said == []
    assert run.Tags()["scalars"] == ["loss/total", "lr"]
    assert scalars(run, "loss/total") == [(step, step) for step in range(1, 21)]
    assert scalars(run, "lr")[0][1] == pytest.approx(1e-3, rel=1e-6)


def test_times_are_those_of_the_writing(folder):
    run, _ = read(folder / "plain")
    times = [event.wall_time for event in run.Scalars("lr")]

    assert times == sorted(times)
    assert abs(times[0] - (folder / "plain").stat().st_mtime) < 60


def test_pictures_are_read(folder):
    run, _ = read(folder / "plain")
    (event,) = run.Images("alignment/0")

    assert event.step == 20
    assert event.encoded_image_string.startswith(b"\x89PNG")
    assert (event.width, event.height) == struct.unpack(">II", event.encoded_image_string[16:24])


def test_sounds_are_read(folder, tmp_path):
    run, _ = read(folder / "plain")
    (event,) = run.Audio("sample/0")
    (tmp_path / "sample.wav").write_bytes(event.encoded_audio_string)
    samples, rate = soundfile.read(tmp_path / "sample.wav")

    assert (event.step, event.sample_rate, event.length_frames) == (20, 22050, 2205)
    assert event.content_type == "audio/wav"
    assert (len(samples), rate) == (2205, 22050)


@pytest.fixture
def board(folder, tmp_path):
    """What the board's own server, which is not the Python reader, knows of all the folders."""
    if platform.machine() != "x86_64":
        pytest.skip("that server is made for x86_64 only")
    told = tmp_path / "port"
    words = [tensorboard_data_server.server_binary(), "--checksum", "--die-after-stdin",
             f"--logdir={folder}", "--port=0", f"--port-file={told}"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        wait_until(lambda: told.exists() and told.read_text().strip())
        with grpc.insecure_channel(f"localhost:{told.read_text().strip()}") as channel:
            stub = data_provider_pb2_grpc.TensorBoardDataProviderStub(channel)
            provider = grpc_provider.GrpcDataProvider("the server", stub)
            wait_until(lambda: len(provider.list_runs(CONTEXT, experiment_id="")) == 2)
            yield provider
        server.kill()
        assert "WARN" not in server.stderr.read()


def test_the_board_shows_each_tag_where_it_belongs(board):
    def tags(listing, plugin):
        found = listing(CONTEXT, experiment_id="", plugin_name=plugin)
        return sorted(found.get("plain", {}))

    wait_until(lambda: tags(board.list_blob_sequences, "audio"))

    assert tags(board.list_scalars, "scalars") == ["loss/total", "lr"]
    assert tags(board.list_blob_sequences, "images") == ["alignment/0"]
    assert tags(board.list_blob_sequences, "audio") == ["sample/0"]


def test_the_board_shows_each_step_of_a_resumed_run_once(board):
    def shown():
        read_all = board.read_scalars(CONTEXT, experiment_id="", plugin_name="scalars",
                                      downsample=1000)
        return [(one.step, one.value) for one in read_all.get("resumed", {}).get("loss/total", [])]

    wait_until(lambda: len(shown()) == 30)

    assert shown() == RESUMED


def test_after_a_resume_no_step_appears_twice_and_the_new_ones_count(folder):
    run, said = read(folder / "resumed")

    assert scalars(run, "loss/total") == RESUMED
    # The one remark is about the old steps that it drops, which is what was asked for.
    assert len(said) == 1 and "Purging" in said[0]


def test_a_torn_tail_is_harmless_wherever_it_is_torn(folder, tmp_path):
    (whole,) = (folder / "plain").iterdir()
    content = whole.read_bytes()
    starts = [0]
    while starts[-1] < len(content):
        starts.append(starts[-1] + 16 + struct.unpack_from("<Q", content, starts[-1])[0])
    third, fourth = starts[2], starts[3]  # version, loss and lr of step 1, then the torn record

    for size in range(third, fourth):
        (tmp_path / whole.name).write_bytes(content[:size])
        run, said = read(tmp_path)
        assert said == []
        assert scalars(run, "loss/total") == [(1, 1)]
