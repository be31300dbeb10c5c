#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/resident_child.h"
#include "text/espeak.h"

namespace xtts::text {

// An espeak-ng that stays and phonemises piece after piece, for who speaks one text after the
// other: starting one takes five times as long as what it then does. Its plain twin is
// pronounce_many(), which also knows what to do when a text kills it. Thread-safe.
class ResidentEspeak {
 public:
  explicit ResidentEspeak(const std::string& voice);

  // Starts it ahead of the first pieces.
  void start();

  // One result per piece, in order, none with a fault; or none at all: it is busy with another
  // thread's, the pieces are many, it died, or its answer cannot be believed. Ask pronounce_many().
  // Where it has not answered twice in a row it is not asked again.
  std::vector<Pronounced> pronounce(std::span<const std::string> pieces);

 private:
  std::vector<std::string> ask(const std::vector<std::string>& pieces);
  bool knows_last_word();

  std::string voice_;
  std::mutex mutex_;
  base::ResidentChild child_;  // guarded by mutex_, as all below
  std::string last_word_;      // what it says for kLastPiece; empty: not asked yet
  int num_unanswered_ = 0;     // in a row
};

}  // namespace xtts::text
