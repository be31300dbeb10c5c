#include "cli/demo_training.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/torch_commands.h"
#include "audio/decode.h"
#include "audio/mel.h"
#include "audio/mel_picture.h"
#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "checkpoint/checkpoint_store.h"
#include "corpus/report_examples.h"
#include "synthesis/find_vocoder.h"
#include "synthesis/speak_request.h"
#include "train/run_config.h"
#include "train/run_report_page.h"

namespace myxtts::cli {
namespace {

constexpr std::size_t kNumSentences = 5;
// These limits and the corpus examples keep the report below 4 MB.
constexpr double kMaxSentenceSeconds = 6.0;
constexpr double kMaxSeconds = 13.0;  // in total; the report has three clips per sentence
constexpr std::size_t kMaxAudioBytes = std::size_t{64} << 20U;

constexpr const char* kHowToJudge =
    "No word error rate was measured. Pass a judge, a command that transcribes the audio, with "
    "--judge; make demo uses tools/judge_wer.py (pocketsphinx).";

std::filesystem::path numbered_file(const std::filesystem::path& folder, std::size_t index) {
  return folder / synthesis::judge_wav_name(index);
}

train::SentenceAudio load_clip(const std::filesystem::path& file,
                               const config::Config& config,
                               const std::string& title) {
  audio::DecodeResult decoded =
      audio::decode(base::read_file_or_throw(file, kMaxAudioBytes), config.data.max_audio_length);
  require(decoded.ok(), "{}: {}", file.string(), decoded.detail);
  const audio::ReferenceMel extractor(audio::mel_spec_of(config));
  const audio::Mel mel = extractor.log_mel(audio::prepare(decoded.clip, extractor.spec()));
  return {.wav = audio::wav_bytes(decoded.clip.samples, decoded.clip.sample_rate),
          .mel_png = audio::mel_png(mel, extractor.spec(), title),
          .transcript = {}};
}

}  // namespace

std::vector<HeldOutSentence> select_held_out(const corpus::Corpus& validation,
                                             std::span<const corpus::Measurement> measured,
                                             const config::Config& config,
                                             const DemoPaths& paths) {
  std::vector<std::size_t> chosen =
      corpus::choose_examples(measured, kNumSentences, kMaxSeconds, kMaxSentenceSeconds);
  if (chosen.empty())
    chosen = corpus::choose_examples(measured, 1, HUGE_VAL);  // at least one, even if long
  std::vector<HeldOutSentence> held_out;
  std::string lines;
  for (const std::size_t i : chosen) {
    const corpus::Utterance& one = validation.utterances[i];
    train::SentenceAudio recorded =
        load_clip(validation.root / one.audio, config, one.id + " recorded");
    base::write_file_atomically(numbered_file(paths.recorded, held_out.size()), recorded.wav);
    lines += one.text + "\n";
    held_out.push_back({.sentence = {.id = one.id,
                                     .text = one.text,
                                     .recorded = std::move(recorded),
                                     .spoken = {},
                                     .by_griffin_lim = {}},
                        .speaker = one.speaker});
  }
  base::write_file_atomically(paths.sentences, lines);
  return held_out;
}

train::TrainRequest demo_training(const DemoPaths& paths,
                                  const std::string& language,
                                  double minutes,
                                  int num_workers,
                                  const std::vector<HeldOutSentence>& held_out) {
  const config::Layers layers{.file = {},
                              .sets = {"training.val_step=50",
                                       "training.spectrogram_log_interval=25",
                                       "training.spectrogram_log_num_examples=1",
                                       "training.text2audio_interval_steps=100"},
                              .flags = {{"data.dataset_path", paths.corpus.string()},
                                        {"data.language", language},
                                        {"data.num_workers", fmt::format("{}", num_workers)},
                                        {"model.model_size", "tiny"},
                                        {"training.checkpoint_dir", paths.run.string()},
                                        {"training.max_minutes", fmt::format("{}", minutes)}}};
  train::TrainRequest request{.resolved = train::resolve_run(layers, /*reset_training=*/false)};
  config::Config& config = request.resolved.config;
  train::make_paths_absolute(config);
  config.training.text2audio_texts.clear();
  if (!held_out.empty()) config.training.text2audio_texts = {held_out.front().sentence.text};
  return request;
}

train::TrainRequest demo_vocoder_training(const DemoPaths& paths,
                                          const std::string& language,
                                          double minutes,
                                          int num_workers) {
  const config::Layers layers{
      .file = {},
      .sets = {"training.val_step=200",
               "training.spectrogram_log_num_examples=1",
               "training.text2audio_interval_steps=500"},
      .flags = {{"data.dataset_path", paths.corpus.string()},
                {"data.language", language},
                {"data.num_workers", fmt::format("{}", num_workers)},
                {"data.mels_from", checkpoint::find_checkpoint(paths.run).folder.string()},
                {"model.vocoder_size", "cpu"},
                {"training.checkpoint_dir", paths.vocoder.string()},
                {"training.max_minutes", fmt::format("{}", minutes)}}};
  train::TrainRequest request{.resolved = train::resolve_run(layers, /*reset_training=*/false),
                              .task = train::Task::kVocoder};
  config::Config& config = request.resolved.config;
  config = config::for_vocoder(std::move(config));
  train::make_paths_absolute(config);
  train::select_mels_checkpoint_for(config);
  return request;
}

void synthesise_held_out(std::vector<HeldOutSentence>& held_out,
                         const api::TorchCommands& torch,
                         int num_threads,
                         const DemoPaths& paths,
                         const config::Config& config,
                         const std::function<void()>& on_done) {
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    train::SynthesisedSentence& sentence = held_out[i].sentence;
    const auto synthesise_to = [&](const std::filesystem::path& file, std::string_view vocoder) {
      const synthesis::SpeakResult result =
          torch.speak({.checkpoint = paths.run.string(),
                       .reference = "",
                       .speaker = held_out[i].speaker,
                       .vocoder = std::string(vocoder),
                       .num_threads = num_threads,
                       .tasks = {{.text = sentence.text, .line = i + 1, .out = file}},
                       .on_file = {}});
      require(result.unspoken.empty(),
              "'{}' cannot be synthesised: {}",
              sentence.text,
              result.unspoken.empty() ? "" : result.unspoken.front().fault);
      return load_clip(file, config, sentence.id + " synthesised");
    };
    sentence.spoken = synthesise_to(numbered_file(paths.spoken, i), paths.vocoder.string());
    sentence.by_griffin_lim =
        synthesise_to(numbered_file(paths.spoken_griffin_lim, i), synthesis::kGriffinLim);
    on_done();
  }
}

