// Rules about a slow loading stage while the model is starved of data. Each rule needs two
// conditions: the stage takes a large share of loading, and the corpus or the machine shows the
// cause. So a single slow worker (one_worker) is not attributed to its files.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "rules/loading_need.h"
#include "rules/rules.h"

namespace myxtts::rules {
namespace {

constexpr double kLargeStage = 0.35;       // of loading
constexpr double kManyEncoded = 0.2;       // of the files
constexpr double kManyResampled = 0.5;     // of the files
constexpr double kLeastReadWaits = 0.5;    // of the read time, waiting for the disk
constexpr std::int64_t kManyRestarts = 3;  // of the phonemiser process
// Isolating one text that crashes espeak-ng takes a few restarts, whatever the corpus size.
constexpr double kManyRestartsShare = 0.05;    // of the utterances
constexpr std::int64_t kOverlappingReads = 8;  // workers that hide a latency

Severity severity_of(const Record& record) {
  return is_badly_starved(record) ? Severity::kCritical : Severity::kWarning;
}

bool restarts_often(const Record& record) {
  const std::int64_t restarts = record.loading.text_restarts.value_or(0);
  const auto utterances = static_cast<double>(record.corpus.utterances.value_or(0));
  return restarts >= kManyRestarts &&
         static_cast<double>(restarts) >= kManyRestartsShare * utterances;
}

void find_slow_text(const Record& record, Findings& findings) {
  const std::int64_t restarts = record.loading.text_restarts.value_or(0);
  const double share = share_of_stage(record.loading, "text");
  const bool is_slow = share >= kLargeStage && is_starved(record);
  if (!restarts_often(record) && !is_slow) return;
  const std::string cause =
      restarts > 0 ? fmt::format("espeak-ng was restarted {}",
                                 restarts == 1 ? "once" : fmt::format("{} times", restarts))
                   : std::string("espeak-ng was never restarted");
  findings.push_back(
      {.id = "slow_text",
       .severity = restarts_often(record) ? Severity::kCritical : severity_of(record),
       .message = fmt::format(
           "the text front end is slow: {}{}",
           share > 0.0 ? fmt::format("it takes {} of loading, ", base::format_percent(share))
                       : std::string(),
           cause),
       .suggestion = restarts > 0 ? "myxtts corpus check" : "--no-use-phonemes"});
}

void find_huge_mp3s(const Record& record, Findings& findings) {
  const double share = share_of_stage(record.loading, "decode");
  const double encoded = record.corpus.encoded_share.value_or(0.0);
  if (share < kLargeStage || encoded < kManyEncoded || !is_starved(record)) return;
  findings.push_back(
      {.id = "huge_mp3s",
       .severity = severity_of(record),
       .message = fmt::format(
           "decoding takes {} of loading: {} of the files are MP3 or similar{}",
           base::format_percent(share),
           base::format_percent(encoded),
           record.corpus.encoded_mean_s
               ? fmt::format(", {} each", base::format_seconds(*record.corpus.encoded_mean_s))
               : ""),
       .suggestion = mel_cache_flag(record)});
}

void find_resampling(const Record& record, Findings& findings) {
  const double share = share_of_stage(record.loading, "resample");
  const double resampled = record.corpus.resampled_share.value_or(0.0);
  if (share < kLargeStage || resampled < kManyResampled || !is_starved(record)) return;
  findings.push_back(
      {.id = "resampling_every_file",
       .severity = severity_of(record),
       .message =
           fmt::format("resampling takes {} of loading: {} of the files have another sample rate{}",
                       base::format_percent(share),
                       base::format_percent(resampled),
                       record.corpus.resampled_from_hz
                           ? fmt::format(", mostly {} Hz", *record.corpus.resampled_from_hz)
                           : ""),
       .suggestion = mel_cache_flag(record)});
}

// A read waits for opening the file or for its bytes; the longer one is the cause.
void find_slow_disk(const Record& record, Findings& findings) {
  const std::vector<StageShare> stages = stage_shares(record.loading);
  const auto read = std::ranges::find(stages, "read", &StageShare::name);
  if (read == stages.end() || read->share < kLargeStage || read->waiting_share < kLeastReadWaits ||
      !is_starved(record)) {
    return;
  }
  const double open_s = record.machine.open_s.value_or(0.0);
  const double rate = record.machine.disk_bytes_per_s.value_or(0.0);
  const double bytes = record.corpus.mean_file_bytes.value_or(0.0);
  const double transfer_s = rate > 0.0 ? bytes / rate : 0.0;
  if (open_s > transfer_s) {
    findings.push_back(
        {.id = "file_latency",
         .severity = severity_of(record),
         .message = fmt::format("reading takes {} of loading: each file takes {} until its first "
                                "byte arrives",
                                base::format_percent(read->share),
                                base::format_seconds(open_s)),
         .suggestion =
             fmt::format("{} --num-workers {}", mel_cache_flag(record), kOverlappingReads)});
    return;
  }
  findings.push_back({.id = "slow_disk",
                      .severity = severity_of(record),
                      .message = fmt::format(
                          "reading takes {} of loading and waits {} of that: the disk delivers {}",
                          base::format_percent(read->share),
                          base::format_percent(read->waiting_share),
                          rate > 0.0 ? base::format_bytes(rate) + " per second"
                                     : std::string("too few bytes per second")),
                      .suggestion = "--cache ram"});
}

}  // namespace

std::string mel_cache_flag(const Record& record) {
  return record.settings.cache == "disk" ? "--cache auto" : "--cache disk";
}

void stage_findings(const Record& record, Findings& findings) {
  find_slow_text(record, findings);
  find_huge_mp3s(record, findings);
  find_resampling(record, findings);
  find_slow_disk(record, findings);
}

}  // namespace myxtts::rules
