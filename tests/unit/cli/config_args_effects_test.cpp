// Every key does something: what the front ends read changes what they make of a small corpus, and
// what nothing reads yet says so. No setting is accepted and then silently ignored.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "audio/decode.h"
#include "audio/mel.h"
#include "audio/mel_spec.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "base/error.h"
#include "base/random.h"
#include "cli/stats_shapes.h"
#include "config/field.h"
#include "config/resolve.h"
#include "config/write_yaml.h"
#include "corpus/check.h"
#include "corpus/each_utterance.h"
#include "corpus/held_back.h"
#include "corpus/locate.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "support/temp_dir.h"
#include "text/front_end.h"

namespace xtts::cli {
namespace {

// Noise with silence around it: there is something to trim, to level and to measure.
std::string noise_wav(double seconds, float gain, std::uint64_t seed) {
  constexpr int kRate = 16000;
  base::Random random(seed);
  std::vector<float> samples(static_cast<std::size_t>(seconds * kRate), 0.0F);
  for (std::size_t i = samples.size() / 5; i < samples.size() * 4 / 5; ++i) {
    samples[i] = gain * static_cast<float>(2.0 * random.unit() - 1.0);
  }
  // A quiet tail that only a deep trim keeps.
  for (std::size_t i = samples.size() * 4 / 5; i < samples.size() * 9 / 10; ++i) {
    samples[i] = 0.003F * gain * static_cast<float>(2.0 * random.unit() - 1.0);
  }
  return audio::wav_bytes(samples, kRate);
}

// Two speakers by column and by id, a validation set, and spare files for the keys that name them.
void write_corpus_with_spares(const support::TempDir& dir) {
  dir.write("c/metadata.csv",
            "a_1.wav|ann|Dr. Smith paid $5.\nb_2.wav|bob|Good morning, all of you.\n");
  dir.write("c/other.csv", "a_1.wav|ann|Only this line.\n");
  dir.write("c/metadata_eval.csv", "b_2.wav|bob|Good evening.\n");
  dir.write("c/other_eval.csv", "a_1.wav|ann|Something else.\n");
  for (const char* folder : {"wavs", "more"}) {
    const double seconds = std::string(folder) == "wavs" ? 1.0 : 1.5;
    dir.write(fmt::format("c/{}/a_1.wav", folder), noise_wav(seconds, 0.9F, 1));
    dir.write(fmt::format("c/{}/b_2.wav", folder), noise_wav(2.0 * seconds, 0.1F, 2));
  }
}

// What `stats` says of the shapes of many utterances as long as these.
std::string describe_shapes(const config::Config& config, std::span<const corpus::Measured> all) {
  std::vector<pipeline::Lengths> lengths;
  for (std::int64_t i = 0; i < 200; ++i) {
    for (const corpus::Measured& one : all)
      lengths.push_back({one.text_length + 1, one.mel_length + i});
  }
  const StatsShapes shapes = shapes_of(config, lengths, {});
  return shape_plan_json(shapes).dump() + padding_json(shapes).dump() + "\n";
}

std::string describe_split(const std::filesystem::path& dir,
                           const config::Config& config,
                           corpus::Split split) {
  const corpus::Corpus corpus = corpus::read_corpus(dir, config.data, split);
  std::string facts;
  for (const corpus::Utterance& one : corpus.utterances) {
    facts += fmt::format("{} {} {} {}\n", one.id, one.audio.string(), one.text, one.speaker);
  }
  const std::vector<corpus::Measured> measured = corpus::measure_corpus(corpus, config, 0);
  for (const corpus::Measured& one : measured) {
    facts += fmt::format("{} {} {} {}\n",
                         one.text_length,
                         one.mel_length,
                         one.speech_s,
                         one.problem ? one.problem->reason : "fine");
  }
  return facts + describe_shapes(config, measured) +
         fmt::format("held back {}\n",
                     corpus::count_held_back(corpus.utterances, config.data.val_split));
}

std::string describe_mel(const audio::AudioClip& sound, const config::Config& config) {
  const audio::MelSpec contract = audio::mel_spec_of(config);
  const audio::Mel mel = audio::ReferenceMel(contract).log_mel(audio::prepare(sound, contract));
  std::string facts = fmt::format("{} {}\n", mel.num_frames, mel.n_mels);
  for (const float value : mel.values)
    facts += fmt::format("{:.3f} ", value);
  return facts + "\n";
}

// The frames of a quiet recording, and of the same with a click: brought to its loudness, the
// first is below the limit of the peak and the second above.
std::string describe_mels(const config::Config& config) {
  audio::AudioClip sound = audio::decode(noise_wav(0.8, 0.02F, 3), 10.0).sound;
  const std::string quiet = describe_mel(sound, config);
  sound.samples[sound.samples.size() / 2] = 0.9F;
  return quiet + describe_mel(sound, config);
}

// Everything that the front ends make of the corpus, as text.
std::string fingerprint(const std::filesystem::path& dir, const config::Config& config) {
  text::FrontEnd front_end(text::text_settings_of(config));
  std::string facts = describe_mels(config);
  for (const std::int64_t id : front_end.run("Dr. Smith paid $5 in 1998.").ids) {
    facts += fmt::format("{} ", id);
  }
  const std::filesystem::path root =
      config.data.dataset_path.empty() ? dir : corpus::locate_corpus("", config.data);
  return facts + describe_split(root, config, corpus::Split::kTrain) +
         describe_split(root, config, corpus::Split::kValidation);
}

TEST(ConfigEffects, EveryKeyOfTheFrontEndsChangesWhatTheyMakeOfACorpus) {
  const support::TempDir dir;
  write_corpus_with_spares(dir);
  std::filesystem::copy(
      dir.path() / "c", dir.path() / "d", std::filesystem::copy_options::recursive);
  dir.write("d/metadata.csv", "a_1.wav|ann|Elsewhere.\n");
  const std::map<std::string, std::string> other = {
      {"data.dataset_path", (dir.path() / "d").string()},
      {"data.metadata_train_file", "other.csv"},
      {"data.metadata_eval_file", "other_eval.csv"},
      {"data.wavs_train_dir", "more"},
      {"data.wavs_eval_dir", "more"},
      {"data.val_split", "0.95"},
      {"data.enable_multispeaker", "false"},
      {"data.speaker_id_pattern", "^([a-z])_"},
      {"data.language", "fa"},
      {"data.text_cleaners", "[basic_cleaners]"},
      {"data.use_phonemes", "false"},
      {"data.phoneme_language", "en-gb"},
      {"data.add_blank", "true"},
      {"data.max_text_length", "15"},
      {"data.trim_silence", "false"},
      {"data.trim_top_db", "80"},
      {"data.normalize_audio", "false"},
      {"data.enable_loudness_normalization", "false"},
      {"data.target_loudness_lufs", "-18"},
      {"data.min_audio_length", "1.5"},
      {"data.max_audio_length", "1.5"},
      {"data.max_mel_frames", "60"},
      {"data.batch_size", "8"},
      {"training.gradient_accumulation_steps", "4"},
      {"data.pad_to_fixed_length", "true"},
      {"data.shape_buckets", "2"},
      {"model.sample_rate", "24000"},
      {"model.n_fft", "2048"},
      {"model.win_length", "800"},
      {"model.hop_length", "200"},
      {"model.n_mels", "64"},
      {"model.mel_fmin", "50"},
      {"model.mel_fmax", "7000"},
      {"model.mel_floor", "1e-4"},
  };
  const std::string before = fingerprint(dir.path() / "c", config::Config{});

  config::Config defaults;
  for (const config::Field& field : config::fields_of(defaults)) {
    const bool is_elsewhere = field.key() == "data.num_workers";  // must change nothing: see below
    const bool is_of_training = field.meta.read_by == config::ReadBy::kTraining ||
                                field.meta.read_by == config::ReadBy::kVocoder;
    if (is_of_training || is_elsewhere) continue;
    ASSERT_TRUE(other.contains(field.key())) << field.key() << " needs another value here";
    config::Layers layers;
    layers.sets = {field.key() + "=" + other.at(field.key())};
    const config::Config changed = config::resolve(layers).config;

    EXPECT_TRUE(fingerprint(dir.path() / "c", changed) != before)
        << field.key() << " has no effect";
  }
}

TEST(ConfigEffects, NumWorkersIsTheNumberOfThreadsThatReadACorpus) {
  const support::TempDir dir;
  write_corpus_with_spares(dir);
  const auto num_threads_with = [&](const std::string& num_workers) {
    config::Layers layers;
    layers.sets = {"data.num_workers=" + num_workers};
    const config::Config config = config::resolve(layers).config;
    text::FrontEnd front_end(text::text_settings_of(config));
    std::set<std::thread::id> threads;
    const auto work = [&](auto&&...) -> base::Delivery {
      // Time for the other one to take the other utterance.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      return [&threads, here = std::this_thread::get_id()] { threads.insert(here); };
    };
    corpus::for_each_utterance(corpus::read_corpus(dir.path() / "c", config.data),
                               front_end,
                               config::num_workers_of(config.data),
                               {.work = work, .on_stuck = {}});
    return threads.size();
  };

  EXPECT_EQ(num_threads_with("1"), 1U);
  EXPECT_EQ(num_threads_with("2"), 2U);
}

// The first of some values that this key accepts and that is not its default.
std::optional<config::Resolved> resolved_with_another_value(const config::Field& field) {
  std::vector<std::string> candidates = field.choices();
  for (const char* value :
       {"true", "false", "1", "2", "16", "64", "4000", "50000", "0.5", "1e-05", "cpu", "cpu:0"})
    candidates.push_back(value);
  for (const std::string& value : candidates) {
    config::Layers layers;
    layers.sets = {field.key() + "=" + value};
    try {
      config::Resolved resolved = config::resolve(layers);
      const auto changed = config::differences(config::Config{}, resolved.config);
      const bool is_changed = std::ranges::any_of(
          changed, [&](const config::Difference& one) { return one.key == field.key(); });
      if (is_changed) return resolved;
    } catch (const UsageError&) {
      continue;  // not a value of this key
    }
  }
  return std::nullopt;
}

TEST(ConfigEffects, EveryOtherKeyIsKeptWithoutAWarning) {
  config::Config defaults;
  for (const config::Field& field : config::fields_of(defaults)) {
    const bool is_of_training = field.meta.read_by == config::ReadBy::kTraining ||
                                field.meta.read_by == config::ReadBy::kVocoder;
    if (!is_of_training) continue;
    const auto resolved = resolved_with_another_value(field);

    ASSERT_TRUE(resolved.has_value()) << field.key() << " keeps its default whatever it is given";
    EXPECT_TRUE(resolved->warnings.empty()) << field.key();
  }
}

}  // namespace
}  // namespace xtts::cli
