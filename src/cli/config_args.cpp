#include "cli/config_args.h"

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "config/field.h"

namespace xtts::cli {
namespace {

void add_flag(CLI::App& command, ConfigArgs& args, const config::Field& field) {
  const std::string key = field.key();
  if (field.is_switch()) {
    CLI::Option* on = command.add_flag_callback(
        field.flags(),
        [&args, key] {
          args.flags.push_back({key, "true"});
        },
        field.help);
    command
        .add_flag_callback(
            field.off_flags(),
            [&args, key] {
              args.flags.push_back({key, "false"});
            },
            fmt::format("Set {} to false", key))
        ->excludes(on);
    return;
  }
  command
      .add_option_function<std::string>(
          field.flags(),
          [&args, key](const std::string& value) {
            args.flags.push_back({key, value});
          },
          field.help)
      ->type_name(field.type());
}

}  // namespace

void add_config_options(CLI::App& command,
                        ConfigArgs& args,
                        std::initializer_list<const char*> flag_keys) {
  command.add_option("--config", args.file, "Configuration file (YAML)")->type_name("FILE");
  command.add_option("--set", args.sets, "Set one key of the configuration, e.g. data.val_split=0")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);

  config::Config defaults;
  const std::vector<config::Field> fields = config::fields_of(defaults);
  for (const std::string key : flag_keys) {
    const auto found =
        std::ranges::find_if(fields, [&](const config::Field& f) { return f.key() == key; });
    invariant(found != fields.end(), "a flag stands for a key of the configuration: " + key);
    add_flag(command, args, *found);
  }
}

config::Config resolve(const ConfigArgs& args) {
  return resolve_with_origins(args).config;
}

config::Resolved resolve_with_origins(const ConfigArgs& args) {
  config::Layers layers{.file = std::nullopt, .sets = args.sets, .flags = args.flags};
  if (!args.file.empty()) layers.file = args.file;

  config::Resolved resolved = config::resolve(layers);
  for (const std::string& warning : resolved.warnings) {
    fmt::print(stderr, "[config] warning: {}\n", warning);
  }
  return resolved;
}

}  // namespace xtts::cli
