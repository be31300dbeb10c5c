#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace myxtts::corpus {

// Maps the columns of a metadata file to their content. Absent columns are nullopt.
struct Columns {
  std::optional<std::size_t> name = {};        // an id or a file name
  std::optional<std::size_t> text = {};        // original text
  std::optional<std::size_t> normalised = {};  // normalised text, preferred
  std::optional<std::size_t> speaker = {};
  std::size_t num_known = 0;  // columns with a known title

  bool usable() const { return name && (text || normalised); }
};

// Returns the columns for the titles of a header ("file_name", "text", "speaker_id"), in any case.
Columns columns_of(std::span<const std::string_view> titles);

}  // namespace myxtts::corpus
