#pragma once

#include <string>

namespace myxtts::config {

// Returns docs/reference/config.md in Markdown: every key with type, default, the original's
// default where it differs, flag, help and reading commands; then presets, aliases and ignored
// keys.
std::string reference_page();

}  // namespace myxtts::config
