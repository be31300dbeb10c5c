#!/usr/bin/env python3
"""A loader the way one writes it for TensorFlow: tf.data with eight parallel calls, all of it in
TensorFlow's own operators. Runs in .venv-bench-tf; see loader_side.py.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # read when the library loads

import tensorflow as tf  # noqa: E402

import loader_side  # noqa: E402
from mel_spec import FLOOR, HOP, N_FFT, NUM_MELS  # noqa: E402

PARALLEL_CALLS = 8


def open_loader(paths, filters):
    weights = tf.constant(filters.T)  # [bins, channels]

    def load(path):
        sound, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
        ends = [[N_FFT // 2, N_FFT // 2]]
        sound = tf.pad(tf.squeeze(sound, -1), ends, mode="REFLECT")
        spectrum = tf.abs(tf.signal.stft(sound, N_FFT, HOP))  # its Hann window is periodic
        mel = tf.math.log(tf.maximum(tf.matmul(spectrum, weights), FLOOR))
        return mel, tf.shape(mel)[0]

    sounds = tf.data.Dataset.from_tensor_slices([str(path) for path in paths])
    mels = sounds.map(load, num_parallel_calls=PARALLEL_CALLS)
    return mels.padded_batch(loader_side.BATCH_SIZE, ([None, NUM_MELS], [])).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    loader_side.run(f"TensorFlow {tf.__version__}", open_loader)
