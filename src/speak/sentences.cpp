// Two passes over code points. The first finds the places where a sentence ends; the second cuts
// sentences that are too long at the best mark within the limit. Marks that have no word of their
// own ("..." between two sentences) go with what stands before them: a model cannot say them.

#include "speak/sentences.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/abbreviations_english.h"
#include "text/reading.h"

namespace xtts::speak {
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

// What may stand between the mark and the blank that follows a sentence.
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

// The characters at `at` that are an abbreviation with its point, which then ends no sentence; 0
// if there is none. `previous` is the word before.
std::size_t abbreviation_at(Text text, std::size_t at, std::string_view previous) {
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

// A place where the text may be cut: behind its marks, before the blanks.
struct Place {
  std::size_t at = 0;
  PieceEnd end = PieceEnd::kSentence;
};

std::size_t end_of_marks(Text text, std::size_t at) {
  while (at < text.size() && (is_end_mark(text[at]) || is_closing(text[at])))
    ++at;
  return at;
}

// True if a sentence ends with the marks before `end`: a blank follows or the text ends, and what
// comes next does not go on in small letters ("Stop!" he said).
bool sentence_ends_before(Text text, std::size_t end) {
  if (end < text.size() && !is_blank(text[end])) return false;
  std::size_t next = end;
  while (next < text.size() &&
         (is_blank(text[next]) || is_one_of(text[next], U"\"'([\u201C\u2018")))
    ++next;
  return next >= text.size() || !text::is_lower(text[next]);
}

// True if an empty line begins at the blank `at`.
bool is_empty_line_at(Text text, std::size_t at) {
  if (text[at] == U'\u2029') return true;
  if (text[at] != U'\n') return false;
  std::size_t next = at + 1;
  while (next < text.size() && text[next] != U'\n' && is_blank(text[next]))
    ++next;
  return next < text.size() && text[next] == U'\n';
}

std::vector<Place> sentence_ends(Text text) {
  std::vector<Place> ends;
  std::string previous;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = text[at];
    if (is_word_character(c)) {
      const std::size_t word_end = end_of_word(text, at);
      const std::size_t taken = abbreviation_at(text, at, previous);
      // Only the start of a long word is looked at later, to see whether it has a capital.
      previous = text::to_ascii(text, at, std::min<std::size_t>(word_end - at, 24));
      at = std::max(word_end, at + taken);
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

// How good a cut behind `at` - 1 and before `at` is; absent where none may be.
std::optional<PieceEnd> cut_at(Text text, std::size_t at) {
  if (!is_blank(text[at])) return std::nullopt;
  std::size_t last = at;
  while (last > 1 && is_closing(text[last - 1]))
    --last;
  if (is_end_mark(text[last - 1])) return PieceEnd::kSentence;
  return is_clause_mark(text[last - 1]) ? PieceEnd::kClause : PieceEnd::kWord;
}

// The best place to cut a sentence that is too long. The better mark wins, then the later one; the
// first third is left alone, so that no piece is a stump.
Place best_cut(Text text, std::size_t max_characters) {
  Place best{max_characters, PieceEnd::kWord};
  bool found = false;
  for (std::size_t at = std::max<std::size_t>(1, max_characters / 3); at <= max_characters; ++at) {
    const std::optional<PieceEnd> end = cut_at(text, at);
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
      const Place cut = best_cut(text, max_characters_);
      add(trimmed(text.substr(0, cut.at)), cut.end);
      text = trimmed(text.substr(cut.at));
    }
    add(text, end);
  }

  std::vector<Piece> take() {
    if (!waiting_.empty()) {
      pieces_.push_back({base::encode_utf8(trimmed(waiting_)), PieceEnd::kSentence});
    }
    if (!pieces_.empty()) pieces_.back().end = PieceEnd::kSentence;
    return std::move(pieces_);
  }

 private:
  // Texts are views of one string: what was cut without a blank is put together without one, so
  // that no piece has more characters than the text.
  void add(Text text, PieceEnd end) {
    if (text.empty()) {
      if (!pieces_.empty()) pieces_.back().end = std::max(pieces_.back().end, end);
      return;
    }
    const bool apart = end_ != nullptr && end_ != text.data();
    end_ = text.data() + text.size();
    const std::u32string with_blank = (apart ? U" " : U"") + std::u32string(text);
    if (pieces_.empty() && !has_word(text)) {
      waiting_ += with_blank;
    } else if (has_word(text)) {
      if (!waiting_.empty()) waiting_ += with_blank;
      pieces_.push_back({base::encode_utf8(waiting_.empty() ? text : Text(waiting_)), end});
      waiting_.clear();
    } else {
      pieces_.back().text += base::encode_utf8(with_blank);
      pieces_.back().end = std::max(pieces_.back().end, end);
    }
  }

  std::size_t max_characters_;
  std::vector<Piece> pieces_;
  std::u32string waiting_;         // marks before the first word
  const char32_t* end_ = nullptr;  // of what was added last
};

}  // namespace

std::vector<Piece> split_sentences(std::string_view utf8, std::size_t max_characters) {
  invariant(max_characters > 0, "a piece has room for a character");
  const std::u32string text = base::decode_utf8(utf8);
  PieceList pieces(max_characters);
  std::size_t begin = 0;
  for (const Place& end : sentence_ends(text)) {
    pieces.add_sentence(Text(text).substr(begin, end.at - begin), end.end);
    begin = end.at;
  }
  pieces.add_sentence(Text(text).substr(begin), PieceEnd::kSentence);
  return pieces.take();
}

}  // namespace xtts::speak
