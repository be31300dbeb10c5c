#include "corpus/check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "corpus/reasons.h"

namespace myxtts::corpus {
namespace {

constexpr double kQuietDbfs = -60.0;
constexpr double kMaxClippedShare = 0.001;

// The speech rate of a corpus, in log symbols per second: median and robust standard deviation
// (from the median absolute deviation), which outliers do not shift.
struct SpeechRate {
  double median = 0.0;
  double std = 0.0;
  bool known = false;

  // An outlier differs by more than 5 standard deviations and by more than a factor of 1.6, because
  // the standard deviation of a very even corpus is tiny.
  bool is_outlier(double log_rate) const {
    const double limit = std::max(5.0 * std, std::log(1.6));
    return known && std::abs(log_rate - median) > limit;
  }
};

double log_rate_of(const Measurement& measured) {
  return std::log(static_cast<double>(std::max<std::int64_t>(1, measured.text_length)) /
                  std::max(1e-3, measured.speech_s));
}

// Returns the lower median. `values` must not be empty.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

SpeechRate speech_rate_of(std::span<const Measurement> measured) {
  constexpr std::size_t kMinUtterances = 10;
  constexpr double kMadToStd = 1.4826;  // for a normal distribution
  std::vector<double> rates;
  for (const Measurement& one : measured) {
    if (!one.problem) rates.push_back(log_rate_of(one));
  }
  if (rates.size() < kMinUtterances) return {};
  const double median = median_of(rates);
  for (double& rate : rates)
    rate = std::abs(rate - median);
  return {.median = median, .std = kMadToStd * median_of(rates), .known = true};
}

// Adds the warnings of one usable utterance.
void add_warnings(const Utterance& utterance,
                  const Measurement& measured,
                  const SpeechRate& corpus_rate,
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
  if (corpus_rate.is_outlier(log_rate)) {
    warn("speech_rate",
         fmt::format("{:.1f} symbols per second, the median of the corpus is {:.1f}",
                     std::exp(log_rate),
                     std::exp(corpus_rate.median)));
  }
}

}  // namespace

CheckReport check_measured(const Corpus& corpus,
                           std::span<const Measurement> measured,
                           double long_silence_s) {
  invariant(measured.size() == corpus.utterances.size(), "every utterance is measured");
  CheckReport report;
  report.utterances = corpus.utterances.size() + corpus.problems.size();
  report.bad = corpus.problems;
  const SpeechRate corpus_rate = speech_rate_of(measured);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i].problem) {
      report.bad.push_back(*measured[i].problem);
    } else {
      add_warnings(corpus.utterances[i], measured[i], corpus_rate, long_silence_s, report.warnings);
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

}  // namespace myxtts::corpus
