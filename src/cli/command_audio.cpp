// myxtts audio: shows the audio features of a recording as numbers, an image and resynthesised
// audio.

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
#include "audio/read_recording.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/config_args.h"
#include "cli/shell_command.h"
#include "cli/torch_library.h"
#include "config/training_config.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMaxRecordingSeconds = 300.0;  // Griffin-Lim needs gigabytes for longer ones

constexpr const char* kAudioExamples = R"(
Reads WAV, FLAC, OGG (Vorbis, Opus) and MP3 at any sample rate; channels are mixed to mono. The
recording is resampled, trimmed, normalised in loudness and converted to log-mel frames, as for
training. Prefix a file name that begins with - with its folder: ./-x.wav

Examples:
  myxtts audio clip.wav
  myxtts audio clip.wav --png mel.png               mel spectrogram as an image
  myxtts audio clip.wav --out resynthesised.wav     audio resynthesised from the mel
  myxtts audio clip.wav --out resynthesised.wav --vocoder runs/vocoder
  myxtts audio clip.wav --no-trim-silence --n-mels 100 --png mel.png
  myxtts audio clip.flac --json | jq .mel_frames)";

struct AudioArgs {
  std::string file;
  std::string png;
  std::string out;
  std::string vocoder;  // run folder or checkpoint; empty: Griffin-Lim
  int iterations = audio::kGriffinLimIterations;
  std::uint64_t seed = 1;
  bool json = false;
  ConfigArgs config;
};

// Properties of a recording that the command prints.
struct RecordingReport {
  audio::AudioClip clip;
  audio::AudioStats stats;  // of the unprocessed recording
  audio::PreparedAudio prepared;
  audio::MelSpec mel_spec;
  audio::Mel mel;

  double prepared_seconds() const {
    return static_cast<double>(prepared.samples.size()) / mel_spec.sample_rate;
  }
};

RecordingReport analyse(const fs::path& file, const config::Config& config) {
  RecordingReport report;
  report.mel_spec = audio::mel_spec_of(config);
  report.clip = audio::read_recording(file, kMaxRecordingSeconds);
  report.stats = audio::audio_stats(report.clip.samples, report.clip.sample_rate);
  report.prepared = audio::prepare_with_report(report.clip, report.mel_spec);
  report.mel = audio::ReferenceMel(report.mel_spec).log_mel(report.prepared.samples);
  return report;
}

nlohmann::json finite_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? nlohmann::json(*value) : nlohmann::json();
}

void print_audio_json(const AudioArgs& args, const RecordingReport& report) {
  const audio::PreparedAudio& prepared = report.prepared;
  nlohmann::ordered_json json = {
      {"file", args.file},
      {"format", report.clip.format},
      {"sample_rate", report.clip.sample_rate},
      {"channels", report.clip.num_channels},
      {"seconds", report.clip.seconds()},
      {"peak_dbfs", finite_or_null(audio::to_dbfs(audio::peak_of(report.clip.samples)))},
      {"loudness_lufs", finite_or_null(prepared.loudness_lufs)},
      {"flatness_db", finite_or_null(report.stats.flatness_db)},
      {"relative_flatness_db", finite_or_null(report.stats.relative_flatness_db)},
      {"level_std_db", finite_or_null(report.stats.level_std_db)},
      {"gain_db", finite_or_null(prepared.gain_db)},
      {"trimmed_start_s", prepared.trimmed_start_s},
      {"trimmed_end_s", prepared.trimmed_end_s},
      {"prepared_seconds", report.prepared_seconds()},
      {"mel_frames", report.mel.num_frames},
      {"mel_channels", report.mel.n_mels},
      {"mel_fingerprint", audio::mel_fingerprint(report.mel_spec)},
  };
  if (!args.png.empty()) json["png"] = args.png;
  if (!args.out.empty()) json["wav"] = args.out;
  // File names may be invalid UTF-8, which JSON cannot hold.
  fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_audio_text(const AudioArgs& args, const RecordingReport& report) {
  const audio::PreparedAudio& prepared = report.prepared;
  fmt::print("{}\n", args.file);
  fmt::print("  format    {}, {} Hz, {} channel{}\n",
             report.clip.format,
             report.clip.sample_rate,
             report.clip.num_channels,
             report.clip.num_channels == 1 ? "" : "s");
  fmt::print("  length    {:.3f} s\n", report.clip.seconds());
  fmt::print("  peak      {:.1f} dBFS\n", audio::to_dbfs(audio::peak_of(report.clip.samples)));
  fmt::print("  loudness  {}\n",
             prepared.loudness_lufs ? fmt::format("{:.1f} LUFS", *prepared.loudness_lufs)
                                    : "too short or too quiet to measure");
  fmt::print("  flatness  {}\n",
             report.stats.flatness_db
                 ? fmt::format("{:.1f} dB, relative {:.1f} dB; level std {:.1f} dB",
                               *report.stats.flatness_db,
                               *report.stats.relative_flatness_db,
                               *report.stats.level_std_db)
                 : "too short to measure");
  fmt::print("  trimmed   {:.3f} s at the start, {:.3f} s at the end; {:.3f} s remain\n",
             prepared.trimmed_start_s,
             prepared.trimmed_end_s,
             report.prepared_seconds());
  fmt::print("  gain      {:+.1f} dB\n", prepared.gain_db);
  fmt::print("  mel       {} frames of {} channels, {} samples apart at {} Hz\n",
             report.mel.num_frames,
             report.mel.n_mels,
             report.mel_spec.hop_length,
             report.mel_spec.sample_rate);
  fmt::print("  mel spec  {}\n", audio::mel_fingerprint(report.mel_spec));
  if (!args.png.empty()) fmt::print("  image     {}\n", args.png);
  if (!args.out.empty()) fmt::print("  audio     {}\n", args.out);
}

void write_image(const AudioArgs& args, const RecordingReport& report) {
  const std::string title = fmt::format("{}   {:.2f} s, {} frames",
                                        fs::path(args.file).filename().string(),
                                        report.prepared_seconds(),
                                        report.mel.num_frames);
  base::write_file_atomically(args.png, audio::mel_png(report.mel, report.mel_spec, title));
}

std::vector<float> resynthesise(const AudioArgs& args, const RecordingReport& report) {
  if (args.vocoder.empty())
    return audio::griffin_lim(report.mel, report.mel_spec, args.iterations, args.seed);
  return torch_commands(config::threads_of({}))
      .vocode({.vocoder = args.vocoder, .mel = report.mel, .mel_spec = report.mel_spec});
}

void write_resynthesis(const AudioArgs& args, const RecordingReport& report) {
  std::vector<float> samples = resynthesise(args, report);
  const float peak = audio::peak_of(samples);
  if (peak > audio::kPeakLimit) audio::apply_gain(samples, audio::kPeakLimit / peak);
  base::write_file_atomically(args.out, audio::wav_bytes(samples, report.mel_spec.sample_rate));
}

bool would_be_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;  // a missing file equals no other file
  return fs::equivalent(one, other, ignored) ||
         fs::absolute(one).lexically_normal() == fs::absolute(other).lexically_normal();
}

