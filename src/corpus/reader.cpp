#include "corpus/reader.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"
#include "corpus/find_audio.h"
#include "corpus/locate.h"
#include "corpus/reasons.h"
#include "corpus/split_location.h"

namespace myxtts::corpus {
namespace {

// Determines the speaker of an utterance: the match of the pattern in its id, else the column.
class SpeakerRule {
 public:
  explicit SpeakerRule(const config::DataConfig& config) : enabled_(config.enable_multispeaker) {
    const std::string pattern = config.speaker_id_pattern.value_or("");
    if (!enabled_ || pattern.empty()) return;
    try {
      pattern_.emplace(pattern);
    } catch (const std::regex_error& error) {
      throw UsageError(fmt::format(
          "data.speaker_id_pattern '{}' is not a regular expression: {}", pattern, error.what()));
    }
  }

  std::string speaker_of(const Row& row, const std::string& id) const {
    if (!enabled_) return "";
    // std::regex recurses once per character, so the limit protects the stack.
    constexpr std::size_t kMaxIdBytes = 1024;
    std::smatch match;
    if (!pattern_ || id.size() > kMaxIdBytes || !std::regex_search(id, match, *pattern_)) {
      return row.speaker;
    }
    return match.size() > 1 ? match[1].str() : match[0].str();
  }

