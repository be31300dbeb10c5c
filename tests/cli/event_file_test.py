"""TensorBoard reads the event files of a training without warnings.

The unit test program train_test, in the folder of `myxtts`, writes the files.
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
# The run was killed after step 20. It was resumed from the checkpoint of step 10 and ended after step 30.
RESUMED = [(step, step) for step in range(1, 11)] + [(step, 1000 + step) for step in range(11, 31)]


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "timeout: the condition did not hold within 60 s"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("events")
    result = subprocess.run([WRITER, "--gtest_filter=EventFile.WritesFilesForTensorBoard"], check=False,
                            env={**os.environ, "MYXTTS_EVENT_FILES": str(path)}, capture_output=True)
    assert result.returncode == 0, result.stdout
    return path


class WarningCollector(logging.Handler):
    """Collects the warnings that TensorBoard logs while it reads files."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def read(folder):
    """Returns the event accumulator of a folder and all warnings."""
    collector = WarningCollector()
    logger = tb_logging.get_logger()
    logger.addHandler(collector)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    finally:
        logger.removeHandler(collector)
    return run, collector.lines + [str(warning.message) for warning in caught]


def scalars(run, tag):
    return [(event.step, event.value) for event in run.Scalars(tag)]


def test_scalars_are_read_without_a_warning(folder):
    run, messages = read(folder / "plain")

    assert messages == []
    assert run.Tags()["scalars"] == ["loss/total", "lr"]
    assert scalars(run, "loss/total") == [(step, step) for step in range(1, 21)]
    assert scalars(run, "lr")[0][1] == pytest.approx(1e-3, rel=1e-6)


def test_wall_times_match_the_time_of_writing(folder):
    run, _ = read(folder / "plain")
    times = [event.wall_time for event in run.Scalars("lr")]

    assert times == sorted(times)
    assert abs(times[0] - (folder / "plain").stat().st_mtime) < 60


def test_images_are_read(folder):
    run, _ = read(folder / "plain")
    (event,) = run.Images("alignment/0")

    assert event.step == 20
    assert event.encoded_image_string.startswith(b"\x89PNG")
    assert (event.width, event.height) == struct.unpack(">II", event.encoded_image_string[16:24])


def test_audio_is_read(folder, tmp_path):
    run, _ = read(folder / "plain")
    (event,) = run.Audio("sample/0")
    (tmp_path / "sample.wav").write_bytes(event.encoded_audio_string)
    samples, rate = soundfile.read(tmp_path / "sample.wav")

    assert (event.step, event.sample_rate, event.length_frames) == (20, 22050, 2205)
    assert event.content_type == "audio/wav"
    assert (len(samples), rate) == (2205, 22050)


@pytest.fixture
def board(folder, tmp_path):
    """A data provider that reads all folders with the TensorBoard data server instead of the Python reader."""
    if platform.machine() != "x86_64":
        pytest.skip("the TensorBoard data server exists for x86_64 only")
    port_file = tmp_path / "port"
    command = [tensorboard_data_server.server_binary(), "--checksum", "--die-after-stdin",
               f"--logdir={folder}", "--port=0", f"--port-file={port_file}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        wait_until(lambda: port_file.exists() and port_file.read_text().strip())
        with grpc.insecure_channel(f"localhost:{port_file.read_text().strip()}") as channel:
            stub = data_provider_pb2_grpc.TensorBoardDataProviderStub(channel)
            provider = grpc_provider.GrpcDataProvider("the server", stub)
            wait_until(lambda: len(provider.list_runs(CONTEXT, experiment_id="")) == 2)
            yield provider
        server.kill()
        assert "WARN" not in server.stderr.read()


def test_data_server_lists_each_tag_under_its_plugin(board):
    def tags(listing, plugin):
        runs = listing(CONTEXT, experiment_id="", plugin_name=plugin)
        return sorted(runs.get("plain", {}))

    wait_until(lambda: tags(board.list_blob_sequences, "audio"))

    assert tags(board.list_scalars, "scalars") == ["loss/total", "lr"]
    assert tags(board.list_blob_sequences, "images") == ["alignment/0"]
    assert tags(board.list_blob_sequences, "audio") == ["sample/0"]


def test_data_server_shows_each_step_of_a_resumed_run_once(board):
    def shown_scalars():
        scalars_by_run = board.read_scalars(CONTEXT, experiment_id="", plugin_name="scalars",
                                            downsample=1000)
        return [(event.step, event.value)
                for event in scalars_by_run.get("resumed", {}).get("loss/total", [])]

    wait_until(lambda: len(shown_scalars()) == 30)

    assert shown_scalars() == RESUMED


def test_each_step_of_a_resumed_run_is_read_once_with_its_new_value(folder):
    run, messages = read(folder / "resumed")

    assert scalars(run, "loss/total") == RESUMED
    # TensorBoard logs one message, about the old steps that it drops as intended.
    assert len(messages) == 1 and "Purging" in messages[0]


def test_truncated_last_record_is_ignored_at_every_length(folder, tmp_path):
    (event_file,) = (folder / "plain").iterdir()
    content = event_file.read_bytes()
    starts = [0]
    while starts[-1] < len(content):
        starts.append(starts[-1] + 16 + struct.unpack_from("<Q", content, starts[-1])[0])
    third, fourth = starts[2], starts[3]  # version, loss and lr of step 1, then the truncated record

    for size in range(third, fourth):
        (tmp_path / event_file.name).write_bytes(content[:size])
        run, messages = read(tmp_path)
        assert messages == []
        assert scalars(run, "loss/total") == [(1, 1)]
