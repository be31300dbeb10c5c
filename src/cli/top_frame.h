// Lays out the page of `myxtts top`.
#pragma once

#include <string>
#include <vector>

#include "base/screen.h"
#include "cli/top_view.h"

namespace myxtts::cli {

struct FrameStyle {
  base::ScreenSize size = {};  // at least 40 columns; 0 rows: no limit
  bool unicode = true;
  bool is_live = false;  // show how to close the view
};

// Returns one page: losses, speed, time per part of a step, buffer, retraces and what limits the
// run. No line is wider than the screen. If the screen has too few rows, the least important lines
// are dropped.
std::vector<std::string> top_frame(const TopView& view, const FrameStyle& style);

}  // namespace myxtts::cli
