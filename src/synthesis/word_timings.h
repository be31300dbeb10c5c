// When each word of synthesised speech begins and ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::synthesis {

// A spoken word, in seconds from the first sample.
struct WordTiming {
  std::string text;  // as spoken: "five dollars" for "$5" are two words
  double start_s = 0.0;
  double end_s = 0.0;
};

// Returns the words of a piece of text. `normalised` is the text after normalisation, `symbols` the
// input symbols of the model, and durations[i] the frames of symbol i. Words are the symbols
// between spaces; punctuation and blanks ("_") belong to no word.
//
// espeak-ng joins some words ("of the" becomes one word of three symbols). Joined words are one
// entry with both texts. If the numbers of words differ, the texts are assigned to the sounds by
// length.
std::vector<WordTiming> word_timings(std::string_view normalised,
                                     std::span<const std::string> symbols,
                                     std::span<const std::int64_t> durations,
                                     double seconds_per_frame);

}  // namespace myxtts::synthesis
