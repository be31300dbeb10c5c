#include "corpus/each_utterance.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace xtts::corpus {
namespace {

constexpr std::size_t kUtterancesPerTurn = 256;

// Some of a corpus. Shared with workers, of which some may outlive everything else.
struct Turn {
  std::vector<Utterance> utterances;
  std::vector<text::TextStages> stages;
};

// Counts who is done, and who is stuck while nobody is.
class Visitor {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Visitor(const UtteranceVisit& visit) : visit_(visit) {}

  void begin(std::size_t count) { is_done_.assign(count, false); }

  void done(std::size_t i) {
    num_stuck_ = 0;
    last_end_ = Clock::now();
    count_once(i);
  }

  void stuck(std::size_t i, std::size_t index, const Utterance& utterance) {
    Problem problem = stuck_problem(utterance, visit_.patience);
    ++num_stuck_;
    require(num_stuck_ < kMostStuckInARow || Clock::now() - last_end_ < visit_.patience,
            "{} recordings one after the other could not be read, the last one {}: {}; look "
            "whether the disk or network of the corpus answers, then run the same command again",
            num_stuck_,
            problem.id,
            problem.detail);
    visit_.on_stuck(index, std::move(problem));
    count_once(i);
  }

 private:
  void count_once(std::size_t i) {
    if (!is_done_[i] && visit_.on_done) visit_.on_done(1);
    is_done_[i] = true;
  }

  const UtteranceVisit& visit_;
  std::vector<bool> is_done_;  // of the turn
  int num_stuck_ = 0;          // since one ended
  Clock::time_point last_end_ = Clock::now();
};

}  // namespace

void for_each_utterance(const Corpus& corpus,
                        text::FrontEnd& front_end,
                        int num_workers,
                        const UtteranceVisit& visit) {
  const std::size_t count = corpus.utterances.size();
  Visitor visitor(visit);
  for (std::size_t begin = 0; begin < count; begin += kUtterancesPerTurn) {
    const auto some =
        std::span(corpus.utterances).subspan(begin, std::min(kUtterancesPerTurn, count - begin));
    const auto turn = std::make_shared<Turn>();
    turn->utterances.assign(some.begin(), some.end());
    std::vector<std::string> texts;
    for (const Utterance& utterance : some)
      texts.push_back(utterance.text);
    turn->stages = front_end.run_all(texts, num_workers);

    visitor.begin(some.size());
    // Deliveries are called here alone: a reference in them is good for as long.
    const auto work = [turn, begin, inner = visit.work, &visitor](std::size_t i) -> base::Delivery {
      base::Delivery delivery = inner(begin + i, turn->utterances[i], turn->stages[i]);
      return [delivery = std::move(delivery), i, &visitor] {
        delivery();
        visitor.done(i);
      };
    };
    const auto on_stuck = [&](std::size_t i) {
      visitor.stuck(i, begin + i, corpus.utterances[begin + i]);
    };
    base::parallel_for_with_timeout(
        some.size(), num_workers, {.work = work, .on_stuck = on_stuck, .patience = visit.patience});
  }
}

}  // namespace xtts::corpus
