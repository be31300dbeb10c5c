#pragma once

#include "config/config.h"
#include "train/corpora.h"

namespace xtts::train {

// The corpora of a vocoder with the mels that it will hear: for every second utterance of a speaker
// not that of the recording but what the voice of data.mels_from says in its place. It has the
// durations that it finds there, so frame k is still that of sample k * hop. These are kept in
// memory, the others where they were; the mels of a voice are the same in every start. One whose
// text it cannot say, or that can no longer be read, keeps that of the recording; the former are
// counted in the notes. Without data.mels_from the corpora are as they were.
// Shows progress on standard error. Throws UserError if the run has no good save of a voice, or one
// of another mel contract, UsageError if its mels are more than the memory budget leaves.
Corpora with_gta_mels(Corpora corpora, const config::Config& config);

// The memory that those of the voice take, in bytes.
double gta_mel_bytes(const Corpora& corpora, const config::Config& config);

}  // namespace xtts::train
