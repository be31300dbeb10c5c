#pragma once

#include <string>
#include <vector>

#include "base/screen.h"
#include "cli/top_view.h"

namespace xtts::cli {

struct FrameStyle {
  base::ScreenSize size = {};  // at least 40 columns are used; 0 rows: as many as it takes
  bool unicode = true;
  bool is_live = false;  // says how to end it
};

// One page of `myxtts top`: losses, speed, where the time of a step goes, the buffer, retraces, and
// what limits the run. No line is wider than the screen; where it has too few rows the least
// important lines are left out.
std::vector<std::string> top_frame(const TopView& view, const FrameStyle& style);

}  // namespace xtts::cli
