// myxtts config show|diff: prints or compares configurations.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "config/field.h"
#include "config/reference_page.h"
#include "config/write_yaml.h"

namespace myxtts::cli {
namespace {

constexpr const char* kShowExamples = R"(
Examples:
  myxtts config show                                    every key with its default
  myxtts config show --model-size small --changed       what a preset changes
  myxtts config show --set data.batch_size=8 --changed  only keys that differ from their default
  myxtts config show --json                             as JSON, with the origin of each value)";

constexpr const char* kDiffExamples = R"(
Examples:
  myxtts config diff configs/config.yaml              compares a file with the defaults
  myxtts config diff configs/config.yaml configs/config.yaml --json   compares two files)";

constexpr const char* kConfigExamples = R"(
Examples:
  myxtts config show                        every key with its value and description, as YAML
  myxtts config diff configs/config.yaml    what a file changes)";

template <typename Value>
nlohmann::json value_json(const Value& value) {
  return value;
}

template <typename Value>
nlohmann::json value_json(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json json_of(const config::Field& field) {
  return std::visit([](const auto* value) { return value_json(*value); }, field.value);
}

// File names may be invalid UTF-8, which JSON cannot hold.
void print_report(const nlohmann::ordered_json& report) {
  fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_config_json(config::Resolved resolved, bool changed_only) {
  const std::vector<std::string> changed = config::changed_keys(resolved.config);
  nlohmann::ordered_json report = {{"config", nlohmann::ordered_json::object()},
                                   {"origins", nlohmann::ordered_json::object()},
                                   {"warnings", resolved.warnings}};
  for (const config::Field& field : config::fields_of(resolved.config)) {
    const bool is_changed = std::ranges::find(changed, field.key()) != changed.end();
    if (changed_only && !is_changed) continue;
    const auto origin = resolved.origins.find(field.key());
    report["config"][field.section][field.name] = json_of(field);
    report["origins"][field.key()] = origin == resolved.origins.end() ? "default" : origin->second;
  }
  print_report(report);
}

struct ShowArgs {
  ConfigArgs config;
  bool json = false, changed = false, reference = false;
};

void run_show(const ShowArgs& args) {
  if (args.reference) {
    fmt::print("{}", config::reference_page());
    return;
  }
  const config::Resolved resolved = resolve_with_origins(args.config);
  if (args.json) {
    print_config_json(resolved, args.changed);
    return;
  }
  fmt::print(
      "{}",
      config::write_yaml(resolved, args.changed ? config::Keys::kChanged : config::Keys::kAll));
  base::log("Next: save this to a file and pass it to a command with --config FILE\n");
}

struct DiffArgs {
  std::string left, right;
  bool json = false;
};

config::Config read_config(const std::string& file) {
  return resolve(ConfigArgs{.file = file, .sets = {}, .flags = {}});
}

void run_diff(const DiffArgs& args) {
  const bool to_defaults = args.right.empty();
  const config::Config left = to_defaults ? config::Config{} : read_config(args.left);
  const config::Config right = read_config(to_defaults ? args.left : args.right);
  const std::vector<config::Difference> found = config::differences(left, right);

  if (args.json) {
    nlohmann::ordered_json report = {{"differences", nlohmann::ordered_json::array()}};
    for (const config::Difference& d : found) {
      report["differences"].push_back({{"key", d.key}, {"left", d.left}, {"right", d.right}});
    }
    print_report(report);
    return;
  }
  for (const config::Difference& d : found)
    fmt::print("{}: {} -> {}\n", d.key, d.left, d.right);
  base::log("{} keys differ from {}\nNext: myxtts config show --config {}\n",
            found.size(),
            to_defaults ? "their defaults" : args.left,
            to_defaults ? args.left : args.right);
}

void add_show(CLI::App& parent) {
  auto args = std::make_shared<ShowArgs>();
  CLI::App* command = parent.add_subcommand("show", "Print the resolved configuration as YAML");
  command->footer(kShowExamples);
  add_config_options(*command, args->config, {"model.model_size", "training.optimization_level"});
  command->add_flag("--changed", args->changed, "Only keys that differ from their default");
  command->add_flag("--json", args->json, "Print one JSON object, with the origin of each value");
  command->add_flag("--reference", args->reference, "Print the reference of all keys as Markdown");
  command->callback([args] { run_show(*args); });
}

void add_diff(CLI::App& parent) {
  auto args = std::make_shared<DiffArgs>();
  CLI::App* command = parent.add_subcommand(
      "diff", "Compare a configuration with the defaults or with another file");
  command->footer(kDiffExamples);
  command->add_option("FILE", args->left, "Configuration file (YAML)")->type_name("")->required();
  command->add_option("OTHER", args->right, "Second configuration file; default: the defaults")
      ->type_name("");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_diff(*args); });
}

}  // namespace

void add_config_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("config", "Show or compare configurations");
  command->footer(kConfigExamples);
  command->require_subcommand(1);
  add_show(*command);
  add_diff(*command);
}

}  // namespace myxtts::cli
