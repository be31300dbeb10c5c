// Unseen sentences, spoken by a voice beside their recordings: markup for the demo's page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "speak/external_judge.h"

namespace xtts::train {

// One sound of a sentence to look at and to listen to.
struct Voiced {
  std::string wav;
  std::string mel_png;
  std::optional<speak::Heard> heard;  // absent: nobody judged
};

struct SpokenSentence {
  std::string id;
  std::string text;
  Voiced recorded;
  Voiced spoken;
  std::optional<Voiced> by_griffin_lim = {};  // the same mel frames without a vocoder
};

// The words of all of one column together.
struct WordErrors {
  std::int64_t num_words = 0;
  std::int64_t num_errors = 0;

  double rate() const;  // 0 without words
};

struct WordScores {
  WordErrors recorded;
  WordErrors spoken;
};

// Absent unless every sentence was judged, recorded and spoken.
std::optional<WordScores> word_scores(std::span<const SpokenSentence> sentences);

// Word errors as a table (or `how_to_judge`, plain text, where nobody judged), then every sentence
// with both mels and all players. Nothing for no sentences.
std::string spoken_section(std::span<const SpokenSentence> sentences,
                           const std::string& how_to_judge);

}  // namespace xtts::train
