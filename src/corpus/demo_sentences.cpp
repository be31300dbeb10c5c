// Sampling of sentences: first the number of words is result, half of the time uniformly and
// otherwise from a triangular distribution, as in audiobooks. Then the grammar is expanded until it
// gives an unused sentence of that length. If a length is exhausted (there are few sentences of two
// words), neighbouring lengths are accepted.

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

namespace myxtts::corpus {
namespace {

constexpr int kTriesPerLength = 1500;
constexpr int kMaxShort = 6;   // words; longer sentences do not use `short`
constexpr int kMinMedium = 5;  // words; shorter sentences do not use `medium`
constexpr int kMaxMedium = 15;
constexpr int kMinLong = 13;
constexpr std::size_t kMinUniqueLetters = 5;  // letters; shorter words may repeat in a sentence

class SentenceSampler {
 public:
  SentenceSampler(const DemoGrammar& grammar, WordRange words, std::uint64_t seed)
      : grammar_(grammar), words_(words), seed_(seed) {}

  // Returns nullopt if the range is exhausted.
  std::optional<std::string> next() {
    base::Random random(base::mix_seed(seed_, "demo sentence", used_.size()));
    const int target = draw_length(random);
    for (int& slack = slack_[target]; slack <= words_.max - words_.min; ++slack) {
      for (int i = 0; i < kTriesPerLength; ++i) {
        std::string sentence = draw(target, random);
        if (fits(sentence, target, slack) && used_.insert(sentence).second) return sentence;
      }
    }
    return std::nullopt;
  }

 private:
  int draw_length(base::Random& random) const {
    const std::uint64_t num_lengths =
        static_cast<std::uint64_t>(words_.max) - static_cast<std::uint64_t>(words_.min) + 1;
    const bool uniform = random.below(2) == 0;
    const std::uint64_t first = random.below(num_lengths);
    const std::uint64_t second = random.below(num_lengths);
    return words_.min + static_cast<int>(uniform ? first : (first + second) / 2);
  }

  std::string draw(int target, base::Random& random) const {
    std::array<std::string_view, 3> roots;
    std::size_t num_roots = 0;
    if (target <= kMaxShort) roots[num_roots++] = "short";
    if (target >= kMinMedium && target <= kMaxMedium) roots[num_roots++] = "medium";
    if (target >= kMinLong) roots[num_roots++] = "long";
    std::string sentence = grammar_.expand(roots[random.below(num_roots)], random);
    if (sentence[0] >= 'a' && sentence[0] <= 'z') {
      sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
    }
    return sentence;
  }

  bool fits(const std::string& sentence, int target, int slack) const {
    const int num_words = count_words(sentence);
    return std::abs(num_words - target) <= slack && num_words >= words_.min &&
           num_words <= words_.max && !repeats_a_word(sentence);
  }

  // Detects sentences like "The baker waited while the baker waited."
  static bool repeats_a_word(std::string_view sentence) {
    std::set<std::string_view> seen;
    while (!sentence.empty()) {
      const std::size_t end = std::min(sentence.find(' '), sentence.size());
      std::string_view word = sentence.substr(0, end);
      while (!word.empty() && std::string_view(",.?!:").find(word.back()) != word.npos) {
        word.remove_suffix(1);
      }
      if (base::display_width(word) >= kMinUniqueLetters && !seen.insert(word).second) return true;
      sentence.remove_prefix(std::min(end + 1, sentence.size()));
    }
    return false;
  }

  const DemoGrammar& grammar_;
  const WordRange words_;
  const std::uint64_t seed_;
  std::unordered_set<std::string> used_;
  std::map<int, int> slack_;  // target length -> accepted distance from it
};

const DemoGrammar& grammar_of(std::string_view language) {
  static const DemoGrammar english(english_demo_grammar());
  static const DemoGrammar persian(persian_demo_grammar());
  require_usage(
      language == "en" || language == "fa",
      "no demo sentences in language '{}'; expected en or fa, or pass your own with --text FILE",
      language);
  return language == "en" ? english : persian;
}

int parse_count(std::string_view digits, std::string_view whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  require_usage(error == std::errc() && end == digits.data() + digits.size() && value >= 1,
                "--words {}: expected MIN-MAX with integers from 1, for example 3-12",
                whole);
  return value;
}

}  // namespace

WordRange parse_word_range(std::string_view text) {
  const std::size_t dash = text.find('-', 1);
  const int min = parse_count(text.substr(0, dash), text);
  const int max = dash == std::string_view::npos ? min : parse_count(text.substr(dash + 1), text);
  require_usage(min <= max,
                "--words {}: the minimum exceeds the maximum; did you mean --words {}-{}?",
                text,
                max,
                min);
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
      "--words {}-{}: the built-in sentences have {} to {} words; pass others with --text FILE",
      words.min,
      words.max,
      kDemoWords.min,
      kDemoWords.max);

  SentenceSampler sentences(grammar, words, seed);
  std::vector<std::string> result;
  result.reserve(count);
  while (result.size() < count) {
    std::optional<std::string> sentence = sentences.next();
    require_usage(sentence.has_value(),
                  "found {} different sentences of {} to {} words, expected {}; widen --words or "
                  "lower --utterances",
                  result.size(),
                  words.min,
                  words.max,
                  count);
    result.push_back(std::move(*sentence));
  }
  return result;
}

}  // namespace myxtts::corpus
