#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::corpus {

// Words of a sentence, both ends included.
struct WordRange {
  int min = 2;
  int max = 25;
};

// Our own sentences have this many words.
inline constexpr WordRange kDemoWords{2, 25};

// "9" or "3-12". Throws UsageError for anything else, for 0, and for a range that runs backwards.
WordRange parse_word_range(std::string_view text);

// Words separated by spaces.
int count_words(std::string_view sentence);

// `count` different sentences whose lengths cover the range, short and long ones included. A
// longer list of the same language, range and seed starts with the shorter one. Throws UsageError
// for a language without sentences (known: en, fa), for a range outside kDemoWords, and if the
// range does not have so many sentences.
std::vector<std::string> make_demo_sentences(std::string_view language,
                                             std::size_t count,
                                             WordRange words,
                                             std::uint64_t seed);

// The grammars, in the notation of corpus/demo_grammar.h. Each has the rules `short` (2 to about 6
// words), `medium` (about 5 to 14) and `long` (about 11 to 25).
std::string_view english_demo_grammar();
std::string_view persian_demo_grammar();

}  // namespace xtts::corpus
