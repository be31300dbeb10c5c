#include "cli/demo_voice.h"

#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "audio/decode.h"
#include "audio/mel.h"
#include "audio/mel_picture.h"
#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "checkpoint/checkpoint_store.h"
#include "cli/run_config.h"
#include "cli/speak_verb.h"
#include "cli/tensor_library.h"
#include "corpus/report_examples.h"
#include "speak/vocoder_place.h"
#include "train/run_page.h"

namespace xtts::cli {
namespace {

constexpr std::size_t kNumSentences = 5;
// Together with the examples of the corpus they keep the page below 4 MB.
constexpr double kMaxSentenceSeconds = 6.0;
constexpr double kMaxSeconds = 13.0;  // each is there three times
constexpr std::size_t kMaxAudioBytes = std::size_t{64} << 20U;

constexpr const char* kHowToJudge =
    "How many of the words are understood is counted by a judge, a program of its own: make demo "
    "brings one, tools/judge_words.py, which asks pocketsphinx; myxtts demo takes any with "
    "--judge.";

std::filesystem::path numbered(const std::filesystem::path& folder, std::size_t index) {
  return folder / speak::judged_name(index);
}

train::Voiced look_at(const std::filesystem::path& file,
                      const config::Config& config,
                      const std::string& title) {
  audio::DecodeResult decoded =
      audio::decode(base::read_file_or_throw(file, kMaxAudioBytes), config.data.max_audio_length);
  require(decoded.ok(), "{}: {}", file.string(), decoded.detail);
  const audio::ReferenceMel extractor(audio::mel_spec_of(config));
  const audio::Mel mel = extractor.log_mel(audio::prepare(decoded.sound, extractor.contract()));
  return {.wav = audio::wav_bytes(decoded.sound.samples, decoded.sound.sample_rate),
          .mel_png = audio::mel_png(mel, extractor.contract(), title),
          .heard = {}};
}

}  // namespace

std::vector<UnseenSentence> take_unseen(const corpus::Corpus& held_back,
                                        std::span<const corpus::Measured> measured,
                                        const config::Config& config,
                                        const DemoPlaces& places) {
  std::vector<std::size_t> chosen =
      corpus::choose_examples(measured, kNumSentences, kMaxSeconds, kMaxSentenceSeconds);
  if (chosen.empty())
    chosen = corpus::choose_examples(measured, 1, HUGE_VAL);  // a long one at least
  std::vector<UnseenSentence> unseen;
  std::string lines;
  for (const std::size_t i : chosen) {
    const corpus::Utterance& one = held_back.utterances[i];
    train::Voiced recorded = look_at(held_back.root / one.audio, config, one.id + " recorded");
    base::write_file_atomically(numbered(places.recorded, unseen.size()), recorded.wav);
    lines += one.text + "\n";
    unseen.push_back({.sentence = {.id = one.id,
                                   .text = one.text,
                                   .recorded = std::move(recorded),
                                   .spoken = {},
                                   .by_griffin_lim = {}},
                      .speaker = one.speaker});
  }
  base::write_file_atomically(places.sentences, lines);
  return unseen;
}

train::TrainRequest demo_training(const DemoPlaces& places,
                                  const std::string& language,
                                  double minutes,
                                  int num_workers,
                                  const std::vector<UnseenSentence>& unseen) {
  const config::Layers layers{.file = {},
                              .sets = {"training.val_step=50",
                                       "training.spectrogram_log_interval=25",
                                       "training.spectrogram_log_num_examples=1",
                                       "training.text2audio_interval_steps=100"},
                              .flags = {{"data.dataset_path", places.corpus.string()},
                                        {"data.language", language},
                                        {"data.num_workers", fmt::format("{}", num_workers)},
                                        {"model.model_size", "tiny"},
                                        {"training.checkpoint_dir", places.run.string()},
                                        {"training.max_minutes", fmt::format("{}", minutes)}}};
  train::TrainRequest request{.resolved = resolve_run(layers, /*reset_training=*/false)};
  config::Config& config = request.resolved.config;
  make_paths_absolute(config);
  config.training.text2audio_texts.clear();
  if (!unseen.empty()) config.training.text2audio_texts = {unseen.front().sentence.text};
  return request;
}

train::TrainRequest demo_vocoder_training(const DemoPlaces& places,
                                          const std::string& language,
                                          double minutes,
                                          int num_workers) {
  const config::Layers layers{
      .file = {},
      .sets = {"training.val_step=200",
               "training.spectrogram_log_num_examples=1",
               "training.text2audio_interval_steps=500"},
      .flags = {{"data.dataset_path", places.corpus.string()},
                {"data.language", language},
                {"data.num_workers", fmt::format("{}", num_workers)},
                {"data.mels_from", checkpoint::find_checkpoint(places.run).folder.string()},
                {"model.vocoder_size", "cpu"},
                {"training.checkpoint_dir", places.vocoder.string()},
                {"training.max_minutes", fmt::format("{}", minutes)}}};
  train::TrainRequest request{.resolved = resolve_run(layers, /*reset_training=*/false),
                              .trained = train::Task::kVocoder};
  config::Config& config = request.resolved.config;
  config = config::for_vocoder(std::move(config));
  make_paths_absolute(config);
  choose_voice_for(config);
  return request;
}

void speak_unseen(std::vector<UnseenSentence>& unseen,
                  const TensorVerbs& verbs,
                  int num_threads,
                  const DemoPlaces& places,
                  const config::Config& config,
                  const std::function<void()>& on_done) {
  for (std::size_t i = 0; i < unseen.size(); ++i) {
    train::SpokenSentence& sentence = unseen[i].sentence;
    const auto speak_into = [&](const std::filesystem::path& file, std::string_view vocoder) {
      const SpeakAnswer answer =
          verbs.speak({.checkpoint = places.run.string(),
                       .reference = "",
                       .speaker = unseen[i].speaker,
                       .vocoder = std::string(vocoder),
                       .num_threads = num_threads,
                       .tasks = {{.text = sentence.text, .line = i + 1, .out = file}},
                       .on_file = {}});
      require(answer.unspoken.empty(),
              "'{}' cannot be spoken: {}",
              sentence.text,
              answer.unspoken.empty() ? "" : answer.unspoken.front().fault);
      return look_at(file, config, sentence.id + " spoken");
    };
    sentence.spoken = speak_into(numbered(places.spoken, i), places.vocoder.string());
    sentence.by_griffin_lim =
        speak_into(numbered(places.spoken_griffin_lim, i), speak::kGriffinLim);
    on_done();
  }
}

void describe_voice(const TrainedVoice& voice,
                    const DemoPlaces& places,
                    corpus::DemoReport& report) {
  const std::vector<train::SpokenSentence> sentences = sentences_of(voice.unseen);
  const train::RunStory story = train::read_run_story(places.run, voice.config.training);
  const auto percent = [](const train::WordErrors& errors) {
    return fmt::format("{:.0f} %", 100.0 * errors.rate());
  };
  report.voice_figures = {
      {"steps of training", fmt::format("{}", voice.summary.steps), ""},
      {"time per step", fmt::format("{:.0f} ms", 1e3 * voice.summary.step_s.p50), ""},
      {"steps of the vocoder", fmt::format("{}", voice.vocoder_summary.steps), ""}};
  if (const auto scores = train::word_scores(sentences)) {
    report.voice_figures.insert(report.voice_figures.begin(),
                                {{"words misunderstood", percent(scores->spoken), ""},
                                 {"of the recordings", percent(scores->recorded), ""}});
  }
  report.voice_sections = train::spoken_section(sentences, kHowToJudge) +
                          train::said_section(story) + train::losses_section(story) +
                          train::alignments_section(story);
}

std::vector<train::SpokenSentence> sentences_of(const std::vector<UnseenSentence>& unseen) {
  std::vector<train::SpokenSentence> sentences;
  for (const UnseenSentence& one : unseen)
    sentences.push_back(one.sentence);
  return sentences;
}

}  // namespace xtts::cli
