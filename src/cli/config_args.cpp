#include "cli/config_args.h"

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/terminal.h"
#include "config/field.h"

namespace myxtts::cli {
namespace {

// Capitalises the description of a field, as the other lines of --help are.
std::string help_of(const config::Field& field) {
  std::string help = field.help;
  const char first = help.front();
  if (first >= 'a' && first <= 'z') help.front() = static_cast<char>(first - 'a' + 'A');
  return help;
}

void add_flag(CLI::App& command, ConfigArgs& args, const config::Field& field) {
  const std::string key = field.key();
  if (field.is_switch()) {
    command.add_flag_callback(
        field.flags(),
        [&args, key] {
          args.flags.push_back({key, "true"});
        },
        fmt::format("{} (off: {})", help_of(field), field.off_flags()));
    command
        .add_flag_callback(
            field.off_flags(),
            [&args, key] {
              args.flags.push_back({key, "false"});
            },
            fmt::format("Set {} to false", key))
        ->group("");  // hidden: the help of the switch names it
    return;
  }
  command
      .add_option_function<std::string>(
          field.flags(),
          [&args, key](const std::string& value) {
            args.flags.push_back({key, value});
          },
          help_of(field))
      ->type_name(field.placeholder());
}

// Refuses a key that two flags set to different values.
void require_consistent_flags(const std::vector<config::Override>& flags) {
  for (const config::Override& flag : flags) {
    const auto other = std::ranges::find_if(flags, [&](const config::Override& candidate) {
      return candidate.key == flag.key && candidate.value != flag.value;
    });
    require_usage(
        other == flags.end(), "two flags set {} to different values; pass one of them", flag.key);
  }
}

}  // namespace

void add_config_options(CLI::App& command,
                        ConfigArgs& args,
                        const std::vector<const char*>& flag_keys) {
  command.add_option("--config", args.file, "Configuration file (YAML)")->type_name("FILE");
  command.add_option("--set", args.sets, "Set a configuration key, e.g. data.val_split=0")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);

  config::Config defaults;
  const std::vector<config::Field> fields = config::fields_of(defaults);
  for (const std::string key : flag_keys) {
    const auto found =
        std::ranges::find_if(fields, [&](const config::Field& f) { return f.key() == key; });
    invariant(found != fields.end(), "every flag has a configuration key: " + key);
    add_flag(command, args, *found);
  }
}

config::Config resolve(const ConfigArgs& args) {
  return resolve_with_origins(args).config;
}

config::Resolved resolve_with_origins(const ConfigArgs& args) {
  require_consistent_flags(args.flags);
  config::Layers layers{.file = std::nullopt, .sets = args.sets, .flags = args.flags};
  if (!args.file.empty()) layers.file = args.file;

  config::Resolved resolved = config::resolve(layers);
  for (const std::string& warning : resolved.warnings) {
    base::log("[config] warning: {}\n", warning);
  }
  return resolved;
}

}  // namespace myxtts::cli
