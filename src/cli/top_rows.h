// Adds the rows of the `myxtts top` page.
#pragma once

#include <string>
#include <vector>

#include "cli/top_frame.h"

namespace myxtts::cli {

// A line and its rank. Lines with the highest rank are dropped first from a page that is too long.
struct FrameLine {
  int rank = 0;
  std::string text;
};

using FrameLines = std::vector<FrameLine>;

// Each function adds lines about one topic and needs at least one step.
void add_losses(const TopView& view, const FrameStyle& style, FrameLines& lines);
void add_lanes(const TopView& view, FrameLines& lines);
void add_times(const TopView& view, const FrameStyle& style, FrameLines& lines);
void add_buffer(const TopView& view, const FrameStyle& style, FrameLines& lines);
void add_counts(const TopView& view, const FrameStyle& style, FrameLines& lines);

// Escapes control characters in text from files.
std::string printable_word(const std::string& word);

}  // namespace myxtts::cli
