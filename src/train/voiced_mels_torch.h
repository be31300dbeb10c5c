#pragma once

#include "config/config.h"
#include "train/corpora.h"

namespace xtts::train {

// The corpora of a vocoder with the mels that it will hear: for every second utterance of a speaker
// not that of the recording but what the voice of data.mels_from says in its place. It has the
// durations that it finds there, so frame k is still that of sample k * hop. All are kept in
// memory; the mels of a voice are the same in every start. One whose text it cannot say keeps that
// of the recording, counted in the notes. Without data.mels_from the corpora are as they were.
// Shows progress on standard error. Throws UserError if the run has no good save of a voice, or one
// of another mel contract, or if a recording can no longer be read.
Corpora with_voiced_mels(Corpora corpora, const config::Config& config);

}  // namespace xtts::train
