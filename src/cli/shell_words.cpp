#include "cli/shell_words.h"

#include <algorithm>
#include <utility>

namespace xtts::cli {
namespace {

std::string& called_as() {
  static std::string name = "myxtts";
  return name;
}

}  // namespace

void set_program_name(std::string name) {
  called_as() = std::move(name);
}

std::string program_name() {
  const std::string& name = called_as();
  return name.find('/') == std::string::npos ? "myxtts" : name;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = shell_word(program_name());
  for (const std::string& word : words)
    line += " " + shell_word(word);
  return line;
}

std::vector<std::string> config_words(const ConfigArgs& args,
                                      const std::vector<std::string_view>& flag_keys) {
  std::vector<std::string> words;
  if (!args.file.empty()) words.insert(words.end(), {"--config", args.file});
  for (const std::string& set : args.sets)
    words.insert(words.end(), {"--set", set});
  for (const config::Override& flag : args.flags) {
    if (std::ranges::find(flag_keys, flag.key) != flag_keys.end()) {
      words.insert(words.end(), {"--set", flag.key + "=" + flag.value});
    } else if (flag.key == "data.language") {
      words.insert(words.end(), {"--language", flag.value});
    }
  }
  return words;
}

}  // namespace xtts::cli
