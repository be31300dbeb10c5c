#include "data/features.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audio/decode.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "corpus/measure.h"
#include "support/temp_dir.h"
#include "text/front_end.h"
#include "unit/corpus/corpus_folder.h"
#include "unit/corpus/corrupt_folder.h"

namespace myxtts::data {
namespace {

// Writes recordings of increasing length at two sample rates; every ninth is missing.
corpus::Corpus write_corpus(const support::TempDir& dir, int count, const config::Config& config) {
  std::string metadata;
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("u{}", i);
    metadata += fmt::format("{}|{}\n", id, std::string(static_cast<std::size_t>(1 + i % 7), 'a'));
    if (i % 9 == 4) continue;  // its recording is missing
    dir.write("wavs/" + id + ".wav", corpus::hum_wav(0.2 + 0.002 * i, 0.3F, i % 2 ? 16000 : 22050));
  }
  dir.write("metadata.csv", metadata);
  return corpus::read_corpus(dir.path(), config.data);
}

TEST(LoadFeatures, IsEqualForAnyNumberOfWorkersAndCountsEachUtteranceOnce) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const corpus::Corpus corpus = write_corpus(dir, 40, config);
  std::size_t num_done = 0;

  const FeatureSet sequential = load_features(corpus, config, 0);
  const FeatureSet threaded =
      load_features(corpus, config, 4, [&](std::size_t count) { num_done += count; });

  EXPECT_EQ(num_done, 40U);
  ASSERT_EQ(sequential.utterances.size() + sequential.skipped.size(), 40U);
  ASSERT_EQ(threaded.utterances.size(), sequential.utterances.size());
  for (std::size_t i = 0; i < sequential.utterances.size(); ++i) {
    EXPECT_EQ(threaded.utterances[i].id, sequential.utterances[i].id);
    EXPECT_EQ(threaded.utterances[i].text, sequential.utterances[i].text);
    EXPECT_EQ(threaded.mel(i).values, sequential.mel(i).values);
  }
  ASSERT_EQ(threaded.skipped.size(), sequential.skipped.size());
  for (std::size_t i = 0; i < sequential.skipped.size(); ++i)
    EXPECT_EQ(threaded.skipped[i].id, sequential.skipped[i].id);
}

TEST(LoadFeatures, MelsAndIdsComeFromTheFrontEnds) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const std::vector<float> samples = corpus::hum(0.7, 0.9F, 16000);
  dir.write("wavs/a.wav", audio::wav_bytes(samples, 16000));
  dir.write("metadata.csv", "a|Hello there\n");
  const audio::FastMel extractor(audio::mel_spec_of(config));
  text::FrontEnd front_end(text::text_settings_of(config));

  const FeatureSet set = load_features(corpus::read_corpus(dir.path(), config.data), config, 0);

  ASSERT_EQ(set.utterances.size(), 1U);
  const Features& features = set.utterances[0];
  const audio::AudioClip decoded =
      audio::decode(audio::wav_bytes(samples, 16000), config.data.max_audio_length).clip;
  EXPECT_EQ(set.mel(0).values, extractor.log_mel(audio::prepare(decoded, extractor.spec())).values);
  EXPECT_EQ(features.text, front_end.run("Hello there").ids);
  EXPECT_EQ(features.transcript, "Hello there");
  EXPECT_EQ(features.lengths().text, std::ssize(features.text));
  EXPECT_EQ(set.lengths().at(0).mel, set.mel(0).num_frames);
  EXPECT_EQ(set.n_mels, config.model.n_mels);
}

