#include "corpus/held_back.h"

#include <algorithm>

#include "base/random.h"

namespace xtts::corpus {

bool is_held_back(std::string_view id, double val_split) {
  return base::Random(base::mix_seed(0, id)).unit() < val_split;
}

std::size_t count_held_back(std::span<const Utterance> utterances, double val_split) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utterances, [&](const Utterance& one) { return is_held_back(one.id, val_split); }));
}

}  // namespace xtts::corpus
