#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/persistent_child.h"
#include "text/espeak.h"

namespace myxtts::text {

// An espeak-ng process that keeps running, for low latency: starting one takes five times as long
// as phonemising a text. The reference implementation is phonemise_many(), which also handles texts
// that crash espeak-ng. Thread-safe.
class PersistentEspeak {
 public:
  explicit PersistentEspeak(const std::string& voice);

  // Starts the process ahead of the first pieces.
  void start();

  // Returns one result per piece, in order and without faults. Returns an empty list if the process
  // is busy with another thread, there are too many pieces, it died or its output is inconsistent;
  // then use phonemise_many(). After two failed requests in a row the process is not used again.
  std::vector<Pronunciation> phonemise(std::span<const std::string> pieces);

 private:
  std::vector<std::string> ask(const std::vector<std::string>& pieces);
  bool learn_sentinel_output();

  std::string voice_;
  std::mutex mutex_;
  base::PersistentChild child_;  // guarded by mutex_
  std::string sentinel_output_;  // output for kSentinel; empty if unknown; guarded by mutex_
  int num_failed_ = 0;           // requests in a row; guarded by mutex_
};

}  // namespace myxtts::text
