#include "corpus/for_each_utterance.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace myxtts::corpus {
namespace {

constexpr std::size_t kChunkSize = 256;

// A part of the corpus. Workers share it, because an abandoned worker may outlive the call.
struct Chunk {
  std::vector<Utterance> utterances;
  std::vector<text::TextStages> stages;
};

// Reports each utterance once and counts consecutive timeouts.
class ProgressTracker {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressTracker(const UtteranceVisit& visit) : visit_(visit) {}

  void begin_chunk(std::size_t count) { is_reported_.assign(count, false); }

  void finish(std::size_t i) {
    num_timeouts_ = 0;
    last_finish_ = Clock::now();
    report_once(i);
  }

  void time_out(std::size_t i, std::size_t index, const Utterance& utterance) {
    Problem problem = timeout_problem(utterance, visit_.timeout);
    ++num_timeouts_;
    require(num_timeouts_ < kMaxConsecutiveTimeouts || Clock::now() - last_finish_ < visit_.timeout,
            "{} consecutive recordings could not be read in time, the last one {}: {}; check the "
            "disk or network of the corpus, then run the same command again",
            num_timeouts_,
            problem.id,
            problem.detail);
    visit_.on_timeout(index, std::move(problem));
    report_once(i);
  }

 private:
  void report_once(std::size_t i) {
    if (!is_reported_[i] && visit_.on_done) visit_.on_done(1);
    is_reported_[i] = true;
  }

  const UtteranceVisit& visit_;
  std::vector<bool> is_reported_;  // per utterance of the chunk
  int num_timeouts_ = 0;           // since the last finished utterance
  Clock::time_point last_finish_ = Clock::now();
};

}  // namespace

void for_each_utterance(const Corpus& corpus,
                        text::FrontEnd& front_end,
                        int num_workers,
                        const UtteranceVisit& visit) {
  const std::size_t count = corpus.utterances.size();
  ProgressTracker tracker(visit);
  for (std::size_t begin = 0; begin < count; begin += kChunkSize) {
    const auto utterances =
        std::span(corpus.utterances).subspan(begin, std::min(kChunkSize, count - begin));
    const auto chunk = std::make_shared<Chunk>();
    chunk->utterances.assign(utterances.begin(), utterances.end());
    std::vector<std::string> texts;
    for (const Utterance& utterance : utterances)
      texts.push_back(utterance.text);
    chunk->stages = front_end.run_all(texts, num_workers);

    tracker.begin_chunk(utterances.size());
    // Completions run on this thread only, so they may hold references to local variables.
    const auto work =
        [chunk, begin, inner = visit.work, &tracker](std::size_t i) -> base::Completion {
      base::Completion completion = inner(begin + i, chunk->utterances[i], chunk->stages[i]);
      return [completion = std::move(completion), i, &tracker] {
        completion();
        tracker.finish(i);
      };
    };
    const auto on_timeout = [&](std::size_t i) {
      tracker.time_out(i, begin + i, corpus.utterances[begin + i]);
    };
    base::parallel_for_with_timeout(
        utterances.size(),
        num_workers,
        {.work = work, .on_timeout = on_timeout, .timeout = visit.timeout});
  }
}

}  // namespace myxtts::corpus
