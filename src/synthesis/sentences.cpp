// Two passes over code points. The first finds the sentence ends; the second cuts sentences that
// are too long at the best punctuation mark within the limit. Punctuation without a word ("..."
// between two sentences) is attached to the piece before it, because a model cannot synthesise it
// alone.

#include "synthesis/sentences.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/abbreviations_english.h"
#include "text/reading.h"

namespace myxtts::synthesis {
namespace {

using Text = std::u32string_view;

bool is_one_of(char32_t c, Text set) {
  return set.find(c) != Text::npos;
}

bool is_blank(char32_t c) {
  return is_one_of(c, U" \t\r\n\v\f\u00A0\u2028\u2029\u3000\uFEFF") || (c >= 0x2000 && c <= 0x200A);
}

bool is_end_mark(char32_t c) {
  return is_one_of(c, U".!?\u2026\u061F\u06D4\u3002\uFF01\uFF1F");
}

bool is_clause_mark(char32_t c) {
  return is_one_of(c, U",;:\u060C\u061B\u2013\u2014");
}

// Characters that may follow the end mark of a sentence before the blank.
bool is_closing(char32_t c) {
  return is_one_of(c, U"\"')]}\u2019\u201D\u00BB\u203A");
}

bool is_word_character(char32_t c) {
  return text::is_letter_or_digit(c) || (c >= 0x0660 && c <= 0x0669) ||
         (c >= 0x06F0 && c <= 0x06F9);
}

bool has_word(Text text) {
  return std::ranges::any_of(text, is_word_character);
}

Text trimmed(Text text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

// Returns the length of the abbreviation at `at` including its full stop, which does not end a
// sentence; 0 if there is none. `previous` is the word before.
std::size_t abbreviation_length(Text text, std::size_t at, std::string_view previous) {
  for (const auto read : {text::read_dotted_letters, text::read_abbreviation}) {
    const std::optional<text::Reading> reading = read(text, at, previous);
    if (reading) return reading->length;
  }
  return 0;
}

std::size_t end_of_word(Text text, std::size_t at) {
  while (at < text.size() && is_word_character(text[at]))
    ++at;
  return at;
}

// A position where the text may be cut: after punctuation, before blanks.
struct Boundary {
  std::size_t at = 0;
  PieceEnd end = PieceEnd::kSentence;
};

std::size_t end_of_marks(Text text, std::size_t at) {
  while (at < text.size() && (is_end_mark(text[at]) || is_closing(text[at])))
    ++at;
  return at;
}

// Returns true if the marks before `end` end a sentence: a blank or the end of the text follows,
// and the next word does not start in lower case ("Stop!" he said).
bool sentence_ends_before(Text text, std::size_t end) {
  if (end < text.size() && !is_blank(text[end])) return false;
  std::size_t next = end;
  while (next < text.size() &&
         (is_blank(text[next]) || is_one_of(text[next], U"\"'([\u201C\u2018")))
    ++next;
  return next >= text.size() || !text::is_lower(text[next]);
}

// Returns true if an empty line begins at the blank `at`.
bool is_empty_line_at(Text text, std::size_t at) {
  if (text[at] == U'\u2029') return true;
  if (text[at] != U'\n') return false;
  std::size_t next = at + 1;
  while (next < text.size() && text[next] != U'\n' && is_blank(text[next]))
    ++next;
  return next < text.size() && text[next] == U'\n';
}

std::vector<Boundary> sentence_ends(Text text) {
  std::vector<Boundary> ends;
  std::string previous;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text[at];
    if (is_word_character(c)) {
      const std::size_t word_end = end_of_word(text, at);
      const std::size_t length = abbreviation_length(text, at, previous);
      // Only the start of the previous word is needed, to detect a capital.
      previous = text::to_ascii(text, at, std::min<std::size_t>(word_end - at, 24));
      at = std::max(word_end, at + length);
    } else if (is_end_mark(c)) {
      at = end_of_marks(text, at);
      if (!sentence_ends_before(text, at)) continue;
      ends.push_back({at, PieceEnd::kSentence});
      previous.clear();
    } else {
      if (is_empty_line_at(text, at)) ends.push_back({at, PieceEnd::kParagraph});
      ++at;
    }
  }
  return ends;
}

// Returns the kind of boundary between `at` - 1 and `at`; absent if no cut is allowed there.
std::optional<PieceEnd> boundary_at(Text text, std::size_t at) {
  if (!is_blank(text[at])) return std::nullopt;
  std::size_t last = at;
  while (last > 1 && is_closing(text[last - 1]))
    --last;
  if (is_end_mark(text[last - 1])) return PieceEnd::kSentence;
  return is_clause_mark(text[last - 1]) ? PieceEnd::kClause : PieceEnd::kWord;
}

// Returns the best boundary in a sentence that is too long: the strongest mark, then the latest.
// The first third is not searched, so that no piece is very short.
Boundary best_cut(Text text, std::size_t max_characters) {
  Boundary best{max_characters, PieceEnd::kWord};
  bool found = false;
  for (std::size_t at = std::max<std::size_t>(1, max_characters / 3); at <= max_characters; ++at) {
    const std::optional<PieceEnd> end = boundary_at(text, at);
    if (end && (!found || *end >= best.end)) {
      best = {at, *end};
      found = true;
    }
  }
  return best;
}

class PieceList {
 public:
  explicit PieceList(std::size_t max_characters) : max_characters_(max_characters) {}

