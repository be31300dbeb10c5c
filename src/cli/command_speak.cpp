// myxtts speak: texts to WAV files, in a voice of the training or that of a recording.

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "audio/wav.h"
#include "base/child_process.h"
#include "base/error.h"
#include "base/terminal.h"
#include "cli/answer_style.h"
#include "cli/commands.h"
#include "cli/speak_tasks.h"
#include "cli/speak_verb.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"
#include "speak/postfilter.h"
#include "speak/synthesis_settings.h"

namespace xtts::cli {
namespace {

constexpr const char* kSpeakExamples = R"(
A name that ends in .wav is a file for one text; any other is a folder that gets 0001.wav, 0002.wav
and so on, one for each line that is not blank. Long texts are spoken sentence by sentence. Without
a voice the first speaker of the training speaks. A vocoder that was trained into RUN/vocoder turns
mel frames into sound by itself; --vocoder names another, Griffin-Lim needs none. The real-time factor is the time taken for a
second of sound: below 1 is faster than it is heard. --stream writes the sound to standard output
while it is made: 16-bit samples without a header, at the rate and level of the voice.

Examples:
  myxtts speak --checkpoint runs/voice --text 'Good morning.' --out speech.wav
  myxtts speak --checkpoint runs/voice --text 'Good morning.' --reference clip.wav --out speech.wav
  myxtts speak --checkpoint runs/voice --text-file lines.txt --speed 1.2 --out speech
  myxtts speak --checkpoint runs/voice --vocoder runs/vocoder --text 'Clearer.' --out speech.wav
  myxtts speak --checkpoint runs/voice --text 'As loud as a podcast.' --loudness -16 --out speech.wav
  myxtts speak --checkpoint runs/voice --text 'Heard at once.' --stream | aplay -f S16_LE -r 22050
  echo 'Read from a pipe.' | myxtts speak --checkpoint runs/voice --text-file - --out speech --json)";

struct SpeakArgs {
  std::string text, text_file;
  std::string out;
  std::string loudness = "-23";
  std::string precision = "fp32";
  std::int64_t seed = 1;
  SpeakRequest request;
  bool json = false;
  bool stream = false;
};

// LUFS, or nothing for "off".
std::optional<double> loudness_of(const std::string& given) {
  if (given == "off") return std::nullopt;
  double lufs = 0.0;
  const char* const end = given.data() + given.size();
  const auto parsed = std::from_chars(given.data(), end, lufs);
  require_usage(parsed.ec == std::errc{} && parsed.ptr == end && lufs >= speak::kQuietestLufs &&
                    lufs <= speak::kLoudestLufs,
                "--loudness {}: expected {} to {} LUFS, or off",
                given,
                speak::kQuietestLufs,
                speak::kLoudestLufs);
  return lufs;
}

// What can be said before anything large is loaded.
void check(const SpeakArgs& args) {
  const SpeakRequest& request = args.request;
  // Not CLI::Range: it lets "nan" through.
  require_usage(request.speed >= speak::kSlowest && request.speed <= speak::kFastest,
                "--speed {}: expected {} to {}",
                request.speed,
                speak::kSlowest,
                speak::kFastest);
  const double sharpness = request.sharpness.value_or(0.0);
  require_usage(sharpness >= 0.0 && sharpness <= speak::kMostSharpness,
                "--sharpness {}: expected 0 to {}",
                sharpness,
                speak::kMostSharpness);
  require_usage(args.seed >= 0, "--seed {}: expected 0 or more", args.seed);
  require_usage(args.stream || !args.out.empty(),
                "--out is empty; expected a name that ends in .wav or a folder");
  require_usage(!args.stream || isatty(STDOUT_FILENO) == 0,
                "--stream writes samples, which a terminal cannot show; send them to a player or a "
                "file: --stream | aplay -f S16_LE -r 22050");
  require_voice(request);
}

std::vector<SpeakTask> tasks_of(const SpeakArgs& args) {
  std::vector<SpeakTask> tasks;
  if (args.text_file.empty()) {
    if (args.text.find_first_not_of(" \t\r\n") != std::string::npos) {
      tasks.push_back({.text = args.text, .line = 0, .out = {}});
    }
  } else {
    tasks = tasks_of_lines(read_text_file(args.text_file));
  }
  require_usage(!tasks.empty(), "there is nothing to say: the text is empty; give it some words");
  if (!args.stream) name_outputs(tasks, args.out, args.request.reference);
  return tasks;
}

nlohmann::ordered_json measured_or_null(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return *value;
}

nlohmann::ordered_json file_json(const SpokenFile& file) {
  nlohmann::ordered_json row = {
      {"path", file.path},
      {"audio_s", file.audio_s},
      {"wall_s", file.wall_s},
      {"loudness_lufs", measured_or_null(file.facts.loudness_lufs)},
      {"peak_dbfs", measured_or_null(file.facts.peak_dbfs)},
      {"flatness_db", measured_or_null(file.facts.flatness_db)},
      {"relative_flatness_db", measured_or_null(file.facts.relative_flatness_db)},
      {"level_spread_db", measured_or_null(file.facts.level_spread_db)},
      {"like_recordings", nullptr},
      {"dropped", file.dropped},
      {"left_out", nlohmann::json::array()}};
  if (file.like_recordings) row["like_recordings"] = *file.like_recordings;
  for (const UnspokenSentence& sentence : file.left_out)
    row["left_out"].push_back({{"text", sentence.text}, {"fault", sentence.fault}});
  return row;
}

void print_speak_json(const SpeakAnswer& answer) {
  nlohmann::ordered_json report = {{"files", nlohmann::json::array()},
                                   {"real_time_factor", nullptr},
                                   {"unspoken", nlohmann::json::array()},
                                   {"save", answer.save},
                                   {"speaker", answer.speaker},
                                   {"vocoder", answer.vocoder}};
  for (const SpokenFile& file : answer.files)
    report["files"].push_back(file_json(file));
  if (!answer.files.empty()) report["real_time_factor"] = answer.real_time_factor();
  for (const UnspokenText& text : answer.unspoken) {
    report["unspoken"].push_back(
        {{"line", text.line}, {"fault", text.fault}, {"dropped", text.dropped}});
  }
  // A file name need not be UTF-8; JSON must be.
  fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_file(const SpokenFile& file) {
  fmt::print("{}  {:.2f} s of sound in {:.2f} s\n", file.path, file.audio_s, file.wall_s);
  std::fflush(stdout);  // whoever waits for many files sees each
}

void print_total(const SpeakAnswer& answer) {
  double audio_s = 0.0;
  double wall_s = 0.0;
  for (const SpokenFile& file : answer.files) {
    audio_s += file.audio_s;
    wall_s += file.wall_s;
  }
  fmt::print("{}, {:.2f} s of sound in {:.2f} s, real-time factor {:.3f}, vocoder {}\n",
             counted(answer.files.size(), "file"),
             audio_s,
             wall_s,
             answer.real_time_factor(),
             answer.vocoder);
}

void write_samples(std::span<const float> samples, int /*sample_rate*/) {
  const std::string bytes = audio::pcm16_bytes(samples);
  const base::PipeSignalHeld held;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                       std::fflush(stdout) == 0;  // whoever listens hears it now
  const int reason = errno;
  require(written,
          "standard output cannot be written to: {}{}",
          strerror(reason),
          reason == EPIPE ? "; whoever listened has gone" : "");
}

void run_speak(SpeakArgs& args) {
  args.request.in_bf16 = is_bf16(args.precision);
  check(args);
  args.request.seed = static_cast<std::uint64_t>(args.seed);
  args.request.loudness_lufs = loudness_of(args.loudness);
  // Standard input can be read once, and loading the library may start the program anew.
  if (args.text_file != "-") args.request.tasks = tasks_of(args);
  args.request.num_threads = config::threads_of({});
  const TensorVerbs& verbs = tensor_verbs(args.request.num_threads);
  if (args.text_file == "-") args.request.tasks = tasks_of(args);
  if (!args.json) args.request.on_file = print_file;
  if (args.stream) args.request.on_sound = write_samples;

  const SpeakAnswer answer = verbs.speak(args.request);
  if (args.json) {
    print_speak_json(answer);
  } else if (!answer.files.empty()) {
    print_total(answer);
  }
  say_unspoken(answer, args.text_file);
  if (!answer.unspoken.empty()) throw FoundSomething();
  if (!args.stream) base::say("Next: listen to {}\n", answer.files.front().path);
}

}  // namespace

void add_speak_command(CLI::App& app) {
  auto args = std::make_shared<SpeakArgs>();
  SpeakRequest& request = args->request;
  CLI::App* command = app.add_subcommand("speak", "Speak texts with a trained voice");
  command->footer(kSpeakExamples);
  command->add_option("--checkpoint", request.checkpoint, "The run folder, or one of its saves")
      ->required();
  CLI::Option* text = command->add_option("--text", args->text, "The text");
  CLI::Option* file = command->add_option(
      "--text-file", args->text_file, "A file with one text per line; '-' is standard input");
  text->excludes(file);
  CLI::Option* out =
      command->add_option("--out", args->out, "The WAV file, or the folder for one file per text");
  CLI::Option* speaker =
      command->add_option("--speaker", request.speaker, "A speaker of the training");
  command->add_option("--reference", request.reference, "A recording of the voice to speak with")
      ->excludes(speaker);
  command->add_option(
      "--vocoder",
      request.vocoder,
      "Run of train-vocoder, or griffin-lim; default: RUN/vocoder if there, else griffin-lim");
  command->add_option("--speed", request.speed, "0.5 (half as fast) to 2 (twice)")
      ->capture_default_str();
  CLI::Option* loudness =
      command->add_option("--loudness", args->loudness, "LUFS of each file, -60 to -5, or off")
          ->capture_default_str();
  command->add_option("--sharpness",
                      request.sharpness,
                      "How far peaks of the model's frames are raised, 0 to 2; without it 0.3, "
                      "for a flow 0");
  command->add_option("--seed", args->seed, "Chance in it: phases of Griffin-Lim, noise of a flow")
      ->capture_default_str();
  command
      ->add_option("--precision",
                   args->precision,
                   "fp32, or bf16: a little less exact, faster on some processors")
      ->capture_default_str();
  CLI::Option* json =
      command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command
      ->add_flag(
          "--stream", args->stream, "Write raw 16-bit samples to standard output as they come")
      ->excludes(out, loudness, json);
  command->callback([args, text, file, out] {
    require_usage(args->stream || out->count() > 0,
                  "where to? Add --out FILE.wav, --out FOLDER or --stream");
    require_usage(text->count() + file->count() > 0,
                  "what is to be said? Add --text or --text-file");
    run_speak(*args);
  });
}

}  // namespace xtts::cli