void add_voice_sections(const TrainedVoice& voice,
                        const DemoPaths& paths,
                        corpus::DemoReport& report) {
  const std::vector<train::SynthesisedSentence> sentences = sentences_of(voice.held_out);
  const train::ReportContent story = train::read_report_content(paths.run, voice.config.training);
  const auto percent = [](const train::WordErrors& errors) {
    return fmt::format("{:.1f} %", 100.0 * errors.rate());
  };
  report.voice_figures = {
      {"training steps", fmt::format("{}", voice.summary.steps), ""},
      {"time per step", fmt::format("{:.0f} ms", 1e3 * voice.summary.step_s.p50), ""},
      {"vocoder training steps", fmt::format("{}", voice.vocoder_summary.steps), ""}};
  if (const auto scores = train::word_scores(sentences)) {
    report.voice_figures.insert(report.voice_figures.begin(),
                                {{"WER", percent(scores->spoken), ""},
                                 {"WER of the recordings", percent(scores->recorded), ""}});
  }
  report.voice_sections = train::synthesis_section(sentences, kHowToJudge) +
                          train::sentence_samples_section(story) + train::losses_section(story) +
                          train::alignments_section(story);
}

std::vector<train::SynthesisedSentence> sentences_of(const std::vector<HeldOutSentence>& held_out) {
  std::vector<train::SynthesisedSentence> sentences;
  for (const HeldOutSentence& one : held_out)
    sentences.push_back(one.sentence);
  return sentences;
}

}  // namespace myxtts::cli
