#include <optional>

#include <fmt/format.h>

#include "audio/silences.h"
#include "rules/format.h"
#include "rules/rules.h"

namespace xtts::rules {
namespace {

constexpr double kManyBad = 0.01;      // of the utterances
constexpr double kTooManyBad = 0.04;   // above 5 % a training stops
constexpr double kMuchSilence = 0.15;  // of the seconds that a training hears

void find_bad_files(const Record& record, Findings& findings) {
  const double share = record.corpus.bad_share.value_or(0.0);
  if (share < kManyBad) return;
  findings.push_back(
      {.id = "bad_files",
       .severity = share >= kTooManyBad ? Severity::kCritical : Severity::kWarning,
       .message = fmt::format(
           "{} of the utterances cannot be used{}; above 5 % a training stops",
           percent(share),
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
       .message = fmt::format(
           "{} of what the model hears are silences of half a second and longer{}",
           percent(share),
           record.corpus.longest_silence_s
               ? fmt::format(", the longest of {}", seconds_text(*record.corpus.longest_silence_s))
               : ""),
       // Trimming cuts at both ends; what lies inside of a recording is for the ears of a person.
       .suggestion =
           is_trimmed ? fmt::format("myxtts corpus check --long-silence {}", audio::kLongSilenceS)
                      : std::string("--set data.trim_silence=true")});
}

}  // namespace

void corpus_findings(const Record& record, Findings& findings) {
  find_bad_files(record, findings);
  find_silences(record, findings);
}

}  // namespace xtts::rules
