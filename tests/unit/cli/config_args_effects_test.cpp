// Tests that no configuration key is silently ignored: each key of the front ends changes the
// features of a small corpus, and every other key is kept without a warning.

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
#include "corpus/for_each_utterance.h"
#include "corpus/held_out.h"
#include "corpus/locate.h"
#include "corpus/measure.h"
#include "corpus/reader.h"
#include "support/temp_dir.h"
#include "text/front_end.h"

namespace myxtts::cli {
namespace {

// Returns noise with silence around it, so that trimming and loudness have an effect.
std::string noise_wav(double seconds, float gain, std::uint64_t seed) {
  constexpr int kRate = 16000;
  base::Random random(seed);
  std::vector<float> samples(static_cast<std::size_t>(seconds * kRate), 0.0F);
  for (std::size_t i = samples.size() / 5; i < samples.size() * 4 / 5; ++i) {
    samples[i] = gain * static_cast<float>(2.0 * random.unit() - 1.0);
  }
  // Only a high trim threshold keeps this quiet tail.
  for (std::size_t i = samples.size() * 4 / 5; i < samples.size() * 9 / 10; ++i) {
    samples[i] = 0.003F * gain * static_cast<float>(2.0 * random.unit() - 1.0);
  }
  return audio::wav_bytes(samples, kRate);
}

// Writes two speakers, a validation set, and alternative files for the keys that name files.
void write_corpus_with_alternatives(const support::TempDir& dir) {
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

// Returns the shape plan of many utterances with these lengths.
std::string format_shapes(const config::Config& config, std::span<const corpus::Measurement> all) {
  std::vector<data::Lengths> lengths;
  for (std::int64_t i = 0; i < 200; ++i) {
    for (const corpus::Measurement& one : all)
      lengths.push_back({one.text_length + 1, one.mel_length + i});
  }
  const StatsShapes shapes = shapes_of(config, lengths, {});
  return shape_plan_json(shapes).dump() + padding_json(shapes).dump() + "\n";
}

std::string format_split(const std::filesystem::path& dir,
                         const config::Config& config,
                         corpus::Split split) {
  const corpus::Corpus corpus = corpus::read_corpus(dir, config.data, split);
  std::string text;
  for (const corpus::Utterance& one : corpus.utterances) {
    text += fmt::format("{} {} {} {}\n", one.id, one.audio.string(), one.text, one.speaker);
  }
  const std::vector<corpus::Measurement> measured = corpus::measure_corpus(corpus, config, 0);
  for (const corpus::Measurement& one : measured) {
    text += fmt::format("{} {} {} {}\n",
                        one.text_length,
                        one.mel_length,
                        one.speech_s,
                        one.problem ? one.problem->reason : "fine");
  }
  return text + format_shapes(config, measured) +
         fmt::format("held out {}\n",
                     corpus::count_held_out(corpus.utterances, config.data.val_split));
}

std::string format_mel(const audio::AudioClip& clip, const config::Config& config) {
  const audio::MelSpec spec = audio::mel_spec_of(config);
  const audio::Mel mel = audio::ReferenceMel(spec).log_mel(audio::prepare(clip, spec));
  std::string text = fmt::format("{} {}\n", mel.num_frames, mel.n_mels);
  for (const float value : mel.values)
    text += fmt::format("{:.3f} ", value);
  return text + "\n";
}

// Returns the frames of a quiet recording without and with a click. After loudness normalisation
// the peak of the first is below the limit, that of the second above.
std::string format_mels(const config::Config& config) {
  audio::AudioClip clip = audio::decode(noise_wav(0.8, 0.02F, 3), 10.0).clip;
  const std::string quiet = format_mel(clip, config);
  clip.samples[clip.samples.size() / 2] = 0.9F;
  return quiet + format_mel(clip, config);
}

// Returns all features of the corpus as text.
std::string fingerprint(const std::filesystem::path& dir, const config::Config& config) {
  text::FrontEnd front_end(text::text_settings_of(config));
  std::string text = format_mels(config);
  for (const std::int64_t id : front_end.run("Dr. Smith paid $5 in 1998.").ids) {
    text += fmt::format("{} ", id);
  }
  const std::filesystem::path root =
      config.data.dataset_path.empty() ? dir : corpus::locate_corpus("", config.data);
  return text + format_split(root, config, corpus::Split::kTrain) +
         format_split(root, config, corpus::Split::kValidation);
}

TEST(ConfigEffects, EveryKeyOfTheFrontEndsChangesTheFeatures) {
  const support::TempDir dir;
  write_corpus_with_alternatives(dir);
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
    const bool is_num_workers =
        field.key() == "data.num_workers";  // must not change features; tested below
    const bool is_of_training = field.meta.read_by == config::ReadBy::kTraining ||
                                field.meta.read_by == config::ReadBy::kVocoder;
    if (is_of_training || is_num_workers) continue;
    ASSERT_TRUE(other.contains(field.key())) << field.key() << " needs another value here";
    config::Layers layers;
    layers.sets = {field.key() + "=" + other.at(field.key())};
    const config::Config changed = config::resolve(layers).config;

    EXPECT_TRUE(fingerprint(dir.path() / "c", changed) != before)
        << field.key() << " has no effect";
  }
}

TEST(ConfigEffects, NumWorkersIsTheNumberOfReadingThreads) {
  const support::TempDir dir;
  write_corpus_with_alternatives(dir);
  const auto num_threads_with = [&](const std::string& num_workers) {
    config::Layers layers;
    layers.sets = {"data.num_workers=" + num_workers};
    const config::Config config = config::resolve(layers).config;
    text::FrontEnd front_end(text::text_settings_of(config));
    std::set<std::thread::id> threads;
    const auto work = [&](auto&&...) -> base::Completion {
      // Gives the other thread time to take the other utterance.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      return [&threads, here = std::this_thread::get_id()] { threads.insert(here); };
    };
    corpus::for_each_utterance(corpus::read_corpus(dir.path() / "c", config.data),
                               front_end,
                               config::num_workers_of(config.data),
                               {.work = work, .on_timeout = {}});
    return threads.size();
  };

  EXPECT_EQ(num_threads_with("1"), 1U);
  EXPECT_EQ(num_threads_with("2"), 2U);
}

// Resolves the key with the first candidate value that is valid and not the default.
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

TEST(ConfigEffects, EveryOtherKeyIsAcceptedWithoutAWarning) {
  config::Config defaults;
  for (const config::Field& field : config::fields_of(defaults)) {
    const bool is_of_training = field.meta.read_by == config::ReadBy::kTraining ||
                                field.meta.read_by == config::ReadBy::kVocoder;
    if (!is_of_training) continue;
    const auto resolved = resolved_with_another_value(field);

    ASSERT_TRUE(resolved.has_value())
        << field.key() << " keeps its default for every candidate value";
    EXPECT_TRUE(resolved->warnings.empty()) << field.key();
  }
}

}  // namespace
}  // namespace myxtts::cli
