#pragma once

#include "config/config.h"
#include "train/corpora.h"

namespace myxtts::train {

// Replaces the mel of every second utterance of each speaker by the ground-truth-aligned (GTA) mel
// of the voice in data.mels_from, for vocoder training. The durations come from the recording, so
// frame k still belongs to sample k * hop. GTA mels are deterministic and kept in memory. An
// utterance whose text the voice cannot encode, or that has become unreadable, keeps the recorded
// mel; the former are counted in the notes. Without data.mels_from the corpora are returned
// unchanged. Shows progress on standard error. Throws UserError if the run has no valid checkpoint
// of a voice or has another mel spec, UsageError if the mels exceed the memory budget.
Corpora with_gta_mels(Corpora corpora, const config::Config& config);

// Returns the memory of the GTA mels in bytes.
double gta_mel_bytes(const Corpora& corpora, const config::Config& config);

}  // namespace myxtts::train
