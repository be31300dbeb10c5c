#include "cli/shell_words.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace xtts::cli {
namespace {

std::string& called_as() {
  static std::string name = "myxtts";
  return name;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words)
    line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
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
  const std::string line = quoted(words);
  return shell_word(program_name()) + (line.empty() ? "" : " " + line);
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

rules::SuggestionFlags suggestion_flags(const ConfigArgs& args) {
  rules::SuggestionFlags words{.program = shell_word(program_name())};
  std::vector<std::string> config;
  if (!args.file.empty()) config.insert(config.end(), {"--config", args.file});
  for (const std::string& set : args.sets)
    config.insert(config.end(), {"--set", set});
  for (const config::Override& flag : args.flags) {
    if (flag.key == "data.dataset_path") {
      words.corpus = shell_word(flag.value);
    } else {
      config.insert(config.end(), {"--set", flag.key + "=" + flag.value});
    }
  }
  words.config = quoted(config);
  return words;
}

rules::SuggestionFlags suggestion_flags_of_run(const std::string& run) {
  const std::filesystem::path file = std::filesystem::path(run) / "config.yaml";
  return {.program = shell_word(program_name()),
          .corpus = {},
          .config = quoted({"--config", file.string()})};
}

}  // namespace xtts::cli
