// myxtts export: writes a trained voice to a folder for inference.

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/format.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_store.h"
#include "cli/commands.h"
#include "cli/output_style.h"
#include "cli/shell_command.h"
#include "synthesis/export_voice.h"
#include "synthesis/find_vocoder.h"

namespace myxtts::cli {
namespace {

constexpr const char* kExportExamples = R"(
Writes the EMA weights of the newest intact checkpoint, the vocoder (RUN/vocoder if it exists, or
--vocoder), speakers, symbols, configuration and mel spec to one folder, with a licence note to
complete. Optimiser state and training data are not included. The folder has the layout of a run:
speak, evaluate and inspect accept it.

Examples:
  myxtts export runs/voice --out voices/anna
  myxtts export runs/voice --vocoder runs/vocoder --out voices/clearer
  myxtts speak --checkpoint voices/anna --text 'Good morning.' --out speech.wav)";

struct ExportArgs {
  std::string run, vocoder, out;
  bool json = false;
};

void run_export(const ExportArgs& args) {
  require_usage(!args.out.empty(), "--out is empty; expected an output folder");
  const checkpoint::LoadedCheckpoint voice = checkpoint::find_checkpoint(args.run);
  const std::optional<checkpoint::LoadedCheckpoint> vocoder =
      synthesis::find_vocoder(args.vocoder, args.run);
  const synthesis::ExportedVoice exported =
      synthesis::export_voice(voice, vocoder ? &*vocoder : nullptr, args.out);
  if (args.json) {
    const nlohmann::ordered_json report = {
        {"out", args.out},
        {"checkpoint", voice.folder.string()},
        {"vocoder", vocoder ? vocoder->folder.string() : std::string(synthesis::kGriffinLim)},
        {"speakers", exported.speakers},
        {"mel_spec_fingerprint", exported.mel_spec_fingerprint},
        {"parameters", exported.parameters},
        {"vocoder_parameters", exported.vocoder_parameters},
        {"bytes", exported.bytes}};
    // File names may be invalid UTF-8, which JSON cannot hold.
    fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}  {:.1f} MB: {}, {} parameters, {}\n",
               args.out,
               static_cast<double>(exported.bytes) / 1e6,
               base::format_count(exported.speakers.size(), "speaker"),
               exported.parameters,
               vocoder ? fmt::format("vocoder with {} parameters", exported.vocoder_parameters)
                       : std::string("no vocoder (Griffin-Lim)"));
  }
  base::log(
      "Next: {}\n",
      command_line(
          {"speak", "--checkpoint", args.out, "--text", "Good morning.", "--out", "speech.wav"}));
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto args = std::make_shared<ExportArgs>();
  CLI::App* command = app.add_subcommand("export", "Export a trained voice for inference");
  command->footer(kExportExamples);
  command->add_option("RUN", args->run, "Run folder or checkpoint")->type_name("")->required();
  command->add_option("--out", args->out, "Output folder")->type_name("DIR")->required();
  command
      ->add_option(
          "--vocoder",
          args->vocoder,
          "Vocoder run or griffin-lim; default: RUN/vocoder if it exists, else griffin-lim")
      ->type_name("DIR");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_export(*args); });
}

}  // namespace myxtts::cli
