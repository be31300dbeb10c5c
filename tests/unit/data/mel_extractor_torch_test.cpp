#include "data/mel_extractor_torch.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "audio/mel.h"
#include "audio/prepare.h"
#include "base/error.h"
#include "base/files.h"
#include "corpus/reader.h"
#include "data/features.h"
#include "data/mel_placement.h"
#include "support/temp_dir.h"
#include "unit/audio/golden_clip.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::data {
namespace {

std::shared_ptr<const MelExtractor> cpu_extractor(const config::Config& config) {
  return std::make_shared<const TorchMelExtractor>(audio::mel_spec_of(config),
                                                   torch::Device(torch::kCPU));
}

// A corpus of speech and hums, loaded with load_features().
class TorchMelExtractorTest : public testing::Test {
 protected:
  TorchMelExtractorTest() {
    config_.data.min_audio_length = 0.01;
    config_.data.cache_dir = (dir_.path() / "cache").string();
    std::string metadata;
    for (const char* name : {"phrase", "word"}) {
      dir_.write(std::string("wavs/") + name + ".wav",
                 base::read_file_or_throw(audio::golden(std::string(name) + ".wav"), 1 << 20));
      metadata += std::string(name) + "|a\n";
    }
    for (int i = 0; i < 6; ++i) {
      const std::string id = "hum" + std::to_string(i);
      dir_.write("wavs/" + id + ".wav", corpus::hum_wav(0.3 + 0.1 * i));
      metadata += id + "|a\n";
    }
    dir_.write("metadata.csv", metadata);
    corpus_ = corpus::read_corpus(dir_.path(), config_.data);
  }

  MelPlacement place(const std::string& kind, std::shared_ptr<const MelExtractor> extractor) {
    config_.data.feature_cache = kind;
    return placement_of(
        config_, 0.0, 1e9, [](const std::string&) {}, std::move(extractor));
  }

  FeatureSet load(const MelPlacement& placement) {
    return load_features(corpus_, config_, 2, {}, placement);
  }

  support::TempDir dir_;
  config::Config config_ = corpus::grapheme_config();
  corpus::Corpus corpus_;
};

// Checks speech only: next to a pure tone some channels are almost empty.
TEST_F(TorchMelExtractorTest, AgreesWithTheReferenceMel) {
  const FeatureSet set = load(place("ram", cpu_extractor(config_)));
  ASSERT_EQ(set.utterances.size(), 8U);
  const audio::MelSpec spec = audio::mel_spec_of(config_);
  const audio::ReferenceMel reference(spec);

  std::vector<double> differences;
  double sum = 0.0;
  for (std::size_t i = 0; i < set.utterances.size(); ++i) {
    const auto bytes = base::read_file_or_throw(dir_.path() / corpus_.utterances[i].audio, 1 << 20);
    const audio::Mel expected =
        reference.log_mel(audio::prepare(audio::decode(bytes, 60.0).clip, spec));
    const audio::Mel found = set.mel(i);
    ASSERT_EQ(found.values.size(), expected.values.size()) << set.utterances[i].id;
    if (set.utterances[i].id.starts_with("hum")) continue;
    for (std::size_t k = 0; k < found.values.size(); ++k) {
      differences.push_back(std::abs(double{found.values[k]} - expected.values[k]));
      sum += differences.back();
    }
  }
  ASSERT_GT(differences.size(), 10000U);
  std::ranges::sort(differences);
  EXPECT_LT(sum / static_cast<double>(differences.size()), 1e-5);
  EXPECT_LT(differences[differences.size() * 9999 / 10000], 1e-3);
  EXPECT_LT(differences.back(), 5e-3);
}

TEST_F(TorchMelExtractorTest, MelsAreBitIdenticalForEveryPlacement) {
  const auto extractor = cpu_extractor(config_);
  const FeatureSet in_memory = load(place("ram", extractor));
  for (const char* kind : {"off", "disk", "disk"}) {  // the second time from the cache
    const FeatureSet set = load(place(kind, extractor));
    for (std::size_t i = 0; i < set.utterances.size(); ++i)
      EXPECT_EQ(set.mel(i).values, in_memory.mel(i).values) << kind;
  }
}

// Extractors differ in the last bits, so the cache must not mix their mels.
TEST_F(TorchMelExtractorTest, CacheSeparatesTheMelsOfDifferentExtractors) {
  const MelPlacement fast = place("disk", nullptr);
  load(fast);
  EXPECT_EQ(fast.cache->counts().misses, 8U);

  const MelPlacement torch = place("disk", cpu_extractor(config_));
  load(torch);
  EXPECT_EQ(torch.cache->counts().misses, 8U);

  const MelPlacement again = place("disk", cpu_extractor(config_));
  load(again);
  EXPECT_EQ(again.cache->counts().misses, 0U);
  EXPECT_NE(torch.extractor->name(), fast.extractor->name());
}

// Waveforms of different lengths, in a different order per thread: calls and threads must not see
// each other's memory.
TEST_F(TorchMelExtractorTest, IsThreadSafe) {
  const auto extractor = cpu_extractor(config_);
  std::vector<std::vector<float>> waveforms = {{}};
  for (int i = 1; i <= 8; ++i)
    waveforms.push_back(corpus::hum(0.02 * i * i, 0.1F * static_cast<float>(i)));
  const auto mel_of = [&](const std::vector<float>& waveform, MelScratch& scratch) {
    const auto frames = audio::num_frames(extractor->spec(), waveform.size());
    std::vector<float> values(static_cast<std::size_t>(frames * extractor->spec().n_mels), 7.0F);
    extractor->log_mel(waveform, scratch, values);
    return values;
  };
  std::vector<std::vector<float>> expected;
  MelScratch scratch;
  for (const auto& waveform : waveforms)
    expected.push_back(mel_of(waveform, scratch));

  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
      threads.emplace_back([&, t] {
        MelScratch mine;
        for (std::size_t i = 0; i < 5 * waveforms.size(); ++i) {
          const std::size_t which = (i * (2 * t + 1)) % waveforms.size();
          if (mel_of(waveforms[which], mine) != expected[which]) ++wrong[t];
        }
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// The kernels are not in this program's search path, with or without a GPU.
TEST(TorchMelExtractor, UnavailableDeviceIsAnErrorAtConstruction) {
  EXPECT_THROW(TorchMelExtractor(audio::MelSpec{}, torch::Device("cuda:0")), UserError);
}

}  // namespace
}  // namespace myxtts::data
