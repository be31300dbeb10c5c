#include "text/cleaners.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "text/normalise_english.h"
#include "text/normalise_persian.h"

namespace myxtts::text {

const std::vector<std::string>& known_cleaners() {
  static const std::vector<std::string> names = {
      "english_cleaners", "persian_cleaners", "basic_cleaners", "no_cleaners"};
  return names;
}

void require_known_cleaners(std::span<const std::string> names) {
  for (const std::string& name : names) {
    require_usage(std::ranges::count(known_cleaners(), name) > 0,
                  "data.text_cleaners: unknown cleaner '{}'; known: {}{}",
                  name,
                  fmt::join(known_cleaners(), ", "),
                  base::did_you_mean(name, known_cleaners()));
  }
}

std::string clean(std::string_view utf8,
                  std::span<const std::string> names,
                  DroppedCharacters& dropped) {
  std::string text = base::encode_utf8(fold_spaces(base::decode_utf8(utf8)));
  for (const std::string& name : names) {
    if (name == "english_cleaners") text = normalise_english(text, dropped);
    if (name == "persian_cleaners") text = normalise_persian(text, dropped);
    if (name == "basic_cleaners") text = base::encode_utf8(lower_case(base::decode_utf8(text)));
  }
  return text;
}

}  // namespace myxtts::text
