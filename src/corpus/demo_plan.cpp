#include "corpus/demo_plan.h"

#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "corpus/demo_voice.h"

namespace xtts::corpus {
namespace {

constexpr std::size_t kDefaultUtterances = 600;
constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20U;
constexpr std::size_t kMaxLineBytesSpoken = 2000;

// One blank between words, none at the ends.
std::string tidy(std::string_view line) {
  std::string tidied;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank) {
      tidied += c;
    } else if (!tidied.empty() && tidied.back() != ' ') {
      tidied += ' ';
    }
  }
  if (!tidied.empty() && tidied.back() == ' ') tidied.pop_back();
  return tidied;
}

void require_speakable(const std::string& sentence, const std::string& file, int line) {
  for (const char c : sentence) {
    require_usage(c != '|',
                  "{}:{}: '|' separates the columns of metadata.csv; take it out of the sentence",
                  file,
                  line);
    require_usage(static_cast<unsigned char>(c) >= 0x20,
                  "{}:{}: control character {:#04x}; take it out of the sentence",
                  file,
                  line,
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  require_usage(sentence.size() <= kMaxLineBytesSpoken,
                "{}:{}: {} bytes in one sentence, at most {} can be spoken; break the line",
                file,
                line,
                sentence.size(),
                kMaxLineBytesSpoken);
}

std::string read_text(const std::filesystem::path& path) {
  base::ReadResult file = base::read_regular_file(path, kMaxTextBytes);
  require_usage(file.fault == base::FileFault::kNone,
                "--text {} {}; expected a text file with one sentence per line",
                path.string(),
                base::words_for(file));
  require_usage(base::is_utf8(file.bytes),
                "--text {}: not UTF-8; convert it with: iconv -f CP1252 -t UTF-8",
                path.string());
  if (file.bytes.starts_with("\xEF\xBB\xBF")) file.bytes.erase(0, 3);
  return std::move(file.bytes);
}

struct Lines {
  std::vector<std::string> sentences;  // usable ones, in their order
  std::size_t repeated = 0;
  std::size_t outside_range = 0;
};

Lines sort_lines(const std::string& text, const std::string& name, std::optional<WordRange> words) {
  Lines lines;
  std::unordered_set<std::string> seen;
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string sentence = tidy(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++line_number;
    if (sentence.empty()) continue;
    require_speakable(sentence, name, line_number);
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
  Lines lines = sort_lines(read_text(*request.text_file), name, request.words);
  const std::size_t wanted = request.utterances.value_or(lines.sentences.size());
  require_usage(
      wanted >= 1 && wanted <= lines.sentences.size(),
      "--text {}: {} usable sentences (one per line; {} repeated, {} outside --words left "
      "out), {} asked for; add lines or pass a smaller --utterances",
      name,
      lines.sentences.size(),
      lines.repeated,
      lines.outside_range,
      std::max<std::size_t>(1, wanted));
  lines.sentences.resize(wanted);
  return std::move(lines.sentences);
}

// Every so many rounds of the voices go to validation, evenly spread, so that each voice has its
// share there and a longer list leaves the places of the first utterances as they were.
bool round_is_for_validation(std::size_t round, double share) {
  const auto held_back = [&](std::size_t rounds) {
    return std::floor(static_cast<double>(rounds) * share + 0.5);
  };
  return held_back(round + 1) > held_back(round);
}

void require_sane(const DemoRequest& request) {
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
  require_sane(request);
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
    const bool held_back = round_is_for_validation(i / voices.size(), request.val_share);
    any_for_validation = any_for_validation || held_back;
    plan.push_back({fmt::format("{}_{:05}", voice, i + 1), voice, texts[i], held_back});
  }
  if (!any_for_validation && request.val_share > 0.0) plan.back().for_validation = true;
  plan.front().for_validation = false;  // there is always something to train on
  return plan;
}

}  // namespace xtts::corpus
