// Its output is a pipe, which the C library would fill before it sends anything: stdbuf, of the
// same package as cat, has it send line by line.
//
// Each piece is followed by an empty line, which comes back, and every request ends with one more
// piece, for which the answer is known. An answer is believed when it has a group for every piece
// and then that one: a line too many or too few would shift all answers after it.

#include "text/resident_espeak.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace xtts::text {
namespace {

constexpr std::size_t kMostPieces = 32;
constexpr int kMostUnanswered = 2;
constexpr std::chrono::milliseconds kDeadline{2000};
constexpr const char* kLastPiece = "7 0 7 1";  // numbers are words before they come here

std::vector<std::string> line_by_line(const std::vector<std::string>& command) {
  std::vector<std::string> words = {"stdbuf", "-oL"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace

ResidentEspeak::ResidentEspeak(const std::string& voice)
    : voice_(voice), child_(line_by_line(espeak_command(voice))) {}

void ResidentEspeak::start() {
  const std::scoped_lock lock(mutex_);
  child_.start();
}

// The groups of its answer; none if there was no answer.
std::vector<std::string> ResidentEspeak::ask(const std::vector<std::string>& pieces) {
  const auto is_whole = [&](std::string_view answer) {
    return answer.ends_with("\n\n") && parse_espeak_answer(answer).size() >= pieces.size();
  };
  const auto answer = child_.ask(espeak_input(voice_, pieces), is_whole, kDeadline);
  num_unanswered_ = answer ? 0 : num_unanswered_ + 1;
  return answer ? parse_espeak_answer(*answer) : std::vector<std::string>{};
}

bool ResidentEspeak::knows_last_word() {
  if (!last_word_.empty()) return true;
  std::vector<std::string> groups = ask({kLastPiece});
  if (groups.size() != 1) return false;
  last_word_ = std::move(groups.front());
  return !last_word_.empty();
}

std::vector<Pronounced> ResidentEspeak::pronounce(std::span<const std::string> pieces) {
  if (pieces.empty() || pieces.size() > kMostPieces) return {};
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || num_unanswered_ >= kMostUnanswered || !child_.start()) return {};
  std::vector<std::string> request(pieces.begin(), pieces.end());
  request.emplace_back(kLastPiece);
  std::vector<std::string> groups;
  if (knows_last_word()) groups = ask(request);
  const bool is_believed = groups.size() == request.size() && groups.back() == last_word_ &&
                           std::ranges::count(groups, "") == 0;
  if (!is_believed) {
    child_.end();
    return {};
  }
  std::vector<Pronounced> pronounced(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    pronounced[i].phonemes = std::move(groups[i]);
  return pronounced;
}

}  // namespace xtts::text
