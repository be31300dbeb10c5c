#include "cli/shell_command.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace myxtts::cli {
namespace {

std::string& program_name_storage() {
  static std::string name = "myxtts";
  return name;
}

std::string join_quoted(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments)
    line += (line.empty() ? "" : " ") + shell_word(argument);
  return line;
}

}  // namespace

void set_program_name(std::string name) {
  program_name_storage() = std::move(name);
}

std::string program_name() {
  const std::string& name = program_name_storage();
  return name.find('/') == std::string::npos ? "myxtts" : name;
}

std::string command_line(const std::vector<std::string>& arguments) {
  const std::string line = join_quoted(arguments);
  return shell_word(program_name()) + (line.empty() ? "" : " " + line);
}

std::vector<std::string> config_arguments(const ConfigArgs& args,
                                          const std::vector<std::string_view>& flag_keys) {
  std::vector<std::string> arguments;
  if (!args.file.empty()) arguments.insert(arguments.end(), {"--config", args.file});
  for (const std::string& set : args.sets)
    arguments.insert(arguments.end(), {"--set", set});
  for (const config::Override& flag : args.flags) {
    if (std::ranges::find(flag_keys, flag.key) != flag_keys.end()) {
      arguments.insert(arguments.end(), {"--set", flag.key + "=" + flag.value});
    } else if (flag.key == "data.language") {
      arguments.insert(arguments.end(), {"--language", flag.value});
    }
  }
  return arguments;
}

rules::SuggestionFlags suggestion_flags(const ConfigArgs& args) {
  rules::SuggestionFlags flags{.program = shell_word(program_name())};
  std::vector<std::string> config;
  if (!args.file.empty()) config.insert(config.end(), {"--config", args.file});
  for (const std::string& set : args.sets)
    config.insert(config.end(), {"--set", set});
  for (const config::Override& flag : args.flags) {
    if (flag.key == "data.dataset_path") {
      flags.corpus = shell_word(flag.value);
    } else {
      config.insert(config.end(), {"--set", flag.key + "=" + flag.value});
    }
  }
  flags.config = join_quoted(config);
  return flags;
}

rules::SuggestionFlags suggestion_flags_of_run(const std::string& run) {
  const std::filesystem::path file = std::filesystem::path(run) / "config.yaml";
  return {.program = shell_word(program_name()),
          .corpus = {},
          .config = join_quoted({"--config", file.string()})};
}

}  // namespace myxtts::cli
