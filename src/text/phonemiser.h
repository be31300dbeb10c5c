#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/espeak.h"
#include "text/phoneme_cache.h"

namespace xtts::text {

// Pronounces pieces of text with one espeak-ng voice, remembering what it has heard. Thread-safe.
class Phonemiser {
 public:
  // Throws as require_espeak_voice does.
  explicit Phonemiser(std::string voice);

  // One result per piece, in order. What is not remembered goes through one child together.
  std::vector<Pronounced> pronounce(std::span<const std::string> pieces);

  const std::string& voice() const { return voice_; }

 private:
  std::string voice_;
  PhonemeCache cache_;
};

}  // namespace xtts::text
