// myxtts inspect: verifies the checkpoints of a run and shows their contents.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/format.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_name.h"
#include "cli/commands.h"
#include "cli/inspect_output.h"
#include "cli/output_style.h"
#include "cli/shell_command.h"
#include "cli/train_options.h"
#include "corpus/reasons.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTensorFileBytes = std::size_t{1} << 40U;
constexpr std::size_t kLongestName = 72;

constexpr const char* kInspectExamples = R"(
Verifies every checkpoint: each file by its SHA-256, each tensor by its CRC32C. Shows the newest
intact checkpoint in full. Exit code 1 if no checkpoint is intact. Also shows a single .safetensors
file.

Examples:
  myxtts inspect runs/voice                                   all checkpoints of a run
  myxtts inspect runs/voice/checkpoints/step_00000012         one checkpoint
  myxtts inspect runs/voice/checkpoints/step_00000012/model.safetensors
  myxtts inspect runs/voice --json | jq .checkpoint.speakers)";

struct InspectArgs {
  std::string path;
  bool json = false;
};

std::string printable_name(const std::string& text) {
  return corpus::printable(text, kLongestName);
}

std::string size_text(std::uint64_t bytes) {
  constexpr double kKiB = 1024.0;
  const auto size = static_cast<double>(bytes);
  return size < kKiB * kKiB ? fmt::format("{:.1f} KiB", size / kKiB)
                            : fmt::format("{:.1f} MiB", size / (kKiB * kKiB));
}

// Formats a JSON value: lists without brackets, strings without quotes.
std::string format_value(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return printable_name(value.get<std::string>());
  if (!value.is_array()) return printable_name(value.dump());
  std::vector<std::string> items;
  for (const Json& item : value)
    items.push_back(format_value(item));
  return fmt::format("{}", fmt::join(items, ", "));
}

void print_inspect_json(const Json& report) {
  // File names may be invalid UTF-8, which JSON cannot hold.
  fmt::print("{}\n", report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void print_tensors(const Json& tensors) {
  std::size_t width = 4;
  for (const Json& row : tensors)
    width = std::max(width, printable_name(row["name"]).size());
  fmt::print("  {:{}}  {:5}  {}\n", "name", width, "dtype", "shape");
  for (const Json& row : tensors) {
    fmt::print("  {:{}}  {:5}  {}\n",
               printable_name(row["name"]),
               width,
               row["dtype"].get<std::string>(),
               row["shape"].dump());
  }
}

void print_checkpoint(const Json& checkpoint) {
  fmt::print("\n{}\n",
             printable_name(fs::path(checkpoint["folder"].get<std::string>()).filename().string()));
  for (const auto& [key, value] : checkpoint.items()) {
    if (key == "folder" || key == "tensors") continue;
    std::string label = key;
    std::ranges::replace(label, '_', ' ');
    fmt::print("  {:20} {}\n", label, format_value(value));
  }
  fmt::print("\n{}\n", base::format_count(checkpoint["tensors"].size(), "tensor"));
  print_tensors(checkpoint["tensors"]);
}

void print_rows(const std::vector<CheckpointRow>& rows) {
  fmt::print("{}\n", base::format_count(rows.size(), "checkpoint"));
  for (const CheckpointRow& row : rows) {
    fmt::print("  {:14} {:>12}  {}\n",
               checkpoint::checkpoint_name(row.step),
               size_text(row.bytes),
               row.fault.empty() ? "intact" : "broken: " + corpus::printable(row.fault, 300));
  }
}

Json checkpoint_json(const checkpoint::LoadedCheckpoint& loaded) {
  Json json = checkpoint_properties(loaded);
  json["trainer_tensors"] = loaded.trainer.tensors.size();
  json["tensors"] = tensors_json(loaded.model);
  return json;
}

// Returns the checkpoints of a run folder, oldest first, or the one checkpoint that `path` names.
std::vector<CheckpointRow> rows_of(const fs::path& path) {
  if (checkpoint::is_checkpoint(path)) {
    const CheckpointRow row = row_of({checkpoint::step_of(path).value_or(0), path});
    return {row};
  }
  std::vector<CheckpointRow> rows;
  for (const checkpoint::CheckpointEntry& entry :
       checkpoint::CheckpointStore(checkpoint::checkpoints_of(path)).list())
    rows.push_back(row_of(entry));
  require(!rows.empty(),
          "{} has no checkpoint; train first, or name another run folder",
          path.string());
  return rows;
}

void inspect_run(const InspectArgs& args) {
  checkpoint::require_run_or_checkpoint(args.path);
  const std::vector<CheckpointRow> rows = rows_of(args.path);
  const auto newest = std::find_if(
      rows.rbegin(), rows.rend(), [](const CheckpointRow& row) { return row.fault.empty(); });
  Json report = {{"path", args.path}, {"checkpoints", Json::array()}, {"checkpoint", nullptr}};
  for (const CheckpointRow& row : rows)
    report["checkpoints"].push_back(to_json(row));
  if (newest != rows.rend())
    report["checkpoint"] = checkpoint_json(checkpoint::load_checkpoint(newest->folder));

  if (args.json) {
    print_inspect_json(report);
  } else {
    print_rows(rows);
    if (newest != rows.rend()) print_checkpoint(report["checkpoint"]);
  }
  if (newest == rows.rend()) throw ProblemsFound();
  const bool is_vocoder = report["checkpoint"]["kind"] == checkpoint::kVocoderKind;
  const auto task = is_vocoder ? train::Task::kVocoder : train::Task::kVoice;
  base::log("Next: {}\n", command_line(speak_arguments(args.path, task, "speech.wav")));
}

void inspect_file(const InspectArgs& args) {
  const checkpoint::TensorFile file = checkpoint::parse_safetensors(
      base::read_file_or_throw(args.path, kMaxTensorFileBytes), args.path);
  const Json tensors = tensors_json(file);
  if (args.json) {
    print_inspect_json({{"path", args.path},
                        {"parameters", num_parameters(file)},
                        {"metadata", file.metadata},
                        {"tensors", tensors}});
  } else {
    fmt::print("{}, {}\n",
               base::format_count(file.tensors.size(), "tensor"),
               base::format_count(static_cast<std::size_t>(num_parameters(file)), "parameter"));
    print_tensors(tensors);
  }
  base::log("Next: {}\n", command_line({"inspect", args.path, "--json"}));
}

void run_inspect(const InspectArgs& args) {
  std::error_code ignored;
  fs::is_regular_file(args.path, ignored) ? inspect_file(args) : inspect_run(args);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto args = std::make_shared<InspectArgs>();
  CLI::App* command = app.add_subcommand("inspect", "Verify and show the checkpoints of a run");
  command->footer(kInspectExamples);
  command->add_option("PATH", args->path, "Run folder, checkpoint or .safetensors file")
      ->type_name("")
      ->required();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_inspect(*args); });
}

}  // namespace myxtts::cli
