"""The mel spec of all peers, equal to the default of src/audio/mel_spec.h: reflection padding, periodic Hann
window, magnitudes, Slaney filters, natural logarithm with a floor.
"""

SAMPLE_RATE = 22050
N_FFT = 1024
HOP = 256
NUM_MELS = 80
HIGH_HZ = 8000.0
FLOOR = 1e-5


def mel_filters():
    """Returns the filters, [NUM_MELS, N_FFT / 2 + 1] float32."""
    import librosa  # not at the top: the TensorFlow environment has no librosa and reads the filters from a file

    return librosa.filters.mel(sr=SAMPLE_RATE, n_fft=N_FFT, n_mels=NUM_MELS, fmin=0.0, fmax=HIGH_HZ)
