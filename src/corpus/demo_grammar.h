#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"

namespace xtts::corpus {

// A small generative grammar, written as text, from which demo sentences are drawn.
//
//   person: the baker; my sister
//   vp:     [buy|bought|buying] {food}; [laugh|laughed|laughing]
//   short:  {person} {vp/1}.; did {person} {vp/0}?
//
// A rule is a name at the start of a line, a colon, and alternatives separated by semicolons; it
// may run over several indented lines. {name} draws an alternative of that rule, all equally
// likely. {name/N} does so and chooses form N of every [form 0|form 1|...] inside, so that one
// list of verbs serves statements, questions and orders. A line that starts with # is a comment.
//
// Immutable once built, and cheap to share between threads.
class DemoGrammar {
 public:
  // Throws BugError for a rule that is missing, named twice, empty, or whose braces do not match:
  // the text is ours.
  explicit DemoGrammar(std::string_view source);

  // One draw from `rule`. Equal generators give equal text.
  std::string expand(std::string_view rule, base::Random& random) const;

 private:
  struct Piece {
    enum class Kind { kText, kRule, kForms };
    Kind kind = Kind::kText;
    std::vector<std::string> text;  // the words, or the forms
    std::size_t rule = 0;           // kRule: index into rules_
    int form = -1;                  // kRule: the form to choose below; -1 keeps the current one
  };
  using Alternative = std::vector<Piece>;

  void add_rule(std::string_view line);
  Alternative parse(std::string_view alternative) const;
  void append(std::size_t rule, int form, int depth, base::Random& random, std::string& out) const;
  std::size_t index_of(std::string_view rule) const;

  std::unordered_map<std::string, std::size_t> index_;  // rule name -> place in rules_
  std::vector<std::string> bodies_;                     // of the source, in the order of rules_
  std::vector<std::vector<Alternative>> rules_;
};

}  // namespace xtts::corpus
