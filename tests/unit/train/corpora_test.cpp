#include "train/corpora.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "corpus/held_out.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::train {
namespace {

// Writes a corpus of `count` recordings named PREFIX0, PREFIX1, ...
void write_set(const support::TempDir& dir,
               const std::string& folder,
               const std::string& prefix,
               int count) {
  std::string metadata;
  for (int i = 0; i < count; ++i) {
    const std::string id = fmt::format("{}{}", prefix, i);
    metadata += id + "|la la\n";
    dir.write(fmt::format("{}wavs/{}.wav", folder, id), corpus::hum_wav(0.3));
  }
  dir.write(folder + "metadata.csv", metadata);
}

config::Config config_for(const std::filesystem::path& folder) {
  config::Config config = corpus::grapheme_config();
  config.data.dataset_path = folder.string();
  return config;
}

std::set<std::string> ids_of(const data::FeatureSet& set) {
  std::set<std::string> ids;
  for (const data::Features& one : set.utterances)
    ids.insert(one.id);
  return ids;
}

bool has_note(const Corpora& corpora, const std::string& part) {
  for (const std::string& note : corpora.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

std::string refusal_of(const config::Config& config) {
  try {
    load_corpora(config, 0);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(LoadCorpora, HoldsOutAShareByTheHashOfTheId) {
  const support::TempDir dir;
  write_set(dir, "", "u", 40);
  config::Config config = config_for(dir.path());
  config.data.val_split = 0.25;

  const Corpora corpora = load_corpora(config, 0);

  const std::set<std::string> trains = ids_of(corpora.training);
  const std::set<std::string> validates = ids_of(corpora.validation);
  EXPECT_EQ(trains.size() + validates.size(), 40U);
  EXPECT_FALSE(validates.empty());
  for (int i = 0; i < 40; ++i) {
    const std::string id = fmt::format("u{}", i);
    EXPECT_EQ(validates.contains(id), corpus::is_held_out(id, 0.25)) << id;
  }
  EXPECT_TRUE(has_note(corpora, fmt::format("{} utterances held out", validates.size())));
}

TEST(LoadCorpora, UsesTheValidationSetOfTheCorpus) {
  const support::TempDir dir;
  write_set(dir, "train/", "t", 12);
  write_set(dir, "val/", "v", 3);

  const Corpora corpora = load_corpora(config_for(dir.path()), 0);

  EXPECT_EQ(corpora.training.utterances.size(), 12U);
  EXPECT_EQ(ids_of(corpora.validation), (std::set<std::string>{"v0", "v1", "v2"}));
}

// A mel extractor that returns a constant.
class ConstantExtractor final : public data::MelExtractor {
 public:
  const audio::MelSpec& spec() const override { return spec_; }
  void log_mel(std::span<const float>, data::MelScratch&, std::span<float> out) const override {
    std::ranges::fill(out, -3.0F);
  }
  const std::string& name() const override { return name_; }

 private:
  audio::MelSpec spec_;
  std::string name_ = "constant";
};

TEST(LoadCorpora, ComputesTheMelsOfBothSetsWithTheExtractor) {
  const support::TempDir dir;
  write_set(dir, "train/", "t", 12);
  write_set(dir, "val/", "v", 3);

  const Corpora corpora =
      load_corpora(config_for(dir.path()), 0, std::make_shared<const ConstantExtractor>());

  EXPECT_EQ(corpora.mel_extractor, "constant");
  for (const data::FeatureSet* set : {&corpora.training, &corpora.validation}) {
    const std::vector<float> values = set->mel(0).values;
    EXPECT_EQ(values, std::vector<float>(values.size(), -3.0F));
  }
}

TEST(FormatExtractorChange, IsEmptyUnlessTheExtractorsAreKnownToDiffer) {
  EXPECT_EQ(format_extractor_change("", "fast"), "");
  EXPECT_EQ(format_extractor_change("fast", "fast"), "");
  const std::string line = format_extractor_change("torch", "fast");
  EXPECT_NE(line.find("is 'torch' in the checkpoint and 'fast' now"), std::string::npos) << line;
}

TEST(LoadCorpora, AConfiguredValidationSetTakesPrecedence) {
  const support::TempDir dir;
  write_set(dir, "a/train/", "t", 12);
  write_set(dir, "a/val/", "v", 3);
  write_set(dir, "b/", "w", 2);
  write_set(dir, "c/train/", "x", 4);
  write_set(dir, "c/val/", "y", 1);
  config::Config config = config_for(dir.path() / "a");

  config.data.val_dataset_path = (dir.path() / "b").string();
  EXPECT_EQ(ids_of(load_corpora(config, 0).validation), (std::set<std::string>{"w0", "w1"}));

  config.data.val_dataset_path = (dir.path() / "c").string();
  EXPECT_EQ(ids_of(load_corpora(config, 0).validation), (std::set<std::string>{"y0"}))
      << "uses the validation set of a corpus with both sets";
}

TEST(LoadCorpora, ASplitOfZeroGivesNoValidationSet) {
  const support::TempDir dir;
  write_set(dir, "", "u", 6);
  config::Config config = config_for(dir.path());
  config.data.val_split = 0.0;

  const Corpora corpora = load_corpora(config, 0);

  EXPECT_TRUE(corpora.validation.utterances.empty());
  EXPECT_EQ(corpora.training.utterances.size(), 6U);
  EXPECT_TRUE(has_note(corpora, "validation: none"));
}

TEST(LoadCorpora, RejectsTooManyBadUtterancesWithAnExample) {
  const support::TempDir dir;
  write_set(dir, "", "u", 40);
  config::Config config = config_for(dir.path());
  config.data.val_split = 0.0;

  dir.write("wavs/u3.wav", "not audio");
  dir.write("wavs/u4.wav", "");
  EXPECT_EQ(load_corpora(config, 0).training.skipped.size(), 2U) << "5 % are allowed";

  dir.write("wavs/u5.wav", "");
  const std::string message = refusal_of(config);
  EXPECT_NE(message.find("3 of 40 utterances are unusable (u3: "), std::string::npos) << message;
  EXPECT_NE(message.find("ffmpeg -i"), std::string::npos) << message;
  EXPECT_NE(message.find("myxtts corpus check"), std::string::npos) << message;
}

TEST(LoadCorpora, RejectsACorpusWithoutUsableUtterances) {
  const support::TempDir dir;
  dir.write("metadata.csv", "a|la\n");
  dir.write("wavs/a.wav", "not audio");
  config::Config config = config_for(dir.path());
  config.data.val_split = 0.0;

  EXPECT_NE(refusal_of(config).find("none of 1 utterances is usable"), std::string::npos)
      << refusal_of(config);
}

TEST(CorpusHash, DependsOnlyOnUtterancesLengthsAndPlan) {
  const auto set_of = [](const std::string& id, std::size_t symbols, std::int64_t frames) {
    data::FeatureSet set;
    data::Features one;
    one.id = id;
    one.text.resize(symbols);
    one.num_frames = frames;
    set.utterances = {one};
    return set;
  };
  const data::ShapePlan plan{.signatures = {{4, 10, 20, 0}}, .notes = {}};
  const data::ShapePlan other{.signatures = {{2, 10, 20, 0}}, .notes = {}};
  const std::string hash = corpus_hash(set_of("a", 5, 9), plan, 1);

  data::FeatureSet same = set_of("a", 5, 9);
  same.utterances[0].transcript = "spelled otherwise";
  EXPECT_EQ(corpus_hash(same, {.signatures = plan.signatures, .notes = {"a note"}}, 1), hash);
  EXPECT_NE(corpus_hash(set_of("b", 5, 9), plan, 1), hash);
  EXPECT_NE(corpus_hash(set_of("a", 6, 9), plan, 1), hash);
  EXPECT_NE(corpus_hash(set_of("a", 5, 8), plan, 1), hash);
  EXPECT_NE(corpus_hash(set_of("a", 5, 9), other, 1), hash);
  EXPECT_NE(corpus_hash(set_of("a", 5, 9), plan, 2), hash);
  EXPECT_NE(corpus_hash(same, {plan.signatures, {}, data::ShapeMode::kDynamic}, 1), hash);
  data::ShapePlan limited = plan;
  limited.limits.text = 4;
  EXPECT_NE(corpus_hash(same, limited, 1), hash) << "the utterance is filtered";
}

TEST(LoadCorpora, SamplesOnlyTheTrainingSet) {
  const support::TempDir dir;
  write_set(dir, "train/", "t", 10);
  write_set(dir, "val/", "v", 3);

  const Corpora corpora = load_corpora(config_for(dir.path()), 0, nullptr, 5);

  EXPECT_EQ(ids_of(corpora.training), (std::set<std::string>{"t0", "t2", "t4", "t6", "t8"}));
  EXPECT_EQ(corpora.validation.utterances.size(), 3U);
  EXPECT_TRUE(has_note(corpora, "a sample of 5 utterances"));
  EXPECT_GT(corpora.loading_s, 0.0);
}

}  // namespace
}  // namespace myxtts::train
