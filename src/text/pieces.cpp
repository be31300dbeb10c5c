// espeak-ng reads standard input in lines of at most 999 bytes and splits clauses at about 800
// bytes, even inside a character; pieces stay well below that. It reads "[[...]]" as phoneme names,
// and Debian's 1.51 crashes on a word with 70 apostrophes.

#include "text/pieces.h"

#include "base/utf8.h"
#include "text/reading.h"

namespace myxtts::text {
namespace {

constexpr int kMaxApostrophesInWord = 3;  // fo'c's'le

bool is_mark(std::u32string_view text, std::size_t at) {
  constexpr std::u32string_view kMarks =
      U".,;:!?()\"\u00a1\u00bf\u00ab\u00bb\u2014\u2026\u060c\u061b\u061f";
  const char32_t c = text[at];
  if (kMarks.find(c) == std::u32string_view::npos) return false;
  // A point or comma inside a number belongs to it (in texts without a cleaner).
  const bool separator = c == U'.' || c == U',' || c == U':';
  return !(separator && at > 0 && is_digit(text[at - 1]) && is_digit(char_at(text, at + 1)));
}

std::u32string sanitised(std::u32string_view piece) {
  std::u32string result;
  int num_apostrophes = 0;
  for (const char32_t c : piece) {
    if (c == U' ') num_apostrophes = 0;
    if (c == U'\'') {
      const bool repeated = !result.empty() && result.back() == U'\'';
      if (repeated || ++num_apostrophes > kMaxApostrophesInWord) continue;
    }
    const bool breaks_line = c < 0x20 || c == 0x7f || c == U'[' || c == U']';
    result.push_back(breaks_line ? U' ' : c);
  }
  return result;
}

bool has_letter_or_digit(std::u32string_view piece) {
  for (const char32_t c : piece) {
    if (is_letter_or_digit(c)) return true;
  }
  return false;
}

// Returns the length of the longest prefix within the limit, up to a space if there is one.
std::size_t prefix_length(std::u32string_view piece) {
  std::size_t num_bytes = 0;
  std::size_t last_space = 0;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const char32_t c = piece[i];
    num_bytes += c < 0x80 ? 1U : c < 0x800 ? 2U : c < 0x10000 ? 3U : 4U;
    if (num_bytes > kMaxPieceBytes) return last_space > 0 ? last_space : i;
    if (c == U' ') last_space = i;
  }
  return piece.size();
}

void append_piece(std::vector<Segment>& segments,
                  std::u32string before,
                  std::u32string_view piece) {
  while (true) {
    const std::size_t length = prefix_length(piece);
    segments.push_back({base::encode_utf8(before), base::encode_utf8(piece.substr(0, length))});
    piece.remove_prefix(length);
    if (piece.empty()) return;
    before.assign(1, U' ');
    while (!piece.empty() && piece.front() == U' ')
      piece.remove_prefix(1);
    if (!has_letter_or_digit(piece)) return;
  }
}

}  // namespace

std::vector<Segment> split_at_punctuation(std::string_view utf8) {
  const std::u32string text = base::decode_utf8(utf8);
  std::vector<Segment> segments;
  std::u32string before;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == U' ' || is_mark(text, at)) {
      before.push_back(text[at++]);
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_mark(text, end))
      ++end;
    const std::size_t mark_at = end;
    while (text[end - 1] == U' ')
      --end;
    const std::u32string piece = sanitised(std::u32string_view(text).substr(at, end - at));
    if (has_letter_or_digit(piece)) {
      append_piece(segments, std::move(before), piece);
      before.clear();
    }
    before.append(mark_at - end, U' ');
    at = mark_at;
  }
  if (!before.empty()) segments.push_back({base::encode_utf8(before), ""});
  return segments;
}

}  // namespace myxtts::text