// Refuses output files that would overwrite the recording or each other.
void require_distinct_files(const AudioArgs& args) {
  for (const auto& [flag, file] : {std::pair("--png", args.png), std::pair("--out", args.out)}) {
    require_usage(file.empty() || !would_be_same_file(file, args.file),
                  "{} {} is the recording itself; choose another file",
                  flag,
                  file);
  }
  require_usage(args.png.empty() || args.out.empty() || !would_be_same_file(args.png, args.out),
                "--png and --out both name {}; choose two different files",
                args.out);
}

void run_audio(const AudioArgs& args) {
  require_distinct_files(args);
  require_usage(args.vocoder.empty() || !args.out.empty(),
                "--vocoder needs an output file: add --out FILE.wav");
  const RecordingReport report = analyse(args.file, resolve(args.config));
  if (!args.png.empty()) write_image(args, report);
  if (!args.out.empty()) write_resynthesis(args, report);
  args.json ? print_audio_json(args, report) : print_audio_text(args, report);
  if (args.png.empty()) {
    base::log("Next: {}\n", command_line({"audio", args.file, "--png", "mel.png"}));
  } else if (args.out.empty()) {
    base::log("Next: {}\n", command_line({"audio", args.file, "--out", "resynthesised.wav"}));
  } else {
    base::log("Next: compare {} with {}\n", args.out, args.file);
  }
}

CLI::Validator file_name() {
  return {[](const std::string& name) {
            return name.empty() ? std::string("empty name; expected a file name") : std::string();
          },
          "",
          "file name"};
}

}  // namespace

void add_audio_command(CLI::App& app) {
  auto args = std::make_shared<AudioArgs>();
  CLI::App* command =
      app.add_subcommand("audio", "Show the mel spectrogram and loudness of a recording");
  command->footer(kAudioExamples);
  command->add_option("FILE", args->file, "Audio file")->type_name("")->required();
  command->add_option("--png", args->png, "Output PNG image of the mel spectrogram")
      ->check(file_name())
      ->type_name("FILE");
  command->add_option("--out", args->out, "Output WAV file, resynthesised from the mel")
      ->check(file_name())
      ->type_name("FILE");
  CLI::Option* vocoder =
      command->add_option("--vocoder", args->vocoder, "Vocoder run for --out; default: Griffin-Lim")
          ->type_name("DIR");
  command->add_option("--iterations", args->iterations, "Griffin-Lim iterations for --out")
      ->check(CLI::Range(0, 1000).description("0 to 1000"))
      ->capture_default_str()
      ->excludes(vocoder);
  command->add_option("--seed", args->seed, "Random seed of the Griffin-Lim phases for --out")
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

}  // namespace myxtts::cli
