#include "text/phonemiser.h"

#include <unordered_map>
#include <utility>

namespace myxtts::text {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{16} << 20U;

}  // namespace

Phonemiser::Phonemiser(std::string voice)
    : voice_(std::move(voice)), cache_(kCacheBytes), persistent_(voice_) {
  require_espeak_voice(voice_);
}

std::vector<Pronunciation> Phonemiser::phonemise(std::span<const std::string> pieces) {
  std::unordered_map<std::string, Pronunciation> known;
  std::vector<std::string> missing;
  for (const std::string& piece : pieces) {
    if (known.contains(piece)) continue;
    if (auto phonemes = cache_.find(piece)) {
      known[piece].phonemes = std::move(*phonemes);
    } else {
      known[piece] = {};
      missing.push_back(piece);
    }
  }

  std::vector<Pronunciation> results = persistent_.phonemise(missing);
  if (results.size() < missing.size()) results = phonemise_many(voice_, missing);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    // Faults are not cached: a timeout may come from a busy machine.
    if (results[i].fault.empty()) cache_.insert(missing[i], results[i].phonemes);
    known[missing[i]] = results[i];
  }

  std::vector<Pronunciation> pronounced;
  pronounced.reserve(pieces.size());
  for (const std::string& piece : pieces)
    pronounced.push_back(known[piece]);
  return pronounced;
}

}  // namespace myxtts::text
