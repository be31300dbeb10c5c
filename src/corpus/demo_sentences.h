// Generates the sentences of a demo corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::corpus {

// A number of words per sentence, both ends included.
struct WordRange {
  int min = 2;
  int max = 25;
};

// The range of the built-in sentences.
inline constexpr WordRange kDemoWords{2, 25};

// Parses "9" or "3-12". Throws UsageError for other text, 0, and a minimum above the maximum.
WordRange parse_word_range(std::string_view text);

// Counts words separated by spaces.
int count_words(std::string_view sentence);

// Generates `count` different sentences whose lengths cover the range. A longer list of the same
// language, range and seed starts with the shorter one. Throws UsageError for a language other than
// en and fa, for a range outside kDemoWords, and if the range has too few sentences.
std::vector<std::string> make_demo_sentences(std::string_view language,
                                             std::size_t count,
                                             WordRange words,
                                             std::uint64_t seed);

// The built-in grammars (see DemoGrammar). Each has the rules `short` (2 to about 6
// words), `medium` (about 5 to 14) and `long` (about 11 to 25).
std::string_view english_demo_grammar();
std::string_view persian_demo_grammar();

}  // namespace myxtts::corpus
