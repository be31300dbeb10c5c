// The mel scale and where its channels lie: what a configuration is judged by, and what the
// filterbank is built from.
#pragma once

#include <optional>
#include <vector>

#include "config/model_config.h"

namespace xtts::config {

// The Slaney scale: linear below 1 kHz, logarithmic above.
double hz_to_mel(double hz);
double mel_to_hz(double mel);

// n_mels + 2 frequencies in Hz, evenly spaced in mel from mel_fmin to mel_fmax: channel i rises
// from edge i to edge i + 1 and falls to edge i + 2. Needs n_mels >= 1.
std::vector<double> mel_edges_hz(double mel_fmin, double mel_fmax, int n_mels);

// The lowest channel between whose ends no bin of the Fourier transform lies: it would hear
// nothing. Absent: all channels hear something, or the numbers are none that make channels.
std::optional<int> first_deaf_channel(const ModelConfig& model);

}  // namespace xtts::config
