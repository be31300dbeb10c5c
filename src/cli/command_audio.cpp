// myxtts audio: what the model will hear of one recording, in numbers, as a picture and as sound.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audio/audio_stats.h"
#include "audio/decode.h"
#include "audio/griffin_lim.h"
#include "audio/loudness.h"
#include "audio/mel.h"
#include "audio/mel_picture.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/read_recording.h"
#include "cli/shell_words.h"
#include "cli/tensor_library.h"
#include "config/training_config.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxRecordingSeconds =
    300.0;  // longer ones cost gigabytes on the way back to sound

constexpr const char* kAudioExamples = R"(
WAV, FLAC, OGG (Vorbis, Opus) and MP3, any rate; channels are mixed down. The recording is
resampled, trimmed, brought to the target loudness and turned into log-mel frames, as for training.
A name that begins with - needs its folder: ./-x.wav

Examples:
  myxtts audio clip.wav
  myxtts audio clip.wav --png mel.png                 the mel with its axes
  myxtts audio clip.wav --out heard.wav               back to sound, through the mel alone
  myxtts audio clip.wav --out heard.wav --vocoder runs/vocoder
  myxtts audio clip.wav --no-trim-silence --n-mels 100 --png mel.png
  myxtts audio clip.flac --json | jq .mel_frames)";

struct AudioArgs {
  std::string file;
  std::string png;
  std::string out;
  std::string vocoder;  // its RUN or save; empty: Griffin-Lim
  int iterations = audio::kGriffinLimIterations;
  std::uint64_t seed = 1;
  bool json = false;
  ConfigArgs config;
};

// Everything that is printed about a recording.
struct Answer {
  audio::AudioClip sound;
  audio::AudioStats facts;  // of the recording as it is
  audio::PreparedAudio prepared;
  audio::MelSpec contract;
  audio::Mel mel;

  double prepared_seconds() const {
    return static_cast<double>(prepared.samples.size()) / contract.sample_rate;
  }
};

Answer listen(const fs::path& file, const config::Config& config) {
  Answer answer;
  answer.contract = audio::mel_spec_of(config);
  answer.sound = read_recording(file, kMaxRecordingSeconds);
  answer.facts = audio::audio_stats(answer.sound.samples, answer.sound.sample_rate);
  answer.prepared = audio::prepare_with_report(answer.sound, answer.contract);
  answer.mel = audio::ReferenceMel(answer.contract).log_mel(answer.prepared.samples);
  return answer;
}

nlohmann::json finite_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? nlohmann::json(*value) : nlohmann::json();
}

