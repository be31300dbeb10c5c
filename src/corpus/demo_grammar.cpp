#include "corpus/demo_grammar.h"

#include <fmt/format.h>

#include "base/error.h"

namespace myxtts::corpus {
namespace {

constexpr int kMaxRuleDepth = 32;  // reached only by a recursive rule

std::string_view trim_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \n") - from + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(trim_blanks(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

DemoGrammar::DemoGrammar(std::string_view source) {
  std::string rule;
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view line = source.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line.front() == '#') continue;
    if (line.front() != ' ' && !rule.empty()) {
      add_rule(rule);
      rule.clear();
    }
    rule += line;
    rule += '\n';
  }
  if (!rule.empty()) add_rule(rule);

  rules_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    for (const std::string& alternative : split(bodies_[i], ';')) {
      invariant(!alternative.empty(), fmt::format("no empty alternative in '{}'", bodies_[i]));
      rules_[i].push_back(parse(alternative));
    }
  }
}

void DemoGrammar::add_rule(std::string_view line) {
  const std::size_t colon = line.find(':');
  invariant(colon != std::string_view::npos, fmt::format("a rule has a name: '{}'", line));
  const std::string name(trim_blanks(line.substr(0, colon)));
  const bool is_first = index_.emplace(name, bodies_.size()).second;
  invariant(is_first, fmt::format("rule '{}' is defined once", name));
  bodies_.emplace_back(trim_blanks(line.substr(colon + 1)));
}

std::size_t DemoGrammar::index_of(std::string_view rule) const {
  const auto found = index_.find(std::string(rule));
  invariant(found != index_.end(), fmt::format("rule '{}' exists", rule));
  return found->second;
}

DemoGrammar::Alternative DemoGrammar::parse(std::string_view alternative) const {
  Alternative pieces;
  while (!alternative.empty()) {
    const char first = alternative.front();
    if (first != '{' && first != '[') {
      const std::size_t end = std::min(alternative.find_first_of("{["), alternative.size());
      pieces.push_back({Piece::Kind::kText, {std::string(alternative.substr(0, end))}, 0, -1});
      alternative.remove_prefix(end);
      continue;
    }
    const std::size_t end = alternative.find(first == '{' ? '}' : ']');
    invariant(end != std::string_view::npos, fmt::format("'{}' is closed", alternative));
    const std::string_view inside = alternative.substr(1, end - 1);
    if (first == '[') {
      pieces.push_back({Piece::Kind::kForms, split(inside, '|'), 0, -1});
    } else {
      const std::size_t slash = inside.find('/');
      const int form = slash == std::string_view::npos ? -1 : inside[slash + 1] - '0';
      pieces.push_back({Piece::Kind::kRule, {}, index_of(inside.substr(0, slash)), form});
    }
    alternative.remove_prefix(end + 1);
  }
  return pieces;
}

std::string DemoGrammar::expand(std::string_view rule, base::Random& random) const {
  std::string text;
  append(index_of(rule), 0, 0, random, text);
  return text;
}

void DemoGrammar::append(
    std::size_t rule, int form, int depth, base::Random& random, std::string& out) const {
  invariant(depth < kMaxRuleDepth, "the demo grammar is not recursive");
  const std::vector<Alternative>& alternatives = rules_[rule];
  for (const Piece& piece : alternatives[random.below(alternatives.size())]) {
    switch (piece.kind) {
      case Piece::Kind::kText:
        out += piece.text.front();
        break;
      case Piece::Kind::kForms:
        invariant(static_cast<std::size_t>(form) < piece.text.size(), "a verb has every form");
        out += piece.text[static_cast<std::size_t>(form)];
        break;
      case Piece::Kind::kRule:
        append(piece.rule, piece.form < 0 ? form : piece.form, depth + 1, random, out);
        break;
    }
  }
}

}  // namespace myxtts::corpus
