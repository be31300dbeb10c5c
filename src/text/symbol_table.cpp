// The order of the symbols is a file format: models are trained on the ids. Adding, removing or
// moving a symbol needs a new kSymbolTableVersion; tests/unit/text/symbol_table_test.cpp pins the
// hash.

#include "text/symbol_table.h"

#include <algorithm>
#include <charconv>

#include <unicode/uchar.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/utf8.h"

namespace myxtts::text {
namespace {

constexpr std::u32string_view kPad = U"_";
constexpr std::u32string_view kMarks =
    U" !\"'(),-.:;?"
    U"\u00a1\u00bf\u00ab\u00bb\u2014\u2026"  // inverted ! and ?, angled quotes, dash, ellipsis
    U"\u060c\u061b\u061f\u200c";             // Persian comma, semicolon, question mark; half-space
constexpr std::u32string_view kDigits = U"0123456789";
constexpr std::u32string_view kLatin = U"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// Hamza forms, alef to yeh in Persian order, hamza above, then the vowel signs.
constexpr std::u32string_view kPersian =
    U"\u0621\u0622\u0623\u0624\u0626"
    U"\u0627\u0628\u067e\u062a\u062b\u062c\u0686\u062d\u062e\u062f\u0630\u0631\u0632\u0698\u0633"
    U"\u0634\u0635\u0636\u0637\u0638\u0639\u063a\u0641\u0642\u06a9\u06af\u0644\u0645\u0646\u0648"
    U"\u0647\u06cc\u0654"
    U"\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652";
// Vowels, consonants, clicks, then modifiers: stress, length, ties.
constexpr std::u32string_view kIpa =
    U"\u0251\u0250\u0252\u00e6\u0254\u0259\u0258\u025a\u025b\u025c\u025d\u025e\u0268\u026a\u026f"
    U"\u00f8\u0275\u0153\u0276\u0289\u028a\u028c\u0264\u028f\u1d7b\u1d4a\u1d7f\u1d7e\u026b"
    U"\u0253\u0299\u03b2\u0255\u00e7\u0257\u0256\u00f0\u02a4\u025f\u0284\u0261\u0260\u0262\u029b"
    U"\u0266\u0267\u0127\u0265\u029c\u029d\u026d\u026c\u026e\u029f\u0271\u0270\u014b\u0273\u0272"
    U"\u0274\u0278\u03b8\u0279\u027a\u027e\u027b\u0280\u0281\u027d\u0282\u0283\u0288\u02a7\u028b"
    U"\u2c71\u0263\u028d\u03c7\u028e\u0291\u0290\u0292\u0294\u02a1\u0295\u02a2"
    U"\u0298\u01c0\u01c1\u01c2\u01c3"
    U"\u02c8\u02cc\u02d0\u02d1\u02bc\u02b4\u02b0\u02b1\u02b2\u02b7\u02e0\u02e4\u02de\u207f\u02e1"
    U"\u0303\u0329\u032f\u030a\u0325\u032a\u031a\u0306\u030d\u0361\u035c\u2191\u2193\u2197\u2198";

std::u32string built_in_symbols() {
  std::u32string symbols;
  for (const auto part : {kPad, kMarks, kDigits, kLatin, kPersian, kIpa})
    symbols += part;
  return symbols;
}

std::string to_utf8(char32_t symbol) {
  return base::encode_utf8(std::u32string_view(&symbol, 1));
}

constexpr std::string_view kHeader = "myxtts symbol table";

// Removes the line "<label> <rest>\n" from the front of `text` and returns the rest.
std::string_view take_line(std::string_view& text, std::string_view label) {
  const std::size_t end = text.find('\n');
  require(end != std::string_view::npos && text.starts_with(label),
          "damaged symbol table: expected a line that starts with '{}'; restore the checkpoint "
          "from a copy",
          label);
  std::string_view rest = text.substr(label.size(), end - label.size());
  text.remove_prefix(end + 1);
  if (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return rest;
}

}  // namespace

SymbolTable::SymbolTable() : SymbolTable(kSymbolTableVersion, built_in_symbols()) {}

SymbolTable::SymbolTable(int version, std::u32string symbols)
    : version_(version), symbols_(std::move(symbols)) {
  for (std::size_t i = 1; i < symbols_.size(); ++i) {
    const bool is_new = ids_.emplace(symbols_[i], static_cast<std::int64_t>(i)).second;
    require(is_new, "damaged symbol table: duplicate symbol '{}'", to_utf8(symbols_[i]));
  }
  hash_ = base::sha256_hex(base::encode_utf8(symbols_));
}

// Layout: "myxtts symbol table <version>\n" "sha256 <hash>\n" "<all symbols in order>\n".
std::string SymbolTable::to_text() const {
  return fmt::format(
      "{} {}\nsha256 {}\n{}\n", kHeader, version_, hash_, base::encode_utf8(symbols_));
}

SymbolTable SymbolTable::from_text(std::string_view text) {
  const std::string_view version_text = take_line(text, kHeader);
  const std::string hash(take_line(text, "sha256"));
  const std::string_view symbols = take_line(text, "");
  int version = 0;
  const std::string digits(version_text);
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, version);
  require(parsed.ec == std::errc{} && parsed.ptr == end && version >= 1,
          "damaged symbol table: version '{}' is not a number; restore the checkpoint from a copy",
          version_text);
  require(base::is_utf8(symbols) && text.empty() && symbols.starts_with('_'),
          "damaged symbol table: expected one line of UTF-8 symbols that starts with '_'");
  SymbolTable table(version, base::decode_utf8(symbols));
  require(table.hash() == hash,
          "damaged symbol table: SHA-256 is {}, expected {}; restore the checkpoint from a copy",
          table.hash(),
          hash);
  return table;
}

Encoded SymbolTable::encode(std::string_view utf8, bool add_blank) const {
  Encoded encoded;
  for (const char32_t symbol : base::decode_utf8(utf8)) {
    const auto found = ids_.find(symbol);
    if (found == ids_.end()) {
      const std::string name = to_utf8(symbol);
      if (std::ranges::count(encoded.unknown, name) == 0 && encoded.unknown.size() < 32) {
        encoded.unknown.push_back(name);
      }
      continue;
    }
    encoded.symbols.push_back(to_utf8(symbol));
    encoded.ids.push_back(found->second);
    if (add_blank && symbol != U' ') {
      encoded.symbols.emplace_back("_");
      encoded.ids.push_back(kPadId);
    }
  }
  return encoded;
}

std::string SymbolTable::decode(const std::vector<std::int64_t>& ids) const {
  std::u32string text;
  for (const std::int64_t id : ids) {
    require(
        id >= 0 && id < static_cast<std::int64_t>(symbols_.size()),
        "symbol id {} is outside the table of {} symbols; decode it with the table that encoded it",
        id,
        symbols_.size());
    if (id != kPadId) text.push_back(symbols_[static_cast<std::size_t>(id)]);
  }
  return base::encode_utf8(text);
}

bool is_speakable(char32_t symbol) {
  const bool is_modifier = u_charType(static_cast<UChar32>(symbol)) == U_MODIFIER_LETTER;
  return !is_modifier && u_isalnum(static_cast<UChar32>(symbol)) != 0;
}

bool is_in_word(char32_t symbol) {
  return is_speakable(symbol) || u_charType(static_cast<UChar32>(symbol)) == U_MODIFIER_LETTER;
}

}  // namespace myxtts::text
