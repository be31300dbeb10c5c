"""What the tests of `myxtts train` share: a corpus of tones, a small model, what a run leaves."""

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
WORDS = ["a low tone", "a high one", "la la la", "hum", "one more sound", "so it goes"]

# Dropout needs the generator and the average its own weights: a resumed run must have both.
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
    times = numpy.arange(int(rate * seconds)) / rate
    swell = 0.6 + 0.4 * numpy.cos(2 * numpy.pi * 4 * times)
    return 0.3 * swell * numpy.sin(2 * numpy.pi * pitch * times)


def tones(count, seconds, rate=RATE):
    """`count` of (samples, text). Lengths differ, so that order matters."""
    return [(tone(seconds + 0.03 * (i % 5), 150 + 20 * i, rate), WORDS[i % len(WORDS)])
            for i in range(count)]


def write_corpus(folder, sounds, rate=RATE, suffix="wav"):
    """A corpus of (samples, text) in LJSpeech's layout."""
    (folder / "wavs").mkdir(parents=True)
    lines = []
    for i, (samples, text) in enumerate(sounds):
        soundfile.write(folder / "wavs" / f"u{i:03}.{suffix}", samples, rate)
        lines.append(f"u{i:03}|{text}")
    (folder / "metadata.csv").write_text("\n".join(lines) + "\n")
    return folder


def write_tones(folder, count, seconds=0.4):
    """A corpus of `count` tones."""
    return write_corpus(folder, tones(count, seconds))


def command(run, corpus, *flags, verb="train", **settings):
    """The words of a training. `settings` are keys with "__" for the dot: training__save_step=2."""
    values = {**SETTINGS, "training.checkpoint_dir": run, "data.dataset_path": corpus,
              **{key.replace("__", "."): value for key, value in settings.items()}}
    sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
    return [PROGRAM, verb, *map(str, flags), *sets]


def train(run, corpus, *flags, environment=None, **settings):
    return subprocess.run(command(run, corpus, *flags, **settings), check=False, text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, timeout=300,
                          env={**os.environ, **(environment or {})})


def start(run, corpus, *flags, environment=None, **settings):
    """The same in the background; what it says goes to RUN.said. It does not outlive the tests."""
    with pathlib.Path(f"{run}.said").open("ab") as out:
        process = subprocess.Popen(command(run, corpus, *flags, **settings),
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   env={**os.environ, **(environment or {})})
    atexit.register(process.kill)
    return process


def slow_files(folder, suffix=".wav", **limits):
    """The environment in which such recordings are slow: tests/support/slow_files.cpp."""
    library = folder / "slow_files.so"
    if not library.exists():
        subprocess.run(["c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", library,
                        SOURCES / "tests/support/slow_files.cpp"], check=True)
    return {"LD_PRELOAD": str(library), "SLOW_FILES_SUFFIX": suffix,
            **{f"SLOW_FILES_{name.upper()}": str(value) for name, value in limits.items()}}


def block(ended):
    """The lines from the heading to the first of the run's own."""
    assert "=== Final Training Configuration ===" in ended.stderr + ended.stdout, ended.stderr
    said = (ended.stdout + ended.stderr).split("=== Final Training Configuration ===")[1]
    return said.split("[train]")[0].split("[pipeline]")[0].splitlines()


def said(run):
    return pathlib.Path(f"{run}.said").read_text()


def wait_until(condition, process):
    """Polls until it holds; a process that has ended will never make it hold."""
    while not condition():
        assert process.poll() is None, "the run ended before it happened"
        time.sleep(0.0005)


def wait_for_step(run, step, process):
    """Until metrics.jsonl has that update. With log_step 1 a line is written as its update ends."""
    file = run / "metrics.jsonl"
    wait_until(lambda: file.exists() and f'{{"step":{step},' in file.read_text(), process)


def stop(process, number=signal.SIGTERM):
    process.send_signal(number)
    return process.wait(timeout=60)


def saves(run):
    """Names of the saves, oldest first."""
    return sorted(path.name for path in (run / "checkpoints").iterdir())


def newest(run):
    return run / "checkpoints" / [name for name in saves(run) if "." not in name][-1]


def state_of(save):
    return json.loads((save / "config.json").read_text())["state"]


def metrics(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def updates(run):
    return [line for line in metrics(run) if "loss" in line]


# What no two runs have in common.
TIMES = ("step_s", "copy_s", "wait_s", "host_s", "buffer_depth", "data_busy_s", "data_waiting_s",
         "data_blocked_s")


def facts(run):
    """What must be the same to the bit in two runs that did the same, however often they stopped."""
    save = newest(run)
    config = json.loads((save / "config.json").read_text())
    config.pop("config")  # names the run folder and the number of workers
    config["state"].pop("trained_s")
    return {
        "save": save.name,
        "model": (save / "model.safetensors").read_bytes(),
        "trainer": (save / "trainer.safetensors").read_bytes(),
        "config": config,
        "metrics": [{key: value for key, value in line.items() if key not in TIMES}
                    for line in metrics(run)],
    }


def differences(left, right):
    """Names of the facts that differ: bytes would fill the screen."""
    return [name for name in left if left[name] != right[name]]
