#include "corpus/held_out.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"

namespace myxtts::corpus {

bool is_held_out(std::string_view id, double val_split) {
  return base::Random(base::mix_seed(0, id)).unit() < val_split;
}

std::size_t count_held_out(std::span<const Utterance> utterances, double val_split) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utterances, [&](const Utterance& one) { return is_held_out(one.id, val_split); }));
}

std::size_t count_held_out(std::span<const Utterance> utterances,
                           std::span<const Measurement> measured,
                           double val_split) {
  invariant(measured.size() == utterances.size(), "every utterance is measured");
  std::size_t count = 0;
  for (std::size_t i = 0; i < utterances.size(); ++i) {
    if (!measured[i].problem && is_held_out(utterances[i].id, val_split)) ++count;
  }
  return count;
}

}  // namespace myxtts::corpus
