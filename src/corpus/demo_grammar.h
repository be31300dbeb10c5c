#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"

namespace myxtts::corpus {

// A small context-free grammar, written as text, that generates random demo sentences.
//
//   person: the baker; my sister
//   vp:     [buy|bought|buying] {food}; [laugh|laughed|laughing]
//   short:  {person} {vp/1}.; did {person} {vp/0}?
//
// A rule is a name at the start of a line, a colon, and alternatives separated by semicolons; it
// may continue on indented lines. {name} expands to an alternative of that rule, all equally
// likely. {name/N} also selects form N of every [form 0|form 1|...] inside, so that one list of
// verbs serves statements, questions and orders. A line that starts with # is a comment.
//
// Immutable after construction. Threads may share one instance without locking.
class DemoGrammar {
 public:
  // Throws BugError for missing, duplicate or empty rules and unmatched braces: the grammars are
  // part of the program.
  explicit DemoGrammar(std::string_view source);

  // Returns a random expansion of `rule`. Equal generators give equal text.
  std::string expand(std::string_view rule, base::Random& random) const;

 private:
  struct Piece {
    enum class Kind { kText, kRule, kForms };
    Kind kind = Kind::kText;
    std::vector<std::string> text;  // kText: the text; kForms: the forms
    std::size_t rule = 0;           // kRule: index into rules_
    int form = -1;                  // kRule: the form to select below; -1 keeps the current one
  };
  using Alternative = std::vector<Piece>;

  void add_rule(std::string_view line);
  Alternative parse(std::string_view alternative) const;
  void append(std::size_t rule, int form, int depth, base::Random& random, std::string& out) const;
  std::size_t index_of(std::string_view rule) const;

  std::unordered_map<std::string, std::size_t> index_;  // rule name -> index into rules_
  std::vector<std::string> bodies_;                     // source text, in the order of rules_
  std::vector<std::vector<Alternative>> rules_;
};

}  // namespace myxtts::corpus
