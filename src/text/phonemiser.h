#pragma once

#include <span>
#include <string>
#include <vector>

#include "text/espeak.h"
#include "text/persistent_espeak.h"
#include "text/phoneme_cache.h"

namespace myxtts::text {

// Phonemises pieces of text with one espeak-ng voice and caches the results. Thread-safe.
class Phonemiser {
 public:
  // Throws like require_espeak_voice().
  explicit Phonemiser(std::string voice);

  // Returns one result per piece, in order. Pieces that are not cached share one child process: the
  // persistent one for a few pieces, a new one for many.
  std::vector<Pronunciation> phonemise(std::span<const std::string> pieces);

  // Starts the persistent child ahead of the first text.
  void warm_up() { persistent_.start(); }

  const std::string& voice() const { return voice_; }

 private:
  std::string voice_;
  PhonemeCache cache_;
  PersistentEspeak persistent_;
};

}  // namespace myxtts::text
