// myxtts inspect: what is in the saves of a run, and which of them are good.

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
#include "base/terminal.h"
#include "checkpoint/checkpoint_name.h"
#include "cli/answer_style.h"
#include "cli/commands.h"
#include "cli/inspect_answer.h"
#include "cli/shell_words.h"
#include "cli/train_options.h"
#include "corpus/reasons.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTensorFileBytes = std::size_t{1} << 40U;
constexpr std::size_t kLongestName = 72;

constexpr const char* kInspectExamples = R"(
Every save is read and verified: each file by its SHA-256, each tensor by its CRC32C. The newest good
one is shown in full. Exit code 1 if none is good. A file of tensors (.safetensors) is shown alone.

Examples:
  myxtts inspect runs/voice                                   the saves of a run
  myxtts inspect runs/voice/checkpoints/step_00000012         one of them
  myxtts inspect runs/voice/checkpoints/step_00000012/model.safetensors
  myxtts inspect runs/voice --json | jq .save.speakers)";

struct InspectArgs {
  std::string path;
  bool json = false;
};

std::string plain(const std::string& text) {
  return corpus::printable(text, kLongestName);
}

std::string size_text(std::uint64_t bytes) {
  constexpr double kKiB = 1024.0;
  const auto size = static_cast<double>(bytes);
  return size < kKiB * kKiB ? fmt::format("{:.1f} KiB", size / kKiB)
                            : fmt::format("{:.1f} MiB", size / (kKiB * kKiB));
}

// A value as a person reads it: lists without brackets, strings without quotes.
std::string in_words(const Json& value) {
  if (value.is_null()) return "none yet";
  if (value.is_string()) return plain(value.get<std::string>());
  if (!value.is_array()) return plain(value.dump());
  std::vector<std::string> items;
  for (const Json& item : value)
    items.push_back(in_words(item));
  return fmt::format("{}", fmt::join(items, ", "));
}

void print_inspect_json(const Json& report) {
  // Names of files need not be UTF-8; JSON must be.
  fmt::print("{}\n", report.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void print_tensors(const Json& tensors) {
  std::size_t width = 4;
  for (const Json& row : tensors)
    width = std::max(width, plain(row["name"]).size());
  fmt::print("  {:{}}  {:5}  {}\n", "name", width, "dtype", "shape");
  for (const Json& row : tensors) {
    fmt::print("  {:{}}  {:5}  {}\n",
               plain(row["name"]),
               width,
               row["dtype"].get<std::string>(),
               row["shape"].dump());
  }
}

void print_save(const Json& save) {
  fmt::print("\n{}\n", plain(fs::path(save["folder"].get<std::string>()).filename().string()));
  for (const auto& [key, value] : save.items()) {
    if (key == "folder" || key == "tensors") continue;
    std::string label = key;
    std::ranges::replace(label, '_', ' ');
    fmt::print("  {:18} {}\n", label, in_words(value));
  }
  fmt::print("\n{}\n", counted(save["tensors"].size(), "tensor"));
  print_tensors(save["tensors"]);
}

void print_rows(const std::vector<CheckpointRow>& rows) {
  fmt::print("{}\n", counted(rows.size(), "save"));
  for (const CheckpointRow& row : rows) {
    fmt::print("  {:14} {:>12}  {}\n",
               checkpoint::checkpoint_name(row.step),
               size_text(row.bytes),
               row.fault.empty() ? "good" : "broken: " + corpus::printable(row.fault, 300));
  }
}

Json save_json(const checkpoint::LoadedCheckpoint& save) {
  Json json = facts_of(save);
  json["trainer_tensors"] = save.trainer.tensors.size();
  json["tensors"] = tensors_json(save.model);
  return json;
}

// The saves that the path names, oldest first.
std::vector<CheckpointRow> rows_of(const fs::path& path) {
  if (checkpoint::is_checkpoint(path)) {
    const CheckpointRow row = row_of({checkpoint::step_of(path).value_or(0), path});
    return {row};
  }
  std::vector<CheckpointRow> rows;
  for (const checkpoint::CheckpointEntry& entry :
       checkpoint::CheckpointStore(checkpoint::checkpoints_of(path)).list())
    rows.push_back(row_of(entry));
  require(
      !rows.empty(), "{} has no save yet; train first, or name another run folder", path.string());
  return rows;
}

void inspect_run(const InspectArgs& args) {
  checkpoint::require_run_or_checkpoint(args.path);
  const std::vector<CheckpointRow> rows = rows_of(args.path);
  const auto newest = std::find_if(
      rows.rbegin(), rows.rend(), [](const CheckpointRow& row) { return row.fault.empty(); });
  Json report = {{"path", args.path}, {"saves", Json::array()}, {"save", nullptr}};
  for (const CheckpointRow& row : rows)
    report["saves"].push_back(to_json(row));
  if (newest != rows.rend())
    report["save"] = save_json(checkpoint::load_checkpoint(newest->folder));

  if (args.json) {
    print_inspect_json(report);
  } else {
    print_rows(rows);
    if (newest != rows.rend()) print_save(report["save"]);
  }
  if (newest == rows.rend()) throw FoundSomething();
  const bool is_vocoder = report["save"]["kind"] == checkpoint::kVocoderKind;
  const auto trained = is_vocoder ? train::Task::kVocoder : train::Task::kVoice;
  base::say("Next: {}\n", command_line(speaking_words(args.path, trained, "speech.wav")));
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
               counted(file.tensors.size(), "tensor"),
               counted(static_cast<std::size_t>(num_parameters(file)), "parameter"));
    print_tensors(tensors);
  }
  base::say("Next: {}\n", command_line({"inspect", args.path, "--json"}));
}

void run_inspect(const InspectArgs& args) {
  std::error_code ignored;
  fs::is_regular_file(args.path, ignored) ? inspect_file(args) : inspect_run(args);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto args = std::make_shared<InspectArgs>();
  CLI::App* command = app.add_subcommand("inspect", "Show what is in the saves of a run");
  command->footer(kInspectExamples);
  command->add_option("PATH", args->path, "A run folder, one of its saves, or a .safetensors file")
      ->required();
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_inspect(*args); });
}

}  // namespace xtts::cli