  void add_sentence(Text text, PieceEnd end) {
    text = trimmed(text);
    while (text.size() > max_characters_) {
      const Boundary cut = best_cut(text, max_characters_);
      add(trimmed(text.substr(0, cut.at)), cut.end);
      text = trimmed(text.substr(cut.at));
    }
    add(text, end);
  }

  std::vector<Piece> finish() {
    if (!leading_marks_.empty()) {
      pieces_.push_back({base::encode_utf8(trimmed(leading_marks_)), PieceEnd::kSentence});
    }
    if (!pieces_.empty()) pieces_.back().end = PieceEnd::kSentence;
    return std::move(pieces_);
  }

 private:
  // All texts are views of one string. Parts that were cut without a blank between them are joined
  // without one, so that no piece has more characters than the text.
  void add(Text text, PieceEnd end) {
    if (text.empty()) {
      if (!pieces_.empty()) pieces_.back().end = std::max(pieces_.back().end, end);
      return;
    }
    const bool has_gap = end_ != nullptr && end_ != text.data();
    end_ = text.data() + text.size();
    const std::u32string with_blank = (has_gap ? U" " : U"") + std::u32string(text);
    if (pieces_.empty() && !has_word(text)) {
      leading_marks_ += with_blank;
    } else if (has_word(text)) {
      if (!leading_marks_.empty()) leading_marks_ += with_blank;
      pieces_.push_back(
          {base::encode_utf8(leading_marks_.empty() ? text : Text(leading_marks_)), end});
      leading_marks_.clear();
    } else {
      pieces_.back().text += base::encode_utf8(with_blank);
      pieces_.back().end = std::max(pieces_.back().end, end);
    }
  }

  std::size_t max_characters_;
  std::vector<Piece> pieces_;
  std::u32string leading_marks_;   // punctuation before the first word
  const char32_t* end_ = nullptr;  // of the text added last
};

}  // namespace

std::vector<Piece> split_sentences(std::string_view utf8, std::size_t max_characters) {
  invariant(max_characters > 0, "max_characters is positive");
  const std::u32string text = base::decode_utf8(utf8);
  PieceList pieces(max_characters);
  std::size_t begin = 0;
  for (const Boundary& end : sentence_ends(text)) {
    pieces.add_sentence(Text(text).substr(begin, end.at - begin), end.end);
    begin = end.at;
  }
  pieces.add_sentence(Text(text).substr(begin), PieceEnd::kSentence);
  return pieces.finish();
}

}  // namespace myxtts::synthesis
