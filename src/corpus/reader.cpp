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
#include "corpus/split_place.h"

namespace xtts::corpus {
namespace {

// The speaker of an utterance: what the pattern finds in its id, else the metadata's column.
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
    // std::regex recurses once per character: a long id must not use up the stack.
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

[[noreturn]] void refuse_folder(const std::filesystem::path& dir) {
  std::vector<std::string> found;
  std::error_code error;
  auto entries = std::filesystem::directory_iterator(dir, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
    found.push_back(entries->path().filename().string());
  std::optional<std::string> near;
  for (const char* name : {"metadata.csv", "metadata_train.csv", "metadata.jsonl", "train"}) {
    if (!near) near = base::nearest(name, found);
  }
  throw UsageError(fmt::format(
      "{} is no corpus: expected metadata.csv (LJSpeech, Piper or Hugging Face), metadata.jsonl, "
      "metadata_train.csv, or a folder train/ with one of them{}; a demo corpus is made by: myxtts "
      "corpus demo --out demo_corpus",
      printable(dir.string(), 400),
      near ? fmt::format("; found '{}', is it misspelt?", printable(*near)) : ""));
}

SplitPlace require_split(const std::filesystem::path& dir,
                         const config::DataConfig& config,
                         Split split) {
  require_folder(dir);
  const auto place = find_split(dir, config, split);
  if (place) return *place;
  if (split == Split::kTrain || !find_split(dir, config, Split::kTrain)) refuse_folder(dir);
  throw UsageError(
      fmt::format("{} has no validation part: expected a folder val/ beside train/, or "
                  "metadata_eval.csv beside metadata_train.csv",
                  printable(dir.string(), 400)));
}

Layout layout_of(const SplitPlace& place, std::string_view bytes) {
  if (place.metadata_file.extension() == ".jsonl") return Layout::kHuggingFaceJsonl;
  const Layout layout = detect_layout(bytes);
  const bool plain = place.metadata_file == "metadata.csv";
  return layout == Layout::kLjspeech && !plain ? Layout::kOriginal : layout;
}

std::vector<std::filesystem::path> audio_folders(const SplitPlace& place,
                                                 const config::DataConfig& config,
                                                 Split split,
                                                 Layout layout) {
  const auto& configured = split == Split::kTrain ? config.wavs_train_dir : config.wavs_eval_dir;
  if (configured && !configured->empty()) {
    require_usage(base::stays_inside(place.root, *configured) || *configured == ".",
                  "data.wavs_{}_dir is {}, expected the name of a folder inside {}",
                  split == Split::kTrain ? "train" : "eval",
                  *configured,
                  place.root.string());
    return {*configured};
  }
  if (layout == Layout::kHuggingFaceCsv || layout == Layout::kHuggingFaceJsonl) return {"."};
  return {"wavs", "wav", "."};
}

// Looks up each row; what cannot be used joins the problems, in the order of the lines.
void add_rows(std::vector<Row> rows, AudioFinder finder, const SpeakerRule& rule, Corpus& corpus) {
  std::unordered_map<std::string, int> line_of_id;
  const auto refuse = [&](const std::string& id, const char* reason, std::string detail, int line) {
    corpus.problems.push_back(make_problem(printable(id, 400), reason, std::move(detail), line));
  };
  for (Row& row : rows) {
    std::string id(without_audio_suffix(row.name));
    if (id.starts_with("./")) id.erase(0, 2);
    const auto [known, is_first] = line_of_id.emplace(id, row.line);
    if (!is_first) {
      refuse(id, "duplicate_id", fmt::format("line {} has it, too", known->second), row.line);
      continue;
    }
    auto audio = finder.find(row.name);
    if (!audio) {
      const std::filesystem::path named(row.name);
      const bool climbs = std::ranges::find(named, "..") != named.end();
      refuse(id,
             "outside_folder",
             fmt::format("\"{}\"{}", printable(row.name), climbs ? " contains '..'" : ""),
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
  const SplitPlace place = require_split(dir, config, split);
  const std::filesystem::path file = place.root / place.metadata_file;
  require(base::stays_inside(place.root, place.metadata_file),
          "{} leads outside of {}; copy the metadata into the corpus folder",
          file.string(),
          place.root.string());
  const std::string bytes = base::read_file_or_throw(file, kMaxMetadataBytes);

  Corpus corpus;
  corpus.root = place.root;
  corpus.metadata_file = place.metadata_file;
  corpus.layout = layout_of(place, bytes);
  Metadata metadata = parse_metadata(bytes, corpus.layout);
  corpus.problems = std::move(metadata.problems);
  AudioFinder finder(place.root, audio_folders(place, config, split, corpus.layout));
  add_rows(std::move(metadata.rows), std::move(finder), SpeakerRule(config), corpus);
  return corpus;
}

std::vector<Utterance> even_sample(const std::vector<Utterance>& all, std::size_t most) {
  const std::size_t count = std::min(all.size(), std::max<std::size_t>(1, most));
  std::vector<Utterance> sample;
  for (std::size_t i = 0; i < count; ++i)
    sample.push_back(all[i * all.size() / count]);
  return sample;
}

std::string describe(const Corpus& corpus) {
  const std::size_t num_bad = corpus.problems.size();
  return fmt::format(
      "{}, {} utterance{} in {}{}",
      name_of(corpus.layout),
      corpus.utterances.size(),
      corpus.utterances.size() == 1 ? "" : "s",
      printable((corpus.root / corpus.metadata_file).string(), 400),
      num_bad == 0 ? "" : fmt::format(" and {} bad line{}", num_bad, num_bad == 1 ? "" : "s"));
}

}  // namespace xtts::corpus
