// espeak-ng would buffer its output, because it is a pipe. stdbuf, of the same package as cat,
// makes it line-buffered.
//
// Each piece is followed by an empty line, which appears in the output, and every request ends with
// a sentinel piece of known output. A response is accepted if it has one group per piece and then
// that of the sentinel: a missing or extra line would shift all later results.

#include "text/persistent_espeak.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace myxtts::text {
namespace {

constexpr std::size_t kMaxPieces = 32;
constexpr int kMaxFailed = 2;
constexpr std::chrono::milliseconds kTimeout{2000};
constexpr const char* kSentinel = "7 0 7 1";  // no real piece: cleaners turn numbers into words

std::vector<std::string> line_buffered(const std::vector<std::string>& command) {
  std::vector<std::string> argv = {"stdbuf", "-oL"};
  argv.insert(argv.end(), command.begin(), command.end());
  return argv;
}

}  // namespace

PersistentEspeak::PersistentEspeak(const std::string& voice)
    : voice_(voice), child_(line_buffered(espeak_command(voice))) {}

void PersistentEspeak::start() {
  const std::scoped_lock lock(mutex_);
  child_.start();
}

// Returns the groups of the output; empty if the request failed.
std::vector<std::string> PersistentEspeak::ask(const std::vector<std::string>& pieces) {
  const auto is_complete = [&](std::string_view output) {
    return output.ends_with("\n\n") && parse_espeak_output(output).size() >= pieces.size();
  };
  const auto output = child_.ask(espeak_input(voice_, pieces), is_complete, kTimeout);
  num_failed_ = output ? 0 : num_failed_ + 1;
  return output ? parse_espeak_output(*output) : std::vector<std::string>{};
}

bool PersistentEspeak::learn_sentinel_output() {
  if (!sentinel_output_.empty()) return true;
  std::vector<std::string> groups = ask({kSentinel});
  if (groups.size() != 1) return false;
  sentinel_output_ = std::move(groups.front());
  return !sentinel_output_.empty();
}

std::vector<Pronunciation> PersistentEspeak::phonemise(std::span<const std::string> pieces) {
  if (pieces.empty() || pieces.size() > kMaxPieces) return {};
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || num_failed_ >= kMaxFailed || !child_.start()) return {};
  std::vector<std::string> request(pieces.begin(), pieces.end());
  request.emplace_back(kSentinel);
  std::vector<std::string> groups;
  if (learn_sentinel_output()) groups = ask(request);
  const bool is_consistent = groups.size() == request.size() && groups.back() == sentinel_output_ &&
                             std::ranges::count(groups, "") == 0;
  if (!is_consistent) {
    child_.stop();
    return {};
  }
  std::vector<Pronunciation> results(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    results[i].phonemes = std::move(groups[i]);
  return results;
}

}  // namespace myxtts::text
