// Without a text argument espeak-ng reads standard input and processes each line separately. An
// empty line after every piece appears as an empty line in the output, however many lines the piece
// gives. A batch is rejected unless its output has one group per piece.
//
// espeak-ng synthesises audio even with -q. A fast, high voice minimises it: the phonemes are the
// same (tested) in a third of the time.

#include "text/espeak.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include <fmt/format.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/subprocess.h"

namespace myxtts::text {
namespace {

constexpr std::chrono::milliseconds kSingleTimeout{2000};
constexpr std::chrono::milliseconds kBatchTimeout{10000};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): counts for the process
std::atomic<std::int64_t> g_restarts = 0;

[[noreturn]] void fail_not_installed() {
  throw UserError(
      "espeak-ng is not installed, and data.use_phonemes needs it; install it with "
      "'sudo apt-get install espeak-ng', or train on letters with --set data.use_phonemes=false");
}

base::ChildResult run_espeak(const std::string& voice, std::string input, bool is_batch) {
  base::ChildCommand command;
  command.argv = espeak_command(voice);
  command.input = std::move(input);
  command.timeout = is_batch ? kBatchTimeout : kSingleTimeout;
  base::ChildResult result = base::run_child(command);
  if (result.end == base::ChildEnd::kNotFound) fail_not_installed();
  if (!result.ok()) ++g_restarts;
  return result;
}

std::string to_lower_ascii(std::string name) {
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return name;
}

// Parses a line of "espeak-ng --voices": the language is in column two, further languages of the
// voice are at the end as "(en 3)".
void append_voices(std::string_view line, std::vector<std::string>& voices) {
  const std::size_t name_at = line.find_first_not_of(' ', line.find_first_of("0123456789") + 1);
  if (name_at == std::string_view::npos) return;
  voices.emplace_back(
      to_lower_ascii(std::string(line.substr(name_at, line.find(' ', name_at) - name_at))));
  // The name of a voice may contain parentheses too, but no space inside them.
  for (std::size_t at = line.find(" ("); at != std::string_view::npos;
       at = line.find('(', at + 2)) {
    const std::size_t first = line.find('(', at) + 1;
    const std::size_t end = line.find_first_of(" )", first);
    if (end == std::string_view::npos) return;
    if (line[end] == ' ')
      voices.emplace_back(to_lower_ascii(std::string(line.substr(first, end - first))));
  }
}

std::vector<std::string> list_voices() {
  const base::ChildResult result =
      base::run_child({.argv = {"espeak-ng", "--voices"}, .input = "", .timeout = kBatchTimeout});
  if (!result.ok()) {
    base::check_interrupt();
    throw UserError(fmt::format(
        "'espeak-ng --voices' failed ({}); run it in a shell and reinstall espeak-ng if it fails "
        "there too",
        result.message()));
  }
  std::vector<std::string> voices;
  std::string_view rest = result.output;
  for (bool is_header = true; !rest.empty(); is_header = false) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (!is_header) append_voices(rest.substr(0, end), voices);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return voices;
}

bool is_voice_name(const std::string& voice) {
  return !voice.empty() && voice.size() <= 64 && std::ranges::all_of(voice, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '+';
  });
}

// True if the voice is listed; espeak-ng itself accepts "en-uss" as "en". A variant after '+' and
// the mbrola voices are not listed, so espeak-ng checks them.
bool is_listed(const std::string& voice, const std::vector<std::string>& voices) {
  const std::string name = to_lower_ascii(voice.substr(0, voice.find('+')));
  return name.starts_with("mb-") || std::ranges::count(voices, name) > 0;
}

bool is_lone_capital(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] < 'A' || text[at] > 'Z') return false;
  const bool starts = at == 0 || text[at - 1] == ' ';
  return starts && (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\'');
}

// English voices read a single "A" as the article, also among spelled letters as in "at ten A M".
// There it is replaced by a spelling that sounds like the letter.
std::string respell_spelled_a(const std::string& voice, const std::string& piece) {
  if (!voice.starts_with("en")) return piece;
  std::string result;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const bool among_letters =
        is_lone_capital(piece, i) &&
        (is_lone_capital(piece, i + 2) || (i >= 2 && is_lone_capital(piece, i - 2)));
    if (piece[i] == 'A' && among_letters) {
      result += "eh";
    } else {
      result += piece[i];
    }
  }
  return result;
}

void append_line(std::string& group, std::string_view line) {
  if (line.empty()) return;
  if (!group.empty()) group += ' ';
  group += line;
}

