#!/usr/bin/env python3
"""A typical TensorFlow data loader: tf.data with eight parallel calls and TensorFlow operators only. Runs in
.venv-bench-tf; see loader_common.py.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # read when the library loads

import tensorflow as tf  # noqa: E402

import loader_common  # noqa: E402
from mel_spec import FLOOR, HOP, N_FFT, NUM_MELS  # noqa: E402

PARALLEL_CALLS = 8


def open_loader(paths, filters):
    weights = tf.constant(filters.T)  # [bins, channels]

    def load(path):
        samples, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
        ends = [[N_FFT // 2, N_FFT // 2]]
        samples = tf.pad(tf.squeeze(samples, -1), ends, mode="REFLECT")
        spectrum = tf.abs(tf.signal.stft(samples, N_FFT, HOP))  # with a periodic Hann window
        mel = tf.math.log(tf.maximum(tf.matmul(spectrum, weights), FLOOR))
        return mel, tf.shape(mel)[0]

    recordings = tf.data.Dataset.from_tensor_slices([str(path) for path in paths])
    mels = recordings.map(load, num_parallel_calls=PARALLEL_CALLS)
    return mels.padded_batch(loader_common.BATCH_SIZE, ([None, NUM_MELS], [])).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    loader_common.run(f"TensorFlow {tf.__version__}", open_loader)
