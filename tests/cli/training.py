"""Helpers for tests of `myxtts train`: corpora of tones, settings of a small model, readers of run folders."""

import atexit
import json
import os
import pathlib
import signal
import subprocess
import time

import numpy
import soundfile

SOURCES = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(os.environ["MYXTTS"])
SCALE = int(os.environ.get("MYXTTS_TEST_SCALE", "1"))
RATE = 22050
TEXTS = ["a low tone", "a high one", "la la la", "hum", "one more sound", "so it goes"]

# With dropout the losses depend on the random generator. A resumed run must restore its state and the EMA weights.
SETTINGS = {
    "model.text_encoder_dim": 16, "model.text_encoder_conv_layers": 1,
    "model.text_encoder_layers": 1, "model.text_encoder_heads": 2, "model.text_encoder_ffn_dim": 16,
    "model.audio_encoder_dim": 16, "model.audio_encoder_layers": 1,
    "model.speaker_embedding_dim": 16, "model.decoder_dim": 16, "model.decoder_layers": 1,
    "model.decoder_ffn_dim": 16, "model.dropout_rate": 0.1, "model.use_energy_predictor": "true",
    "model.decoder": "flow", "model.vocoder_initial_channel": 16, "model.vocoder_layers": 1,
    "model.vocoder_ffn_dim": 16,
    "data.batch_size": 4, "data.use_phonemes": "false", "data.reference_audio_length": 0.5,
    "data.num_workers": 0, "training.threads": 1, "training.precision": "fp32",
    "training.gradient_accumulation_steps": 2, "training.log_step": 1, "training.warmup_steps": 2,
    "training.enable_text2audio_eval": "false", "training.spectrogram_log_interval": 0,
}


def tone(seconds, pitch, rate=RATE):
    """Returns the samples of a tone whose amplitude varies four times per second."""
    times = numpy.arange(int(rate * seconds)) / rate
    swell = 0.6 + 0.4 * numpy.cos(2 * numpy.pi * 4 * times)
    return 0.3 * swell * numpy.sin(2 * numpy.pi * pitch * times)


def tones(count, seconds, rate=RATE):
    """Returns `count` pairs (samples, text). Durations differ, so that the batch order affects losses."""
    return [(tone(seconds + 0.03 * (i % 5), 150 + 20 * i, rate), TEXTS[i % len(TEXTS)])
            for i in range(count)]


def write_corpus(folder, utterances, rate=RATE, suffix="wav"):
    """Writes a corpus in the LJSpeech layout from pairs (samples, text) and returns its folder."""
    (folder / "wavs").mkdir(parents=True)
    lines = []
    for i, (samples, text) in enumerate(utterances):
        soundfile.write(folder / "wavs" / f"u{i:03}.{suffix}", samples, rate)
        lines.append(f"u{i:03}|{text}")
    (folder / "metadata.csv").write_text("\n".join(lines) + "\n")
    return folder


def write_tones(folder, count, seconds=0.4):
    """Writes a corpus of `count` tones and returns its folder."""
    return write_corpus(folder, tones(count, seconds))


def command(run, corpus, *flags, subcommand="train", **settings):
    """Returns the command line of a training. A setting has "__" for the dot: training__save_step=2."""
    values = {**SETTINGS, "training.checkpoint_dir": run, "data.dataset_path": corpus,
              **{key.replace("__", "."): value for key, value in settings.items()}}
    sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    return [PROGRAM, subcommand, *map(str, flags), *sets]


def train(run, corpus, *flags, environment=None, **settings):
    """Runs a training to its end and returns the CompletedProcess."""
    return subprocess.run(command(run, corpus, *flags, **settings), check=False, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=300,
                          env={**os.environ, **(environment or {})})


def start(run, corpus, *flags, environment=None, **settings):
    """Starts a training in the background and returns its process. Its output is appended to RUN.log.

    The process is killed when the tests end.
    """
    with pathlib.Path(f"{run}.log").open("ab") as out:
        process = subprocess.Popen(command(run, corpus, *flags, **settings),
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   env={**os.environ, **(environment or {})})
    atexit.register(process.kill)
    return process


def slow_files(folder, suffix=".wav", **limits):
    """Returns environment variables that delay access to files with this suffix (tests/support/slow_files.cpp).

    Compiles the library into `folder` on the first call.
    """
    library = folder / "slow_files.so"
    if not library.exists():
        subprocess.run(["c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", library,
                        SOURCES / "tests/support/slow_files.cpp"], check=True)
    return {"LD_PRELOAD": str(library), "SLOW_FILES_SUFFIX": suffix,
            **{f"SLOW_FILES_{name.upper()}": str(value) for name, value in limits.items()}}


def configuration_block(ended):
    """Returns the lines between the heading of the configuration and the first log line of the run."""
    assert "=== Final Training Configuration ===" in ended.stderr + ended.stdout, ended.stderr
    block = (ended.stdout + ended.stderr).split("=== Final Training Configuration ===")[1]
    return block.split("[train]")[0].split("[pipeline]")[0].splitlines()


def log_text(run):
    """Returns the output of the trainings of a run that start() began."""
    return pathlib.Path(f"{run}.log").read_text()


def wait_until(condition, process):
    """Polls until the condition holds. Fails if the process ends first."""
    while not condition():
        assert process.poll() is None, "the training ended before the condition held"
        time.sleep(0.0005)


def wait_for_step(run, step, process):
    """Waits until metrics.jsonl has that step. With log_step 1 its line is written when the step ends."""
    file = run / "metrics.jsonl"
    wait_until(lambda: file.exists() and f'{{"step":{step},' in file.read_text(), process)


def terminate(process, number=signal.SIGTERM):
    """Sends a signal to the process and returns its exit code."""
    process.send_signal(number)
    return process.wait(timeout=60)


def checkpoint_names(run):
    """Returns the names in the folder of checkpoints, oldest checkpoint first."""
    return sorted(path.name for path in (run / "checkpoints").iterdir())


def newest_checkpoint(run):
    """Returns the folder of the newest complete checkpoint."""
    return run / "checkpoints" / [name for name in checkpoint_names(run) if "." not in name][-1]


def checkpoint_state(checkpoint):
    """Returns the training state in a checkpoint."""
    return json.loads((checkpoint / "config.json").read_text())["state"]


def metrics(run):
    """Returns the lines of metrics.jsonl: steps, validations and judgements."""
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def step_records(run):
    """Returns the lines of metrics.jsonl that describe steps."""
    return [line for line in metrics(run) if "loss" in line]


# Fields of metrics.jsonl that differ between any two runs.
TIMING_FIELDS = ("step_s", "copy_s", "wait_s", "host_s", "buffer_depth", "data_busy_s", "data_waiting_s",
                 "data_blocked_s")


def reproducible_state(run):
    """Returns everything that is bit-identical in runs of the same steps, whether interrupted or not."""
    checkpoint = newest_checkpoint(run)
    config = json.loads((checkpoint / "config.json").read_text())
    config.pop("config")  # contains the run folder and the number of workers
    config["state"].pop("trained_s")
    return {
        "checkpoint": checkpoint.name,
        "model": (checkpoint / "model.safetensors").read_bytes(),
        "trainer": (checkpoint / "trainer.safetensors").read_bytes(),
        "config": config,
        "metrics": [{key: value for key, value in line.items() if key not in TIMING_FIELDS}
                    for line in metrics(run)],
    }


def differences(left, right):
    """Returns the names of the entries that differ. Their values would be too long for a failure message."""
    return [name for name in left if left[name] != right[name]]
