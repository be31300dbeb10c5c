#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/espeak.h"
#include "text/phoneme_cache.h"
#include "text/resident_espeak.h"

namespace xtts::text {

// Pronounces pieces of text with one espeak-ng voice, remembering what it has heard. Thread-safe.
class Phonemiser {
 public:
  // Throws as require_espeak_voice does.
  explicit Phonemiser(std::string voice);

  // One result per piece, in order. What is not remembered goes through one child together: a few
  // pieces through one that stays, many through one of their own.
  std::vector<Pronounced> pronounce(std::span<const std::string> pieces);

  // Starts the child that stays, so that the first text need not wait for it.
  void warm_up() { resident_.start(); }

  const std::string& voice() const { return voice_; }

 private:
  std::string voice_;
  PhonemeCache cache_;
  ResidentEspeak resident_;
};

}  // namespace xtts::text
