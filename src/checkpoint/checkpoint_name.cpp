#include "checkpoint/checkpoint_name.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

constexpr std::string_view kPrefix = "step_";
constexpr std::string_view kUnfinishedMark = ".tmp.";

std::optional<std::int64_t> step_of_name(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  std::int64_t step = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, step);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end && step >= 0;
  // Each step has one spelling: step_5 and step_000000005 are rejected.
  if (!whole || checkpoint_name(step) != name) return std::nullopt;
  return step;
}

}  // namespace

std::string checkpoint_name(std::int64_t step) {
  invariant(step >= 0, "the step of a checkpoint is not negative");
  return fmt::format("{}{:08}", kPrefix, step);
}

std::optional<std::int64_t> step_of(const std::filesystem::path& folder) {
  // "RUN/checkpoints/step_00000001/" ends in an empty part.
  const std::filesystem::path named = folder.has_filename() ? folder : folder.parent_path();
  return step_of_name(named.filename().string());
}

std::string unfinished_name(std::int64_t step) {
  return fmt::format("{}{}{}", checkpoint_name(step), kUnfinishedMark, ::getpid());
}

bool is_unfinished_checkpoint(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t mark = name.find(kUnfinishedMark);
  if (mark == std::string::npos || !step_of_name(std::string_view(name).substr(0, mark)))
    return false;
  const std::string_view pid = std::string_view(name).substr(mark + kUnfinishedMark.size());
  return !pid.empty() && std::ranges::all_of(pid, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace myxtts::checkpoint