void print_audio_json(const AudioArgs& args, const Answer& answer) {
  const audio::PreparedAudio& prepared = answer.prepared;
  nlohmann::ordered_json report = {
      {"file", args.file},
      {"format", answer.sound.format},
      {"sample_rate", answer.sound.sample_rate},
      {"channels", answer.sound.num_channels},
      {"seconds", answer.sound.seconds()},
      {"peak_dbfs", finite_or_null(audio::to_dbfs(audio::peak_of(answer.sound.samples)))},
      {"loudness_lufs", finite_or_null(prepared.loudness_lufs)},
      {"flatness_db", finite_or_null(answer.facts.flatness_db)},
      {"relative_flatness_db", finite_or_null(answer.facts.relative_flatness_db)},
      {"level_spread_db", finite_or_null(answer.facts.level_spread_db)},
      {"gain_db", finite_or_null(prepared.gain_db)},
      {"trimmed_start_s", prepared.trimmed_start_s},
      {"trimmed_end_s", prepared.trimmed_end_s},
      {"prepared_seconds", answer.prepared_seconds()},
      {"mel_frames", answer.mel.num_frames},
      {"mel_channels", answer.mel.n_mels},
      {"mel_fingerprint", audio::mel_fingerprint(answer.contract)},
  };
  if (!args.png.empty()) report["png"] = args.png;
  if (!args.out.empty()) report["wav"] = args.out;
  // A file name need not be UTF-8; JSON must be.
  fmt::print("{}\n", report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_audio_text(const AudioArgs& args, const Answer& answer) {
  const audio::PreparedAudio& prepared = answer.prepared;
  fmt::print("{}\n", args.file);
  fmt::print("  format    {}, {} Hz, {} channel{}\n",
             answer.sound.format,
             answer.sound.sample_rate,
             answer.sound.num_channels,
             answer.sound.num_channels == 1 ? "" : "s");
  fmt::print("  length    {:.3f} s\n", answer.sound.seconds());
  fmt::print("  peak      {:.1f} dBFS\n", audio::to_dbfs(audio::peak_of(answer.sound.samples)));
  fmt::print("  loudness  {}\n",
             prepared.loudness_lufs ? fmt::format("{:.1f} LUFS", *prepared.loudness_lufs)
                                    : "too short or too quiet to measure");
  fmt::print("  flatness  {}\n",
             answer.facts.flatness_db
                 ? fmt::format("{:.1f} dB, relative {:.1f} dB; the level moves by {:.1f} dB",
                               *answer.facts.flatness_db,
                               *answer.facts.relative_flatness_db,
                               *answer.facts.level_spread_db)
                 : "too short to measure");
  fmt::print("  trimmed   {:.3f} s at the start, {:.3f} s at the end; {:.3f} s are left\n",
             prepared.trimmed_start_s,
             prepared.trimmed_end_s,
             answer.prepared_seconds());
  fmt::print("  gain      {:+.1f} dB\n", prepared.gain_db);
  fmt::print("  mel       {} frames of {} channels, {} samples apart at {} Hz\n",
             answer.mel.num_frames,
             answer.mel.n_mels,
             answer.contract.hop_length,
             answer.contract.sample_rate);
  fmt::print("  contract  {}\n", audio::mel_fingerprint(answer.contract));
  if (!args.png.empty()) fmt::print("  picture   {}\n", args.png);
  if (!args.out.empty()) fmt::print("  sound     {}\n", args.out);
}

void write_picture(const AudioArgs& args, const Answer& answer) {
  const std::string title = fmt::format("{}   {:.2f} s, {} frames",
                                        fs::path(args.file).filename().string(),
                                        answer.prepared_seconds(),
                                        answer.mel.num_frames);
  base::write_file_atomically(args.png, audio::mel_png(answer.mel, answer.contract, title));
}

std::vector<float> sound_of(const AudioArgs& args, const Answer& answer) {
  if (args.vocoder.empty())
    return audio::griffin_lim(answer.mel, answer.contract, args.iterations, args.seed);
  return tensor_verbs(config::threads_of({}))
      .vocode({.vocoder = args.vocoder, .mel = answer.mel, .contract = answer.contract});
}

void write_sound(const AudioArgs& args, const Answer& answer) {
  std::vector<float> samples = sound_of(args, answer);
  const float peak = audio::peak_of(samples);
  if (peak > audio::kPeakLimit) audio::apply_gain(samples, audio::kPeakLimit / peak);
  base::write_file_atomically(args.out, audio::wav_bytes(samples, answer.contract.sample_rate));
}

bool would_be_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;  // what does not exist is equal to nothing
  return fs::equivalent(one, other, ignored) ||
         fs::absolute(one).lexically_normal() == fs::absolute(other).lexically_normal();
}

// Nothing is written over the recording, nor one answer over the other.
void require_own_files(const AudioArgs& args) {
  for (const auto& [flag, file] : {std::pair("--png", args.png), std::pair("--out", args.out)}) {
    require_usage(file.empty() || !would_be_same_file(file, args.file),
                  "{} {} is the recording itself; give the answer a file of its own",
                  flag,
                  file);
  }
  require_usage(args.png.empty() || args.out.empty() || !would_be_same_file(args.png, args.out),
                "--png and --out both name {}; give each a file of its own",
                args.out);
}

void run_audio(const AudioArgs& args) {
  require_own_files(args);
  require_usage(args.vocoder.empty() || !args.out.empty(),
                "--vocoder makes sound: add --out FILE.wav for it");
  if (!args.vocoder.empty()) tensor_verbs(config::threads_of({}));  // before anything is read
  const Answer answer = listen(args.file, resolve(args.config));
  if (!args.png.empty()) write_picture(args, answer);
  if (!args.out.empty()) write_sound(args, answer);
  args.json ? print_audio_json(args, answer) : print_audio_text(args, answer);
  if (args.png.empty()) {
    base::say("Next: {}\n", command_line({"audio", args.file, "--png", "mel.png"}));
  } else if (args.out.empty()) {
    base::say("Next: {}\n", command_line({"audio", args.file, "--out", "heard.wav"}));
  } else {
    base::say("Next: listen to {}, beside {}\n", args.out, args.file);
  }
}

CLI::Validator file_name() {
  return {[](const std::string& name) {
            return name.empty() ? std::string("an empty name; expected the name of a file")
                                : std::string();
          },
          "FILE",
          "file name"};
}

}  // namespace

void add_audio_command(CLI::App& app) {
  auto args = std::make_shared<AudioArgs>();
  CLI::App* command =
      app.add_subcommand("audio", "Show what the audio front end makes of a recording");
  command->footer(kAudioExamples);
  command->add_option("FILE", args->file, "The recording")->required();
  command->add_option("--png", args->png, "Draw the mel into this file")->check(file_name());
  command->add_option("--out", args->out, "Turn the mel back into sound and write this WAV file")
      ->check(file_name());
  CLI::Option* vocoder = command->add_option(
      "--vocoder", args->vocoder, "Run of train-vocoder for --out; default: Griffin-Lim");
  command->add_option("--iterations", args->iterations, "Griffin-Lim rounds for --out")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->excludes(vocoder);
  command->add_option("--seed", args->seed, "Starting phases for --out")
      ->capture_default_str()
      ->excludes(vocoder);
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  add_config_options(*command,
                     args->config,
                     {"model.sample_rate",
                      "model.n_fft",
                      "model.win_length",
                      "model.hop_length",
                      "model.n_mels",
                      "model.mel_fmin",
                      "model.mel_fmax",
                      "data.trim_silence",
                      "data.trim_top_db",
                      "data.normalize_audio",
                      "data.enable_loudness_normalization",
                      "data.target_loudness_lufs"});
  command->callback([args] { run_audio(*args); });
}

}  // namespace xtts::cli
