// The Slaney mel scale and the channel edges, used by validation and by the filterbank.
#pragma once

#include <optional>
#include <vector>

#include "config/model_config.h"

namespace myxtts::config {

// Converts between Hz and mel: linear below 1 kHz, logarithmic above.
double hz_to_mel(double hz);
double mel_to_hz(double mel);

// Returns n_mels + 2 frequencies in Hz, evenly spaced in mel from mel_fmin to mel_fmax: channel i
// rises from edge i to edge i + 1 and falls to edge i + 2. Requires n_mels >= 1.
std::vector<double> mel_edges_hz(double mel_fmin, double mel_fmax, int n_mels);

// Returns the lowest mel channel that covers no FFT bin. Empty if all channels cover one, or if the
// settings are invalid.
std::optional<int> first_empty_mel_channel(const ModelConfig& model);

}  // namespace myxtts::config
