#include "corpus/demo_plan.h"

#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "corpus/demo_voice.h"

namespace myxtts::corpus {
namespace {

constexpr std::size_t kDefaultUtterances = 600;
constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20U;
constexpr std::size_t kMaxSentenceBytes = 2000;

// Collapses blanks to one space and removes them at both ends.
std::string collapse_blanks(std::string_view line) {
  std::string collapsed;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank) {
      collapsed += c;
    } else if (!collapsed.empty() && collapsed.back() != ' ') {
      collapsed += ' ';
    }
  }
  if (!collapsed.empty() && collapsed.back() == ' ') collapsed.pop_back();
  return collapsed;
}

void require_valid_sentence(const std::string& sentence, const std::string& file, int line) {
  for (const char c : sentence) {
    require_usage(
        c != '|', "{}:{}: '|' separates the columns of metadata.csv; remove it", file, line);
    require_usage(static_cast<unsigned char>(c) >= 0x20,
                  "{}:{}: control character {:#04x}; remove it",
                  file,
                  line,
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  require_usage(sentence.size() <= kMaxSentenceBytes,
                "{}:{}: a sentence of {} bytes, expected at most {}; break the line",
                file,
                line,
                sentence.size(),
                kMaxSentenceBytes);
}

std::string read_text(const std::filesystem::path& path) {
  base::ReadResult file = base::read_regular_file(path, kMaxTextBytes);
  require_usage(file.fault == base::FileFault::kNone,
                "--text {} {}; expected a text file with one sentence per line",
                path.string(),
                base::format_fault(file));
  require_usage(base::is_utf8(file.bytes),
                "--text {}: not UTF-8; convert it with: iconv -f CP1252 -t UTF-8",
                path.string());
  if (file.bytes.starts_with("\xEF\xBB\xBF")) file.bytes.erase(0, 3);
  return std::move(file.bytes);
}

struct Lines {
  std::vector<std::string> sentences;  // usable sentences, in the order of the file
  std::size_t repeated = 0;
  std::size_t outside_range = 0;
};

Lines read_sentences(const std::string& text,
                     const std::string& name,
                     std::optional<WordRange> words) {
  Lines lines;
  std::unordered_set<std::string> seen;
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string sentence = collapse_blanks(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (sentence.empty()) continue;
    require_valid_sentence(sentence, name, line_number);
    const int num_words = count_words(sentence);
    if (words && (num_words < words->min || num_words > words->max)) {
      ++lines.outside_range;
    } else if (!seen.insert(sentence).second) {
      ++lines.repeated;
    } else {
      lines.sentences.push_back(std::move(sentence));
    }
  }
  return lines;
}

std::vector<std::string> sentences_of_file(const DemoRequest& request) {
  const std::string name = request.text_file->string();
  Lines lines = read_sentences(read_text(*request.text_file), name, request.words);
  const std::size_t wanted = request.utterances.value_or(lines.sentences.size());
  require_usage(
      wanted >= 1 && wanted <= lines.sentences.size(),
      "--text {}: {} usable sentences (one per line; skipped {} repeated, {} outside --words), "
      "expected {}; add lines or pass a smaller --utterances",
      name,
      lines.sentences.size(),
      lines.repeated,
      lines.outside_range,
      std::max<std::size_t>(1, wanted));
  lines.sentences.resize(wanted);
  return std::move(lines.sentences);
}

// Assigns evenly spaced rounds over the voices to the validation split. Each voice has its share
// there, and a longer list does not change the split of the first utterances.
bool round_is_for_validation(std::size_t round, double share) {
  const auto num_held_out = [&](std::size_t rounds) {
    return std::floor(static_cast<double>(rounds) * share + 0.5);
  };
  return num_held_out(round + 1) > num_held_out(round);
}

void require_valid_request(const DemoRequest& request) {
  const std::size_t wanted = request.utterances.value_or(kDefaultUtterances);
  require_usage(wanted >= 1 && wanted <= kMaxDemoUtterances,
                "--utterances {}: expected 1 to {}",
                wanted,
                kMaxDemoUtterances);
  require_usage(request.val_share >= 0.0 && request.val_share < 1.0,
                "--val-share {}: expected at least 0 and less than 1",
                request.val_share);
}

}  // namespace

std::filesystem::path DemoUtterance::audio() const {
  return std::filesystem::path(for_validation ? "val" : "train") / "wavs" / (id + ".wav");
}

std::vector<DemoUtterance> plan_demo_corpus(const DemoRequest& request) {
  require_valid_request(request);
  std::vector<std::string> voices = request.voices;
  if (voices.empty()) voices = {demo_voices(request.language).front()};
  require_demo_voices(request.language, voices);

  const std::vector<std::string> texts =
      request.text_file ? sentences_of_file(request)
                        : make_demo_sentences(request.language,
                                              request.utterances.value_or(kDefaultUtterances),
                                              request.words.value_or(kDemoWords),
                                              request.seed);
  std::vector<DemoUtterance> plan;
  plan.reserve(texts.size());
  bool any_for_validation = false;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& voice = voices[i % voices.size()];
    const bool held_out = round_is_for_validation(i / voices.size(), request.val_share);
    any_for_validation = any_for_validation || held_out;
    plan.push_back({fmt::format("{}_{:05}", voice, i + 1), voice, texts[i], held_out});
  }
  if (!any_for_validation && request.val_share > 0.0) plan.back().for_validation = true;
  plan.front().for_validation = false;  // the training split is never empty
  return plan;
}

}  // namespace myxtts::corpus
