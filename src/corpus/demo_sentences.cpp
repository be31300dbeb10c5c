// Drawing sentences of a wanted length: first a length is drawn, half of the time evenly over the
// range and otherwise with the middle more likely, as in recorded books. Then the grammar is asked
// until it gives a sentence of that length which has not been used. Where a length has run dry
// (there are only so many ways to say two words), its neighbours serve.

#include "corpus/demo_sentences.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"
#include "corpus/demo_grammar.h"

namespace xtts::corpus {
namespace {

constexpr int kTriesPerLength = 1500;
constexpr int kLastShort = 6;    // words; longer ones are not drawn from `short`
constexpr int kFirstMedium = 5;  // words; shorter ones are not drawn from `medium`
constexpr int kLastMedium = 15;
constexpr int kFirstLong = 13;
constexpr std::size_t kTellingWord = 5;  // letters; shorter words may repeat in a sentence

class SentenceDraw {
 public:
  SentenceDraw(const DemoGrammar& grammar, WordRange words, std::uint64_t seed)
      : grammar_(grammar), words_(words), seed_(seed) {}

  // nullopt: the range has run dry.
  std::optional<std::string> next() {
    base::Random random(base::mix_seed(seed_, "demo sentence", used_.size()));
    const int wanted = draw_length(random);
    for (int& slack = slack_[wanted]; slack <= words_.max - words_.min; ++slack) {
      for (int i = 0; i < kTriesPerLength; ++i) {
        std::string sentence = draw(wanted, random);
        if (fits(sentence, wanted, slack) && used_.insert(sentence).second) return sentence;
      }
    }
    return std::nullopt;
  }

 private:
  int draw_length(base::Random& random) const {
    const std::uint64_t num_lengths =
        static_cast<std::uint64_t>(words_.max) - static_cast<std::uint64_t>(words_.min) + 1;
    const bool evenly = random.below(2) == 0;
    const std::uint64_t first = random.below(num_lengths);
    const std::uint64_t second = random.below(num_lengths);
    return words_.min + static_cast<int>(evenly ? first : (first + second) / 2);
  }

  std::string draw(int wanted, base::Random& random) const {
    std::array<std::string_view, 3> roots;
    std::size_t num_roots = 0;
    if (wanted <= kLastShort) roots[num_roots++] = "short";
    if (wanted >= kFirstMedium && wanted <= kLastMedium) roots[num_roots++] = "medium";
    if (wanted >= kFirstLong) roots[num_roots++] = "long";
    std::string sentence = grammar_.expand(roots[random.below(num_roots)], random);
    if (sentence[0] >= 'a' && sentence[0] <= 'z') {
      sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    }
    return sentence;
  }

  bool fits(const std::string& sentence, int wanted, int slack) const {
    const int num_words = count_words(sentence);
    return std::abs(num_words - wanted) <= slack && num_words >= words_.min &&
           num_words <= words_.max && !repeats_itself(sentence);
  }

  // "The baker waited while the baker waited."
  static bool repeats_itself(std::string_view sentence) {
    std::set<std::string_view> seen;
    while (!sentence.empty()) {
      const std::size_t end = std::min(sentence.find(' '), sentence.size());
      std::string_view word = sentence.substr(0, end);
      while (!word.empty() && std::string_view(",.?!:").find(word.back()) != word.npos) {
        word.remove_suffix(1);
      }
      if (base::display_width(word) >= kTellingWord && !seen.insert(word).second) return true;
      sentence.remove_prefix(std::min(end + 1, sentence.size()));
    }
    return false;
  }

  const DemoGrammar& grammar_;
  const WordRange words_;
  const std::uint64_t seed_;
  std::unordered_set<std::string> used_;
  std::map<int, int> slack_;  // how far from a wanted length it was necessary to go so far
};

const DemoGrammar& grammar_of(std::string_view language) {
  static const DemoGrammar english(english_demo_grammar());
  static const DemoGrammar persian(persian_demo_grammar());
  require_usage(language == "en" || language == "fa",
                "no demo sentences in language '{}'; known: en, fa; or bring your own with --text",
                language);
  return language == "en" ? english : persian;
}

int parse_count(std::string_view digits, std::string_view whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  require_usage(error == std::errc() && end == digits.data() + digits.size() && value >= 1,
                "--words {}: expected MIN-MAX in whole numbers from 1, like 3-12",
                whole);
  return value;
}

}  // namespace

WordRange parse_word_range(std::string_view text) {
  const std::size_t dash = text.find('-', 1);
  const int min = parse_count(text.substr(0, dash), text);
  const int max = dash == std::string_view::npos ? min : parse_count(text.substr(dash + 1), text);
  require_usage(
      min <= max, "--words {}: runs backwards; did you mean --words {}-{}?", text, max, min);
  return {min, max};
}

int count_words(std::string_view sentence) {
  int num_words = 0;
  bool inside = false;
  for (const char c : sentence) {
    if (c != ' ' && !inside) ++num_words;
    inside = c != ' ';
  }
  return num_words;
}

std::vector<std::string> make_demo_sentences(std::string_view language,
                                             std::size_t count,
                                             WordRange words,
                                             std::uint64_t seed) {
  const DemoGrammar& grammar = grammar_of(language);
  require_usage(
      words.min >= kDemoWords.min && words.max <= kDemoWords.max && words.min <= words.max,
      "--words {}-{}: our sentences have {} to {} words; bring others with --text FILE",
      words.min,
      words.max,
      kDemoWords.min,
      kDemoWords.max);

  SentenceDraw sentences(grammar, words, seed);
  std::vector<std::string> drawn;
  drawn.reserve(count);
  while (drawn.size() < count) {
    std::optional<std::string> sentence = sentences.next();
    require_usage(sentence.has_value(),
                  "found {} different sentences of {} to {} words, {} asked for; widen --words or "
                  "lower --utterances",
                  drawn.size(),
                  words.min,
                  words.max,
                  count);
    drawn.push_back(std::move(*sentence));
  }
  return drawn;
}

}  // namespace xtts::corpus
