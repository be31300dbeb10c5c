#include "config/value.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace myxtts::config {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kMaxTextBytes = 4096;

std::string lower(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return word;
}

bool is_unquoted(const YamlNode& node) {
  return node.kind == Kind::kScalar && !node.quoted;
}

bool is_unset(const YamlNode& node, const char* unset) {
  if (node.kind == Kind::kNull) return true;
  return is_unquoted(node) && (node.text == "null" || node.text == "~" || node.text == unset);
}

// YAML parsers disagree about 010: ten or eight.
bool has_leading_zero(const std::string& text) {
  const std::size_t start = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return text.size() > start + 1 && text[start] == '0' &&
         std::isdigit(static_cast<unsigned char>(text[start + 1])) != 0;
}

template <typename Number>
std::optional<Number> parse_number(const YamlNode& node) {
  if (!is_unquoted(node) || has_leading_zero(node.text)) return std::nullopt;
  const char* first = node.text.data();
  const char* last = first + node.text.size();
  if (first != last && *first == '+' && first + 1 != last && first[1] != '-') ++first;
  Number number{};
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc() || end != last) return std::nullopt;
  return number;
}

bool parse(const YamlNode& node, bool& value) {
  if (!is_unquoted(node)) return false;
  const std::string word = lower(node.text);
  if (word == "true" || word == "yes" || word == "on") {
    value = true;
    return true;
  }
  if (word == "false" || word == "no" || word == "off") {
    value = false;
    return true;
  }
  return false;
}

bool parse(const YamlNode& node, int& value) {
  const std::optional<int> number = parse_number<int>(node);
  if (number) value = *number;
  return number.has_value();
}

bool parse(const YamlNode& node, double& value) {
  const std::optional<double> number = parse_number<double>(node);
  if (!number || !std::isfinite(*number)) return false;
  value = *number;
  return true;
}

bool parse(const YamlNode& node, std::string& value) {
  if (node.kind != Kind::kScalar || node.text.size() > kMaxTextBytes) return false;
  value = node.text;
  return true;
}

bool parse(const YamlNode& node, std::vector<std::string>& value) {
  if (node.kind != Kind::kSequence) return false;
  std::vector<std::string> items(node.items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!parse(node.items[i], items[i])) return false;
  }
  value = std::move(items);
  return true;
}

template <typename Value>
bool read_value(Value& value, const YamlNode& node, const char* /*unset*/) {
  return parse(node, value);
}

template <typename Value>
bool read_value(std::optional<Value>& value, const YamlNode& node, const char* unset) {
  if (is_unset(node, unset)) {
    value.reset();
    return true;
  }
  Value parsed{};
  if (!parse(node, parsed)) return false;
  value = std::move(parsed);
  return true;
}

// Writes the shortest digits that round-trip, with a decimal point, because some YAML parsers take
// 1e-05 for a string.
std::string write(double value) {
  std::string digits = fmt::format("{}", value);
  if (digits.find('.') != std::string::npos) return digits;
  const std::size_t exponent = std::min(digits.find('e'), digits.size());
  return digits.insert(exponent, ".0");
}

std::string write(bool value) {
  return value ? "true" : "false";
}
std::string write(int value) {
  return fmt::format("{}", value);
}
std::string write(const std::string& value) {
  return yaml_string(value);
}

std::string write(const std::vector<std::string>& value) {
  std::string text = "[";
  for (const std::string& item : value) {
    if (text.size() > 1) text += ", ";
    text += yaml_string(item);
  }
  return text + "]";
}

template <typename Value>
std::string write_value(const Value& value, const char* /*unset*/) {
  return write(value);
}

template <typename Value>
std::string write_value(const std::optional<Value>& value, const char* unset) {
  return value ? write(*value) : std::string(unset);
}

bool is_word(const std::string& text) {
  const auto is_word_char = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/' || c == '-';
  };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::ranges::all_of(text, is_word_char);
}

// Returns true for words that some YAML parsers do not take for strings.
bool is_ambiguous(const std::string& text) {
  static constexpr const char* kWords[] = {
      "true", "false", "yes", "no", "on", "off", "y", "n", "null", "inf", "nan"};
  const std::string word = lower(text);
  return std::ranges::any_of(kWords, [&](const char* other) { return word == other; });
}

}  // namespace

std::optional<std::string> assign(const Field& field, const YamlNode& node) {
  const bool ok = std::visit(
      [&](auto* value) { return read_value(*value, node, field.meta.unset); }, field.value);
  if (ok) return std::nullopt;
  if (node.text.size() > kMaxTextBytes) {
    return fmt::format("value of {} bytes, expected at most {}", node.text.size(), kMaxTextBytes);
  }
  const char* note = "";
  if (node.quoted) note = " in quotes";
  if (is_unquoted(node) && has_leading_zero(node.text)) note = " with a leading zero";
  return fmt::format("expected {}, found {}{}", field.type(), node.format(), note);
}

YamlNode node_from_argument(const Field& field,
                            const std::string& argument,
                            const std::string& source) {
  YamlNode node;
  node.kind = Kind::kScalar;
  node.text = argument;
  if (!std::holds_alternative<std::vector<std::string>*>(field.value)) return node;
  if (argument.starts_with('[')) return parse_yaml_tree(argument, source);
  YamlNode list;
  list.kind = Kind::kSequence;
  list.items.push_back(std::move(node));
  return list;
}

std::string to_yaml(const Field& field) {
  return std::visit([&](const auto* value) { return write_value(*value, field.meta.unset); },
                    field.value);
}

std::string yaml_string(const std::string& text) {
  if (is_word(text) && !is_ambiguous(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace myxtts::config
