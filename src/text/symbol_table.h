#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xtts::text {

// Raised whenever the built-in list of symbols or its order changes; tests pin the list.
inline constexpr int kSymbolTableVersion = 1;

// Symbols found and symbols that the table does not have.
struct Encoded {
  std::vector<std::string> symbols;  // one entry per id, "_" for the blank
  std::vector<std::int64_t> ids;
  std::vector<std::string> unknown;  // dropped, in order of appearance, each once
};

// The characters a model can be given, each with a fixed id: id 0 is the pad (and blank), then
// space and punctuation, ASCII letters, Persian letters, IPA. A symbol is one code point.
//
// Immutable: shared between threads without locking. A model keeps the table it was trained with
// (to_text), so that a later version of the program still encodes for it.
class SymbolTable {
 public:
  static constexpr std::int64_t kPadId = 0;

  SymbolTable();  // the built-in table of kSymbolTableVersion

  // Reads what to_text() wrote; throws UserError when it is damaged (header, count, hash).
  static SymbolTable from_text(std::string_view text);
  std::string to_text() const;

  // `utf8` must be well formed. A symbol that is not in the table is dropped and reported. With
  // `add_blank` the pad id follows every symbol that is not a space.
  Encoded encode(std::string_view utf8, bool add_blank) const;

  // The text of the ids without pads; throws UserError on an id outside the table.
  std::string decode(const std::vector<std::int64_t>& ids) const;

  bool contains(char32_t symbol) const { return ids_.contains(symbol); }
  std::size_t size() const { return symbols_.size(); }  // with the pad
  int version() const { return version_; }
  const std::string& hash() const { return hash_; }  // SHA-256 of the symbols in order

 private:
  SymbolTable(int version, std::u32string symbols);

  int version_;
  std::u32string symbols_;  // by id; symbols_[0] stands for the pad and is never looked up
  std::unordered_map<char32_t, std::int64_t> ids_;
  std::string hash_;
};

// True for a symbol that is heard: a letter or an IPA sound, not a space, mark or punctuation.
bool is_speakable(char32_t symbol);

}  // namespace xtts::text
