// Tests whether a text contains a part.
#pragma once

#include <string_view>

namespace myxtts::support {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace myxtts::support
