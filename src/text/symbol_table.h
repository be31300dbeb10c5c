// The symbol table of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace myxtts::text {

// Version of the built-in symbol list; raised when the list or its order changes. Tests pin the
// list.
inline constexpr int kSymbolTableVersion = 1;

// Encoded text, with the symbols that are not in the table.
struct Encoded {
  std::vector<std::string> symbols;  // one entry per id, "_" for the blank
  std::vector<std::int64_t> ids;
  std::vector<std::string> unknown;  // dropped, in order of appearance, each once
};

// The input symbols of a model with fixed ids: id 0 is the pad (and blank), then space and
// punctuation, digits, ASCII letters, Persian letters, IPA. A symbol is one code point.
//
// Immutable, so threads share it without locking. A checkpoint stores the table of its model
// (to_text), so that later versions of the program encode text for it correctly.
class SymbolTable {
 public:
  static constexpr std::int64_t kPadId = 0;

  SymbolTable();  // the built-in table of kSymbolTableVersion

  // Parses the output of to_text(). Throws UserError if it is damaged (header, count, hash).
  static SymbolTable from_text(std::string_view text);
  std::string to_text() const;

  // Encodes well-formed UTF-8. Symbols that are not in the table are dropped and reported. With
  // `add_blank` the pad id follows every symbol except spaces.
  Encoded encode(std::string_view utf8, bool add_blank) const;

  // Returns the text of the ids without pads. Throws UserError for an id outside the table.
  std::string decode(const std::vector<std::int64_t>& ids) const;

  bool contains(char32_t symbol) const { return ids_.contains(symbol); }
  std::size_t size() const { return symbols_.size(); }  // with the pad
  int version() const { return version_; }
  const std::string& hash() const { return hash_; }  // SHA-256 of the symbols in order

 private:
  SymbolTable(int version, std::u32string symbols);

  int version_;
  std::u32string symbols_;  // by id; symbols_[0] is the pad and is never looked up
  std::unordered_map<char32_t, std::int64_t> ids_;
  std::string hash_;
};

// True for a pronounced symbol: a letter, digit or IPA sound, not a space, modifier or punctuation.
bool is_speakable(char32_t symbol);

// True for a symbol inside a word: a pronounced one, or a modifier such as a stress or length mark.
bool is_in_word(char32_t symbol);

}  // namespace myxtts::text