// Returns the length of a language switch mark such as "(en)" at the start of the text, else 0.
std::size_t switch_mark_length(std::string_view text) {
  if (text.empty() || text.front() != '(') return 0;
  const std::size_t end = text.find(')');
  return end != std::string_view::npos && end <= 16 ? end + 1 : 0;
}

std::string clean_line(std::string_view line) {
  std::string cleaned;
  while (!line.empty()) {
    const std::size_t mark = switch_mark_length(line);
    if (mark == 0) cleaned += line.front();
    line.remove_prefix(std::max<std::size_t>(mark, 1));
    if (cleaned.ends_with("q1")) cleaned.pop_back();
  }
  const std::size_t first = cleaned.find_first_not_of(" \r");
  if (first == std::string::npos) return "";
  return cleaned.substr(first, cleaned.find_last_not_of(" \r") - first + 1);
}

Pronunciation failed_piece(const std::string& piece, std::string_view reason) {
  constexpr std::size_t kMaxShownBytes = 40;
  std::size_t shown = std::min(piece.size(), kMaxShownBytes);
  while (shown > 0 && shown < piece.size() && (piece[shown] & 0xC0) == 0x80)
    --shown;
  return {"",
          fmt::format("espeak-ng cannot pronounce \"{}{}\": {}; reword or remove it",
                      piece.substr(0, shown),
                      shown < piece.size() ? "..." : "",
                      reason)};
}

}  // namespace

std::string espeak_voice_of(std::string_view language) {
  return language == "en" ? "en-us" : std::string(language);
}

std::vector<std::string> espeak_command(const std::string& voice) {
  return {"espeak-ng", "-q", "--ipa", "-b", "1", "-s", "445", "-p", "99", "-v", voice};
}

std::string espeak_input(const std::string& voice, std::span<const std::string> pieces) {
  std::string input;
  for (const std::string& piece : pieces)
    input += respell_spelled_a(voice, piece) + "\n\n";
  return input;
}

void require_espeak_voice(const std::string& voice) {
  if (!base::program_exists("espeak-ng")) fail_not_installed();
  const std::vector<std::string> voices = list_voices();
  if (is_voice_name(voice) && is_listed(voice, voices) && run_espeak(voice, "", false).ok()) return;
  throw UsageError(
      fmt::format("data.phoneme_language: espeak-ng has no voice '{}'; 'espeak-ng --voices' lists "
                  "them{}",
                  voice,
                  base::did_you_mean(voice, voices)));
}

Pronunciation phonemise_one(const std::string& voice, const std::string& piece) {
  const base::ChildResult result = run_espeak(voice, espeak_input(voice, {&piece, 1}), false);
  if (!result.ok()) {
    base::check_interrupt();  // Ctrl-C also kills the child, which is no fault of the text
    return failed_piece(piece, result.message());
  }
  const std::vector<std::string> groups = parse_espeak_output(result.output);
  if (groups.size() != 1) return failed_piece(piece, "no output");
  return {groups.front(), ""};
}

std::vector<Pronunciation> phonemise_many(const std::string& voice,
                                          std::span<const std::string> pieces) {
  if (pieces.empty()) return {};
  if (pieces.size() == 1) return {phonemise_one(voice, pieces.front())};

  const base::ChildResult result = run_espeak(voice, espeak_input(voice, pieces), true);
  if (result.ok()) {
    const std::vector<std::string> groups = parse_espeak_output(result.output);
    if (groups.size() == pieces.size()) {
      std::vector<Pronunciation> pronounced(groups.size());
      for (std::size_t i = 0; i < groups.size(); ++i)
        pronounced[i].phonemes = groups[i];
      return pronounced;
    }
  }
  base::check_interrupt();
  std::vector<Pronunciation> pronounced = phonemise_many(voice, pieces.first(pieces.size() / 2));
  std::vector<Pronunciation> rest = phonemise_many(voice, pieces.subspan(pieces.size() / 2));
  std::ranges::move(rest, std::back_inserter(pronounced));
  return pronounced;
}

std::int64_t num_espeak_restarts() {
  return g_restarts;
}

std::vector<std::string> parse_espeak_output(std::string_view output) {
  std::vector<std::string> groups;
  std::string group;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string line = clean_line(output.substr(0, end));
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.empty()) {
      groups.push_back(std::move(group));
      group.clear();
    } else {
      append_line(group, line);
    }
  }
  if (!group.empty()) groups.push_back(std::move(group));
  return groups;
}

}  // namespace myxtts::text
