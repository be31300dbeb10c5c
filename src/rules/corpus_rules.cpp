#include <optional>

#include <fmt/format.h>

#include "audio/silences.h"
#include "base/format.h"
#include "rules/rules.h"

namespace myxtts::rules {
namespace {

constexpr double kManyBad = 0.01;      // of the utterances
constexpr double kTooManyBad = 0.04;   // training stops above 5 %
constexpr double kMuchSilence = 0.15;  // of the audio after trimming

void find_bad_files(const Record& record, Findings& findings) {
  const double share = record.corpus.bad_share.value_or(0.0);
  if (share < kManyBad) return;
  findings.push_back(
      {.id = "bad_files",
       .severity = share >= kTooManyBad ? Severity::kCritical : Severity::kWarning,
       .message = fmt::format(
           "{} of the utterances cannot be used{}; training stops above 5 %",
           base::format_percent(share),
           record.corpus.bad_reason ? fmt::format(" (mostly: {})", *record.corpus.bad_reason) : ""),
       .suggestion = "myxtts corpus check"});
}

void find_silences(const Record& record, Findings& findings) {
  const double share = record.corpus.silence_share.value_or(0.0);
  if (share < kMuchSilence) return;
  const bool is_trimmed = record.settings.trim_silence.value_or(true);
  findings.push_back(
      {.id = "long_silences",
       .severity = Severity::kWarning,
       .message =
           fmt::format("{} of the training audio is silence of 0.5 s and longer{}",
                       base::format_percent(share),
                       record.corpus.longest_silence_s
                           ? fmt::format(", the longest {}",
                                         base::format_seconds(*record.corpus.longest_silence_s))
                           : ""),
       // Trimming cuts only the ends; silences inside a recording need manual review.
       .suggestion =
           is_trimmed ? fmt::format("myxtts corpus check --long-silence {}", audio::kLongSilenceS)
                      : std::string("--set data.trim_silence=true")});
}

}  // namespace

void corpus_findings(const Record& record, Findings& findings) {
  find_bad_files(record, findings);
  find_silences(record, findings);
}

}  // namespace myxtts::rules
