// myxtts export: a trained voice as one folder that speaks anywhere.

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_store.h"
#include "cli/answer_style.h"
#include "cli/commands.h"
#include "cli/shell_words.h"
#include "speak/export_voice.h"
#include "speak/vocoder_place.h"

namespace xtts::cli {
namespace {

constexpr const char* kExportExamples = R"(
Writes the averaged weights of the newest good save, its vocoder (RUN/vocoder if there, or the one
that --vocoder names), speakers, symbols, configuration and mel contract into one folder, with a note
on licences to be completed. Nothing of the training is in it. The folder is laid out as a run:
speak, evaluate and inspect take it as one.

Examples:
  myxtts export runs/voice --out voices/anna
  myxtts export runs/voice --vocoder runs/vocoder --out voices/clearer
  myxtts speak --checkpoint voices/anna --text 'Good morning.' --out speech.wav)";

struct ExportArgs {
  std::string run, vocoder, out;
  bool json = false;
};

void run_export(const ExportArgs& args) {
  require_usage(!args.out.empty(), "--out is empty; expected the folder to be made");
  const checkpoint::LoadedCheckpoint voice = checkpoint::find_checkpoint(args.run);
  const std::optional<checkpoint::LoadedCheckpoint> vocoder =
      speak::find_vocoder(args.vocoder, args.run);
  const speak::ExportedVoice exported =
      speak::export_voice(voice, vocoder ? &*vocoder : nullptr, args.out);
  if (args.json) {
    const nlohmann::ordered_json report = {
        {"out", args.out},
        {"save", voice.folder.string()},
        {"vocoder", vocoder ? vocoder->folder.string() : std::string(speak::kGriffinLim)},
        {"speakers", exported.speakers},
        {"mel_spec_fingerprint", exported.mel_spec_fingerprint},
        {"parameters", exported.parameters},
        {"vocoder_parameters", exported.vocoder_parameters},
        {"bytes", exported.bytes}};
    // A file name need not be UTF-8; JSON must be.
    fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}  {:.1f} MB: {}, {} parameters, {}\n",
               args.out,
               static_cast<double>(exported.bytes) / 1e6,
               counted(exported.speakers.size(), "speaker"),
               exported.parameters,
               vocoder ? fmt::format("a vocoder of {}", exported.vocoder_parameters)
                       : std::string("no vocoder: Griffin-Lim will speak"));
  }
  base::say(
      "Next: {}\n",
      command_line(
          {"speak", "--checkpoint", args.out, "--text", "Good morning.", "--out", "speech.wav"}));
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto args = std::make_shared<ExportArgs>();
  CLI::App* command = app.add_subcommand("export", "Put a trained voice into a folder of its own");
  command->footer(kExportExamples);
  command->add_option("RUN", args->run, "The run folder, or one of its saves")->required();
  command->add_option("--out", args->out, "The folder to be made")->required();
  command->add_option(
      "--vocoder",
      args->vocoder,
      "Run of train-vocoder, or griffin-lim; default: RUN/vocoder if there, else griffin-lim");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_export(*args); });
}

}  // namespace xtts::cli
