#pragma once

#include <cstddef>
#include <functional>

#include "corpus/reader.h"
#include "text/front_end.h"

namespace xtts::corpus {

using UtteranceWork = std::function<void(std::size_t index, const text::TextStages& stages)>;

// Encodes the text of every utterance and calls `work` for it, on `num_workers` threads and in no
// promised order (0 or 1: inline, in order). Texts are encoded and work is done in turns, so that
// progress is seen from the start and memory does not grow with the corpus. `on_done(1)` follows
// each call of `work`, never from two threads at once. Rethrows what `work` throws.
void for_each_utterance(const Corpus& corpus,
                        text::FrontEnd& front_end,
                        int num_workers,
                        const UtteranceWork& work,
                        const std::function<void(std::size_t)>& on_done = {});

}  // namespace xtts::corpus