 private:
  bool enabled_;
  std::optional<std::regex> pattern_;
};

[[noreturn]] void throw_no_corpus(const std::filesystem::path& dir) {
  std::vector<std::string> found;
  std::error_code error;
  auto entries = std::filesystem::directory_iterator(dir, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
    found.push_back(entries->path().filename().string());
  std::optional<std::string> similar;
  for (const char* name : {"metadata.csv", "metadata_train.csv", "metadata.jsonl", "train"}) {
    if (!similar) similar = base::nearest(name, found);
  }
  throw UsageError(fmt::format(
      "{} is not a corpus: expected metadata.csv (LJSpeech, Piper or Hugging Face), "
      "metadata.jsonl, metadata_train.csv, or a folder train/ with one of them{}; create a demo "
      "corpus with: myxtts corpus demo --out demo_corpus",
      printable(dir.string(), 400),
      similar ? fmt::format("; found '{}', is that a typo?", printable(*similar)) : ""));
}

SplitLocation require_split(const std::filesystem::path& dir,
                            const config::DataConfig& config,
                            Split split) {
  require_folder(dir);
  const auto location = find_split(dir, config, split);
  if (location) return *location;
  if (split == Split::kTrain || !find_split(dir, config, Split::kTrain)) throw_no_corpus(dir);
  throw UsageError(
      fmt::format("{} has no validation split: expected a folder val/ beside train/, or "
                  "metadata_eval.csv beside metadata_train.csv",
                  printable(dir.string(), 400)));
}

Layout layout_of(const SplitLocation& location, std::string_view bytes) {
  if (location.metadata_file.extension() == ".jsonl") return Layout::kHuggingFaceJsonl;
  const Layout layout = detect_layout(bytes);
  const bool is_default_name = location.metadata_file == "metadata.csv";
  return layout == Layout::kLjspeech && !is_default_name ? Layout::kOriginal : layout;
}

std::vector<std::filesystem::path> audio_folders(const SplitLocation& location,
                                                 const config::DataConfig& config,
                                                 Split split,
                                                 Layout layout) {
  const auto& configured = split == Split::kTrain ? config.wavs_train_dir : config.wavs_eval_dir;
  if (configured && !configured->empty()) {
    require_usage(base::stays_inside(location.root, *configured) || *configured == ".",
                  "data.wavs_{}_dir is {}, expected the name of a folder inside {}",
                  split == Split::kTrain ? "train" : "eval",
                  *configured,
                  location.root.string());
    return {*configured};
  }
  if (layout == Layout::kHuggingFaceCsv || layout == Layout::kHuggingFaceJsonl) return {"."};
  return {"wavs", "wav", "."};
}

// Adds an utterance, or a problem, for each row. Problems are in the order of lines.
void add_rows(std::vector<Row> rows, AudioFinder finder, const SpeakerRule& rule, Corpus& corpus) {
  std::unordered_map<std::string, int> line_of_id;
  const auto add_problem = [&](const std::string& id,
                               const char* reason,
                               std::string detail,
                               int line) {
    corpus.problems.push_back(make_problem(printable(id, 400), reason, std::move(detail), line));
  };
  for (Row& row : rows) {
    std::string id(without_audio_suffix(row.name));
    if (id.starts_with("./")) id.erase(0, 2);
    const auto [known, is_first] = line_of_id.emplace(id, row.line);
    if (!is_first) {
      add_problem(
          id, "duplicate_id", fmt::format("already used in line {}", known->second), row.line);
      continue;
    }
    auto audio = finder.find(row.name);
    if (!audio) {
      const std::filesystem::path named(row.name);
      const bool has_parent_part = std::ranges::find(named, "..") != named.end();
      add_problem(
          id,
          "outside_folder",
          fmt::format("\"{}\"{}", printable(row.name), has_parent_part ? " contains '..'" : ""),
          row.line);
      continue;
    }
    std::string speaker = rule.speaker_of(row, id);
    corpus.utterances.push_back({.id = std::move(id),
                                 .audio = std::move(*audio),
                                 .text = std::move(row.text),
                                 .speaker = std::move(speaker),
                                 .line = row.line});
  }
  std::ranges::stable_sort(corpus.problems, {}, &Problem::line);
}

}  // namespace

std::string_view name_of(Split split) {
  return split == Split::kTrain ? "train" : "val";
}

std::vector<Split> splits_in(const std::filesystem::path& dir, const config::DataConfig& config) {
  require_split(dir, config, Split::kTrain);
  if (!find_split(dir, config, Split::kValidation)) return {Split::kTrain};
  return {Split::kTrain, Split::kValidation};
}

Corpus read_corpus(const std::filesystem::path& dir,
                   const config::DataConfig& config,
                   Split split) {
  const SplitLocation location = require_split(dir, config, split);
  const std::filesystem::path file = location.root / location.metadata_file;
  require(base::stays_inside(location.root, location.metadata_file),
          "{} is a link to a file outside {}; copy the metadata into the corpus folder",
          file.string(),
          location.root.string());
  const std::string bytes = base::read_file_or_throw(file, kMaxMetadataBytes);

  Corpus corpus;
  corpus.root = location.root;
  corpus.metadata_file = location.metadata_file;
  corpus.layout = layout_of(location, bytes);
  Metadata metadata = parse_metadata(bytes, corpus.layout);
  corpus.problems = std::move(metadata.problems);
  AudioFinder finder(location.root, audio_folders(location, config, split, corpus.layout));
  add_rows(std::move(metadata.rows), std::move(finder), SpeakerRule(config), corpus);
  return corpus;
}

std::vector<Utterance> sample_evenly(const std::vector<Utterance>& all, std::size_t max_count) {
  const std::size_t count = std::min(all.size(), std::max<std::size_t>(1, max_count));
  std::vector<Utterance> sample;
  for (std::size_t i = 0; i < count; ++i)
    sample.push_back(all[i * all.size() / count]);
  return sample;
}

std::string format_corpus(const Corpus& corpus) {
  const std::size_t num_bad = corpus.problems.size();
  return fmt::format(
      "{}, {} utterance{} in {}{}",
      name_of(corpus.layout),
      corpus.utterances.size(),
      corpus.utterances.size() == 1 ? "" : "s",
      printable((corpus.root / corpus.metadata_file).string(), 400),
      num_bad == 0 ? "" : fmt::format(" and {} unusable line{}", num_bad, num_bad == 1 ? "" : "s"));
}

}  // namespace myxtts::corpus
