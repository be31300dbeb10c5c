// The rows of `myxtts top`'s page, for top_frame.h: each adds lines about one thing.
#pragma once

#include <string>
#include <vector>

#include "cli/top_frame.h"

namespace xtts::cli {

// A line, and how soon it is left out of a page that is too long: the highest rank first.
struct FrameLine {
  int rank = 0;
  std::string text;
};

using FrameLines = std::vector<FrameLine>;

// All of them need at least one update.
void add_losses(const TopView& view, const FrameStyle& style, FrameLines& lines);
void add_lanes(const TopView& view, FrameLines& lines);
void add_times(const TopView& view, const FrameStyle& style, FrameLines& lines);
void add_buffer(const TopView& view, const FrameStyle& style, FrameLines& lines);
void add_counts(const TopView& view, const FrameStyle& style, FrameLines& lines);

// Words from files, without bytes that would command the terminal.
std::string plain_word(const std::string& word);

}  // namespace xtts::cli
