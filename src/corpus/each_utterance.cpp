#include "corpus/each_utterance.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"

namespace xtts::corpus {
namespace {

constexpr std::size_t kUtterancesPerTurn = 256;

}  // namespace

void for_each_utterance(const Corpus& corpus,
                        text::FrontEnd& front_end,
                        int num_workers,
                        const UtteranceWork& work,
                        const std::function<void(std::size_t)>& on_done) {
  const std::size_t count = corpus.utterances.size();
  std::mutex done_mutex;
  for (std::size_t begin = 0; begin < count; begin += kUtterancesPerTurn) {
    const auto turn =
        std::span(corpus.utterances).subspan(begin, std::min(kUtterancesPerTurn, count - begin));
    std::vector<std::string> texts;
    for (const Utterance& utterance : turn)
      texts.push_back(utterance.text);
    const std::vector<text::TextStages> stages = front_end.run_all(texts, num_workers);

    base::parallel_for(turn.size(), num_workers, [&](std::size_t i) {
      work(begin + i, stages[i]);
      const std::scoped_lock lock(done_mutex);
      if (on_done) on_done(1);
    });
  }
}

}  // namespace xtts::corpus
