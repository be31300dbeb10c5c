#include "cli/demo_output.h"

#include <cctype>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "cli/output_style.h"
#include "corpus/histogram_text.h"
#include "corpus/reasons.h"
#include "train/synthesis_section.h"

namespace myxtts::cli {
namespace {

// Returns a file:// URL with special characters escaped.
std::string file_url(const std::filesystem::path& path) {
  std::string url = "file://";
  for (const char letter : std::filesystem::absolute(path).lexically_normal().string()) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || letter == '/' || letter == '-' ||
                                       letter == '_' || letter == '.' || letter == '~');
    url += plain ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return url;
}

nlohmann::ordered_json word_errors_json(const train::WordErrors& errors) {
  return {{"word_error_rate", errors.rate()},
          {"words", errors.num_words},
          {"errors", errors.num_errors}};
}

nlohmann::ordered_json voice_json(const TrainedVoice& voice, const DemoPaths& paths) {
  nlohmann::ordered_json json = {{"run", corpus::printable(paths.run.string(), 4096)},
                                 {"sentences", voice.held_out.size()},
                                 {"training", train::to_json(voice.summary)},
                                 {"vocoder_training", train::to_json(voice.vocoder_summary)}};
  if (const auto scores = train::word_scores(sentences_of(voice.held_out))) {
    json["recorded"] = word_errors_json(scores->recorded);
    json["spoken"] = word_errors_json(scores->spoken);
  }
  return json;
}

void print_voice(const TrainedVoice& voice) {
  fmt::print("\nAcoustic model: {}, {:.0f} ms each",
             base::format_count(static_cast<std::size_t>(voice.summary.steps), "step"),
             1e3 * voice.summary.step_s.p50);
  if (voice.summary.validation_loss) {
    fmt::print(", validation loss {:.3f}", *voice.summary.validation_loss);
  }
  fmt::print("\nVocoder: {}, {:.0f} ms each\n",
             base::format_count(static_cast<std::size_t>(voice.vocoder_summary.steps), "step"),
             1e3 * voice.vocoder_summary.step_s.p50);
  const auto scores = train::word_scores(sentences_of(voice.held_out));
  if (!scores) return;
  fmt::print("WER: {:.1f} % ({} of {} words); recordings {:.1f} % ({} of {} words)\n",
             100.0 * scores->spoken.rate(),
             scores->spoken.num_errors,
             scores->spoken.num_words,
             100.0 * scores->recorded.rate(),
             scores->recorded.num_errors,
             scores->recorded.num_words);
}

void print_demo_lengths(const char* name,
                        const corpus::LengthStats& lengths,
                        const corpus::Histogram& histogram) {
  fmt::print("\n{}: min {}   mean {:.1f}   max {}   p50 {}   p95 {}   p99 {}\n",
             name,
             lengths.min,
             lengths.mean,
             lengths.max,
             lengths.percentile_50,
             lengths.percentile_95,
             lengths.percentile_99);
  fmt::print("{}", corpus::draw_histogram(histogram, terminal_chart_style()));
}

}  // namespace

std::size_t count_bad(const corpus::DemoReport& report) {
  std::size_t num_bad = 0;
  for (const corpus::SplitReport& part : report.checked)
    num_bad += part.report.bad.size();
  return num_bad;
}

void print_demo_json(const corpus::DemoReport& report,
                     const StatsOutput& stats_output,
                     const std::optional<TrainedVoice>& voice,
                     const DemoPaths& paths) {
  nlohmann::json json = {{"corpus", report.corpus_dir},
                         {"report", corpus::printable(paths.report.string(), 4096)},
                         {"bad", count_bad(report)},
                         {"examples", report.examples.size()},
                         {"stats", to_json(stats_output)},
                         {"next", report.next_commands}};
  if (voice) json["voice"] = voice_json(*voice, paths);
  fmt::print("{}\n", json.dump());
}

void print_demo_text(const corpus::DemoReport& report,
                     const std::optional<TrainedVoice>& voice,
                     const std::filesystem::path& report_file) {
  const corpus::CorpusStats& stats = report.stats;
  fmt::print("{} for training, {:.2f} h, {}, {} unusable\n",
             base::format_count(stats.utterances, "utterance"),
             stats.hours,
             base::format_count(stats.speakers.size(), "speaker"),
             count_bad(report));
  print_demo_lengths("Text length (symbols)", stats.text_length, stats.text_histogram);
  print_demo_lengths("Mel length (frames)", stats.mel_length, stats.mel_histogram);
  fmt::print("\nRecommended: {}\n", corpus::flags_of(stats.recommended()));
  if (voice) print_voice(*voice);
  fmt::print("Open in a browser: {}\n", file_url(report_file));
}

}  // namespace myxtts::cli
