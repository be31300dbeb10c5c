"""The mel that all peers make, as the program does (src/audio/mel_spec.h): reflected ends, a
periodic Hann window, magnitudes, the filters of slaney, the natural logarithm above a floor.
"""

SAMPLE_RATE = 22050
N_FFT = 1024
HOP = 256
NUM_MELS = 80
HIGH_HZ = 8000.0
FLOOR = 1e-5


def mel_filters():
    """[NUM_MELS, N_FFT / 2 + 1] float32"""
    import librosa  # only here: TensorFlow's environment has none, and gets the filters in a file

    return librosa.filters.mel(sr=SAMPLE_RATE, n_fft=N_FFT, n_mels=NUM_MELS, fmin=0.0, fmax=HIGH_HZ)