TEST(LoadFeatures, MelsAreBitIdenticalForEveryPlacement) {
  const support::TempDir dir;
  const support::TempDir cache;
  const config::Config config = corpus::grapheme_config();
  const corpus::Corpus corpus = write_corpus(dir, 20, config);
  const FeatureSet in_memory = load_features(corpus, config, 2);
  const auto expect_same = [&](const MelPlacement& placement) {
    const FeatureSet set = load_features(corpus, config, 2, {}, placement);
    ASSERT_EQ(set.utterances.size(), in_memory.utterances.size());
    for (std::size_t i = 0; i < set.utterances.size(); ++i) {
      EXPECT_EQ(set.mel(i).values, in_memory.mel(i).values);
      EXPECT_EQ(set.utterances[i].num_frames, in_memory.utterances[i].num_frames);
      EXPECT_EQ(set.utterances[i].moments.sum, in_memory.utterances[i].moments.sum);
    }
    EXPECT_EQ(set.skipped.size(), in_memory.skipped.size());
  };
  const auto open_cache = [&] {
    return std::make_shared<FeatureCache>(
        CacheSettings{.folder = cache.path() / "mels",
                      .mel_key = audio::mel_fingerprint(audio::mel_spec_of(config)),
                      .limit_bytes = 100'000'000,
                      .on_notice = {}});
  };

  expect_same({.memory_bytes = 0.0, .cache = nullptr});
  expect_same({.memory_bytes = 30'000.0, .cache = nullptr});  // room for some
  const auto first = open_cache();
  expect_same({.memory_bytes = 0.0, .cache = first});
  EXPECT_EQ(first->counts().misses, in_memory.utterances.size());
  const auto second = open_cache();
  expect_same({.memory_bytes = 0.0, .cache = second});
  EXPECT_EQ(second->counts().misses, 0U);
}

TEST(LoadFeatures, SpeakersOfUsableUtterancesAreSorted) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  dir.write("wavs/a.wav", corpus::hum_wav(0.5));
  corpus::Corpus corpus;
  corpus.root = dir.path();
  for (const char* speaker : {"zoe", "adam", "gone", "zoe", ""}) {
    const bool good = std::string(speaker) != "gone";
    corpus.utterances.push_back({.id = fmt::format("u{}", corpus.utterances.size()),
                                 .audio = good ? "wavs/a.wav" : "wavs/b.wav",
                                 .text = "hello",
                                 .speaker = speaker,
                                 .line = 1});
  }

  const FeatureSet set = load_features(corpus, config, 0);

  EXPECT_EQ(set.speakers, (std::vector<std::string>{"", "adam", "zoe"}));
  ASSERT_EQ(set.utterances.size(), 4U);
  EXPECT_EQ(set.utterances[0].speaker, 2U);
  EXPECT_EQ(set.utterances[1].speaker, 1U);
  EXPECT_EQ(set.utterances[2].speaker, 2U);
  EXPECT_EQ(set.utterances[3].speaker, 0U);
}

TEST(LoadFeatures, SkipsForTheSameReasonsAsTheCorpusCheck) {
  corpus::CorruptFolder folder;
  corpus::add_bad_lines(folder);
  corpus::add_good_utterances(folder, "before-");
  corpus::add_bad_files(folder);
  corpus::add_bad_recordings(folder);
  const corpus::Corpus corpus = folder.read();
  const config::Config config = corpus::grapheme_config();

  const FeatureSet set = load_features(corpus, config, 2);
  const std::vector<corpus::Measurement> measured = corpus::measure_corpus(corpus, config, 2);

  std::size_t num_skipped = 0;
  std::size_t num_good = 0;
  for (const corpus::Measurement& one : measured) {
    if (one.problem) {
      const corpus::Problem& skipped = set.skipped.at(num_skipped++);
      EXPECT_EQ(skipped.id, one.problem->id);
      EXPECT_EQ(skipped.reason, one.problem->reason);
      EXPECT_EQ(skipped.detail, one.problem->detail);
      EXPECT_EQ(skipped.line, one.problem->line);
    } else {
      const Lengths lengths = set.utterances.at(num_good++).lengths();
      EXPECT_EQ(lengths.text, one.text_length);
      EXPECT_EQ(lengths.mel, one.mel_length);
    }
  }
  EXPECT_EQ(num_skipped, set.skipped.size());
  EXPECT_EQ(num_good, folder.num_good());
  EXPECT_GE(num_skipped, 20U);
}

TEST(LoadFeatures, KeepsThePreparedSamplesInMemoryOrDecodesThemAgain) {
  const support::TempDir dir;
  const config::Config config = corpus::grapheme_config();
  const std::vector<float> samples = corpus::hum(0.7, 0.9F, 16000);
  dir.write("wavs/a.wav", audio::wav_bytes(samples, 16000));
  dir.write("metadata.csv", "a|Hello there\n");
  const corpus::Corpus corpus = corpus::read_corpus(dir.path(), config.data);
  const audio::MelSpec spec = audio::mel_spec_of(config);
  const std::vector<float> prepared = audio::prepare(
      audio::decode(audio::wav_bytes(samples, 16000), config.data.max_audio_length).clip, spec);

  const FeatureSet kept = load_features(
      corpus, config, 0, {}, {.cache = nullptr, .extractor = nullptr, .crop_hops = 64});
  const FeatureSet read_again =
      load_features(corpus,
                    config,
                    0,
                    {},
                    {.memory_bytes = 0.0, .cache = nullptr, .extractor = nullptr, .crop_hops = 64});

  MelScratch scratch;
  std::vector<float> here(prepared.size());
  std::vector<float> there(prepared.size());
  ASSERT_TRUE(kept.waveforms && read_again.waveforms);
  EXPECT_EQ(kept.waveforms->copy(0, 0, here, scratch), std::ssize(prepared));
  EXPECT_EQ(read_again.waveforms->copy(0, 0, there, scratch), std::ssize(prepared));
  EXPECT_EQ(here, there);
  for (std::size_t i = 0; i < prepared.size(); ++i)
    ASSERT_NEAR(here[i], prepared[i], 1.0 / 65536.0 + 1e-6);
  EXPECT_EQ(kept.lengths_of(0), (Lengths{.text = 0, .mel = 65}));
}

}  // namespace
}  // namespace myxtts::data
