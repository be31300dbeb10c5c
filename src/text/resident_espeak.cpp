// Its output is a pipe, which the C library would fill before it sends anything: stdbuf, of the
// same package as cat, has it send line by line.
//
// Each piece is followed by an empty line, which comes back. An answer is believed when every piece
// has a group of its own with something in it. So a line too many, which would shift all answers
// after it, is seen at the latest by the next one: it begins with an empty group.

#include "text/resident_espeak.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace xtts::text {
namespace {

constexpr std::size_t kMostPieces = 32;
constexpr std::chrono::milliseconds kDeadline{2000};

std::vector<std::string> line_by_line(const std::vector<std::string>& command) {
  std::vector<std::string> words = {"stdbuf", "-oL"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

bool is_empty(const std::string& group) {
  return group.empty();
}

// Whether no more lines will come for so many pieces, or none that would make it a good answer.
bool is_whole(std::string_view answer, std::size_t num_pieces) {
  if (!answer.ends_with('\n')) return false;
  const std::vector<std::string> groups = parse_espeak_answer(answer);
  if (std::ranges::any_of(groups, is_empty)) return true;
  const bool has_ended = answer.ends_with("\n\n");
  return has_ended && groups.size() >= num_pieces;
}

}  // namespace

ResidentEspeak::ResidentEspeak(const std::string& voice)
    : voice_(voice), child_(line_by_line(espeak_command(voice))) {}

void ResidentEspeak::start() {
  const std::scoped_lock lock(mutex_);
  child_.start();
}

std::vector<Pronounced> ResidentEspeak::pronounce(std::span<const std::string> pieces) {
  if (pieces.empty() || pieces.size() > kMostPieces) return {};
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !child_.start()) return {};
  const auto is_enough = [&](std::string_view answer) { return is_whole(answer, pieces.size()); };
  const auto answer = child_.ask(espeak_input(voice_, pieces), is_enough, kDeadline);
  if (!answer) {
    count_espeak_restart();
    return {};
  }
  std::vector<std::string> groups = parse_espeak_answer(*answer);
  if (groups.size() != pieces.size() || std::ranges::any_of(groups, is_empty)) {
    child_.end();
    return {};
  }
  std::vector<Pronounced> pronounced(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    pronounced[i].phonemes = std::move(groups[i]);
  return pronounced;
}

}  // namespace xtts::text
