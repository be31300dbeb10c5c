#include "corpus/check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "corpus/reasons.h"

namespace xtts::corpus {
namespace {

constexpr double kQuietDbfs = -60.0;
constexpr double kMaxClippedShare = 0.001;

// The usual speech rate of a corpus, in symbols per second, as median and spread of its logarithm.
// Both are medians, so that the utterances it shall find do not shift it.
struct SpeechRate {
  double median = 0.0;
  double spread = 0.0;
  bool known = false;

  // Far is both 5 robust standard deviations and a factor of 1.6 away: a corpus that is read very
  // evenly has tiny deviations that mean nothing.
  bool is_far(double log_rate) const {
    const double far = std::max(5.0 * spread, std::log(1.6));
    return known && std::abs(log_rate - median) > far;
  }
};

double log_rate_of(const Measured& measured) {
  return std::log(static_cast<double>(std::max<std::int64_t>(1, measured.text_length)) /
                  std::max(1e-3, measured.speech_s));
}

// The lower median; `values` not empty.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

SpeechRate usual_rate(std::span<const Measured> measured) {
  constexpr std::size_t kFewestUtterances = 10;
  constexpr double kMadToDeviation = 1.4826;  // of a normal distribution
  std::vector<double> rates;
  for (const Measured& one : measured) {
    if (!one.problem) rates.push_back(log_rate_of(one));
  }
  if (rates.size() < kFewestUtterances) return {};
  const double median = median_of(rates);
  for (double& rate : rates)
    rate = std::abs(rate - median);
  return {.median = median, .spread = kMadToDeviation * median_of(rates), .known = true};
}

// Adds what is worth a look about one good utterance.
void add_warnings(const Utterance& utterance,
                  const Measured& measured,
                  const SpeechRate& usual,
                  double long_silence_s,
                  std::vector<Problem>& warnings) {
  const auto warn = [&](const char* reason, std::string detail) {
    warnings.push_back(
        make_problem(printable(utterance.id, 400), reason, std::move(detail), utterance.line));
  };
  if (!measured.dropped.empty()) {
    std::string characters;
    for (const std::string& character : measured.dropped)
      characters += (characters.empty() ? "" : " ") + printable(character);
    warn("dropped_characters", std::move(characters));
  }
  const double peak_dbfs = 20.0 * std::log10(std::max(1e-10, measured.peak));
  if (peak_dbfs < kQuietDbfs) warn("quiet", fmt::format("peak {:.0f} dBFS", peak_dbfs));
  if (measured.clipped_share > kMaxClippedShare) {
    warn("clipped", fmt::format("{:.2f} % of samples at full scale", 100 * measured.clipped_share));
  }
  if (measured.longest_silence_s >= long_silence_s) {
    warn("long_silence", fmt::format("{:.1f} s of silence", measured.longest_silence_s));
  }
  const double log_rate = log_rate_of(measured);
  if (usual.is_far(log_rate)) {
    warn("speech_rate",
         fmt::format("{:.1f} symbols per second, the corpus has {:.1f}",
                     std::exp(log_rate),
                     std::exp(usual.median)));
  }
}

}  // namespace

CheckReport check_measured(const Corpus& corpus,
                           std::span<const Measured> measured,
                           double long_silence_s) {
  invariant(measured.size() == corpus.utterances.size(), "every utterance has been measured");
  CheckReport report;
  report.utterances = corpus.utterances.size() + corpus.problems.size();
  report.bad = corpus.problems;
  const SpeechRate usual = usual_rate(measured);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i].problem) {
      report.bad.push_back(*measured[i].problem);
    } else {
      add_warnings(corpus.utterances[i], measured[i], usual, long_silence_s, report.warnings);
    }
  }
  if (report.utterances == 0) {
    const std::string file = printable(corpus.metadata_file.string(), 400);
    report.bad.push_back(make_problem(file, "no_utterances", "no utterance in " + file, 0));
  }
  std::ranges::stable_sort(report.bad, {}, &Problem::line);
  return report;
}

CheckReport check_corpus(const Corpus& corpus,
                         const config::Config& config,
                         int num_workers,
                         const std::function<void(std::size_t)>& on_done,
                         double long_silence_s) {
  return check_measured(
      corpus, measure_corpus(corpus, config, num_workers, on_done), long_silence_s);
}

}  // namespace xtts::corpus
