// Renders held-out sentences, synthesised and recorded, for the demo page.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "synthesis/external_judge.h"

namespace myxtts::train {

// The audio of one sentence, with its mel and transcript.
struct SentenceAudio {
  std::string wav;
  std::string mel_png;
  std::optional<synthesis::Transcript> transcript;  // of the judge; absent: not judged
};

struct SynthesisedSentence {
  std::string id;
  std::string text;
  SentenceAudio recorded;
  SentenceAudio spoken;
  std::optional<SentenceAudio> by_griffin_lim =
      {};  // the same mel by Griffin-Lim instead of the vocoder
};

// Word error counts over all sentences.
struct WordErrors {
  std::int64_t num_words = 0;
  std::int64_t num_errors = 0;

  double rate() const;  // 0 without words
};

struct WordScores {
  WordErrors recorded;
  WordErrors spoken;
};

// Returns the word error rates; absent unless the judge transcribed both versions of every
// sentence.
std::optional<WordScores> word_scores(std::span<const SynthesisedSentence> sentences);

// Renders the word error rates (or the plain text `how_to_judge` without a judge), then every
// sentence with both mels and all audio players. Returns an empty string without sentences.
std::string synthesis_section(std::span<const SynthesisedSentence> sentences,
                              const std::string& how_to_judge);

}  // namespace myxtts::train
