#include "synthesis/word_timings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/symbol_table.h"

namespace myxtts::synthesis {
namespace {

// A run of symbols between spaces.
struct SpokenWord {
  std::int64_t begin = 0;  // frames
  std::int64_t end = 0;
  std::size_t num_symbols = 0;
};

bool is_in_word(const std::string& symbol) {
  const std::u32string characters = base::decode_utf8(symbol);
  return characters.size() == 1 && text::is_in_word(characters[0]);
}

std::vector<SpokenWord> spoken_words_of(std::span<const std::string> symbols,
                                        std::span<const std::int64_t> durations) {
  std::vector<SpokenWord> spoken;
  std::int64_t frame = 0;
  bool is_inside = false;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::int64_t end = frame + durations[i];
    if (symbols[i] == " ") is_inside = false;
    if (is_in_word(symbols[i])) {
      if (!is_inside) spoken.push_back({.begin = frame, .end = frame});
      is_inside = true;
      spoken.back().end = end;
      ++spoken.back().num_symbols;
    }
    frame = end;
  }
  return spoken;
}

// Returns the words that have a letter or digit, without punctuation at their ends.
std::vector<std::string> words_of(std::string_view text) {
  const std::u32string characters = base::decode_utf8(text);
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < characters.size();) {
    const std::size_t end = std::min(characters.find(U' ', begin), characters.size());
    std::size_t first = begin;
    std::size_t last = end;
    while (first < last && !text::is_speakable(characters[first]))
      ++first;
    while (last > first && !text::is_speakable(characters[last - 1]))
      --last;
    if (first < last) words.push_back(base::encode_utf8(characters.substr(first, last - first)));
    begin = end + 1;
  }
  return words;
}

std::vector<double> cumulative(const std::vector<double>& sizes) {
  std::vector<double> sums = {0.0};
  for (const double size : sizes)
    sums.push_back(sums.back() + size);
  for (double& sum : sums)
    sum /= std::max(sums.back(), 1.0);
  return sums;
}

// Cuts the longer list into as many consecutive parts as the shorter one has entries, so that the
// relative positions of the cuts differ least. Returns the end of each part.
std::vector<std::size_t> best_parts(const std::vector<double>& longer,
                                    const std::vector<double>& shorter) {
  const std::vector<double> fine = cumulative(longer);
  const std::vector<double> coarse = cumulative(shorter);
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  for (std::size_t part = 1; part <= shorter.size(); ++part) {
    const std::size_t last =
        longer.size() - (shorter.size() - part);  // one entry for each later part
    std::size_t best = at + 1;
    for (std::size_t end = at + 1; end <= last; ++end) {
      if (std::abs(fine[end] - coarse[part]) < std::abs(fine[best] - coarse[part])) best = end;
    }
    at = part == shorter.size() ? longer.size() : best;
    ends.push_back(at);
  }
  return ends;
}

}  // namespace

std::vector<WordTiming> word_timings(std::string_view normalised,
                                     std::span<const std::string> symbols,
                                     std::span<const std::int64_t> durations,
                                     double seconds_per_frame) {
  invariant(symbols.size() == durations.size(), "every symbol has a duration");
  const std::vector<SpokenWord> spoken = spoken_words_of(symbols, durations);
  const std::vector<std::string> words = words_of(normalised);
  if (spoken.empty() || words.empty()) return {};

  std::vector<double> spoken_sizes;
  std::vector<double> word_sizes;
  for (const SpokenWord& one : spoken)
    spoken_sizes.push_back(static_cast<double>(one.num_symbols));
  for (const std::string& word : words)
    word_sizes.push_back(static_cast<double>(base::display_width(word)));
  const bool has_more_words = words.size() >= spoken.size();
  const std::vector<std::size_t> ends =
      has_more_words ? best_parts(word_sizes, spoken_sizes) : best_parts(spoken_sizes, word_sizes);

  std::vector<WordTiming> timings;
  std::size_t begin = 0;
  for (std::size_t part = 0; part < ends.size(); ++part) {
    const SpokenWord& first = has_more_words ? spoken[part] : spoken[begin];
    const SpokenWord& last = has_more_words ? spoken[part] : spoken[ends[part] - 1];
    std::string text = has_more_words ? words[begin] : words[part];
    for (std::size_t i = begin + 1; has_more_words && i < ends[part]; ++i)
      text += " " + words[i];
    timings.push_back({.text = std::move(text),
                       .start_s = static_cast<double>(first.begin) * seconds_per_frame,
                       .end_s = static_cast<double>(last.end) * seconds_per_frame});
    begin = ends[part];
  }
  return timings;
}

}  // namespace myxtts::synthesis
