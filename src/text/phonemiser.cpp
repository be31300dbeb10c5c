#include "text/phonemiser.h"

#include <unordered_map>
#include <utility>

namespace xtts::text {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{16} << 20U;

}  // namespace

Phonemiser::Phonemiser(std::string voice)
    : voice_(std::move(voice)), cache_(kCacheBytes), resident_(voice_) {
  require_espeak_voice(voice_);
}

std::vector<Pronounced> Phonemiser::pronounce(std::span<const std::string> pieces) {
  std::unordered_map<std::string, Pronounced> known;
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

  std::vector<Pronounced> heard = resident_.pronounce(missing);
  if (heard.size() < missing.size()) heard = pronounce_many(voice_, missing);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    // A fault is not remembered: the machine may have been too busy to answer in time.
    if (heard[i].fault.empty()) cache_.remember(missing[i], heard[i].phonemes);
    known[missing[i]] = heard[i];
  }

  std::vector<Pronounced> pronounced;
  pronounced.reserve(pieces.size());
  for (const std::string& piece : pieces)
    pronounced.push_back(known[piece]);
  return pronounced;
}

}  // namespace xtts::text
