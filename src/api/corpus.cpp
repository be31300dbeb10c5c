#include <mutex>
#include <utility>

// Implements include/myxtts/corpus.h.
#include <myxtts/corpus.h>

#include "base/terminal.h"
#include "config/resolve.h"
#include "corpus/check.h"
#include "corpus/locate.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "corpus/statistics.h"

namespace myxtts {
namespace {

std::vector<CorpusProblem> public_problems(const std::vector<corpus::Problem>& problems) {
  std::vector<CorpusProblem> result;
  for (const corpus::Problem& one : problems)
    result.push_back({one.id, one.reason, one.detail, one.suggestion, one.line});
  return result;
}

LengthSummary public_lengths(const corpus::LengthStats& lengths) {
  return {.min = lengths.min,
          .max = lengths.max,
          .mean = lengths.mean,
          .p50 = lengths.percentile_50,
          .p95 = lengths.percentile_95,
          .p99 = lengths.percentile_99};
}

}  // namespace

struct Corpus::Impl {
  config::Config config;
  corpus::Corpus corpus;
};

Corpus Corpus::open(const std::string& folder, const std::string& language) {
  const base::QuietTerminal quiet;
  config::Config config =
      config::resolve({.run_file = {},
                       .file = {},
                       .sets = {},
                       .flags = {{"data.dataset_path", folder}, {"data.language", language}}})
          .config;
  corpus::Corpus corpus =
      corpus::read_corpus(corpus::locate_corpus(folder, config.data), config.data);
  return Corpus(std::make_unique<Impl>(Impl{std::move(config), std::move(corpus)}));
}

Corpus::Corpus(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Corpus::Corpus(Corpus&& other) noexcept = default;
Corpus& Corpus::operator=(Corpus&& other) noexcept = default;
Corpus::~Corpus() = default;

std::size_t Corpus::size() const {
  return impl_->corpus.utterances.size();
}

CorpusReport Corpus::check(int num_workers,
                           const std::function<void(std::size_t done)>& on_progress) const {
  const base::QuietTerminal quiet;
  std::mutex mutex;
  std::size_t done = 0;
  const auto advance = [&](std::size_t count) {
    const std::scoped_lock lock(mutex);
    done += count;
    if (on_progress) on_progress(done);
  };
  const std::vector<corpus::Measurement> measured =
      corpus::measure_corpus(impl_->corpus, impl_->config, num_workers, advance);
  const corpus::CheckReport checked = corpus::check_measured(impl_->corpus, measured);
  const corpus::CorpusStats stats = corpus::make_stats(impl_->corpus, measured);

  CorpusReport report{.utterances = checked.utterances,
                      .usable = stats.utterances,
                      .hours = stats.hours,
                      .speakers = {},
                      .text_length = public_lengths(stats.text_length),
                      .mel_length = public_lengths(stats.mel_length),
                      .problems = public_problems(checked.bad),
                      .warnings = public_problems(checked.warnings)};
  for (const corpus::SpeakerShare& speaker : stats.speakers)
    report.speakers.push_back(speaker.name);
  if (!stats.recommendations.empty()) {
    report.max_text_length = stats.recommended().max_text_length;
    report.max_mel_frames = stats.recommended().max_mel_frames;
  }
  return report;
}

}  // namespace myxtts
