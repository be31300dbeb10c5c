#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace xtts::corpus {

// Which column holds what; absent ones are nullopt.
struct Columns {
  std::optional<std::size_t> name = {};        // an id or a file name
  std::optional<std::size_t> text = {};        // as written
  std::optional<std::size_t> normalised = {};  // with numbers and the like spelled out; preferred
  std::optional<std::size_t> speaker = {};
  std::size_t num_known = 0;  // columns whose title we know

  bool usable() const { return name && (text || normalised); }
};

// The columns that a header's titles name ("file_name", "text", "speaker_id"...), in any case.
Columns columns_of(std::span<const std::string_view> titles);

}  // namespace xtts::corpus
