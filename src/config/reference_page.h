#pragma once

#include <string>

namespace xtts::config {

// docs/reference/config.md: every key with type, default, the original's default where it differs,
// flag, meaning and reader; then the named sets, the other names and the names without meaning.
// Markdown.
std::string reference_page();

}  // namespace xtts::config
