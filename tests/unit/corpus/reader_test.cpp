#include "corpus/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "support/temp_dir.h"

namespace myxtts::corpus {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> ids_of(const Corpus& corpus) {
  std::vector<std::string> ids;
  for (const Utterance& utterance : corpus.utterances)
    ids.push_back(utterance.id);
  return ids;
}

std::vector<std::string> problems_of_corpus(const Corpus& corpus) {
  std::vector<std::string> problems;
  for (const Problem& problem : corpus.problems)
    problems.push_back(problem.id + ":" + problem.reason);
  return problems;
}

using Names = std::vector<std::string>;

// A generated folder: metadata in one layout.
struct Generated {
  Layout layout;
  std::string file;
  std::string bytes;
  std::size_t count;
};

std::string line_of(Layout layout, const std::string& id, bool with_speaker) {
  switch (layout) {
    case Layout::kPiper:
      return id + (with_speaker ? ".wav|slt|Some words" : ".wav|Some words");
    case Layout::kHuggingFaceCsv:
      return with_speaker ? "slt,\"Some, words\"," + id + ".wav" : id + ".wav,\"Some, words\"";
    case Layout::kHuggingFaceJsonl:
      return "{\"file_name\": \"" + id + ".wav\", \"text\": \"Some words\"" +
             (with_speaker ? ", \"speaker\": \"slt\"}" : "}");
    default:
      return id + (with_speaker ? "|Some words|Some words" : "|Some words");
  }
}

Generated generate(int number) {
  constexpr Layout kLayouts[] = {Layout::kLjspeech,
                                 Layout::kOriginal,
                                 Layout::kPiper,
                                 Layout::kHuggingFaceCsv,
                                 Layout::kHuggingFaceJsonl};
  base::Random random(base::mix_seed(7, "folders", static_cast<std::uint64_t>(number)));
  const Layout layout = kLayouts[number % 5];
  const bool with_speaker = random.below(2) == 0;
  const std::string end = random.below(2) == 0 ? "\n" : "\r\n";
  Generated folder{
      .layout = layout, .file = "metadata.csv", .bytes = "", .count = 1 + random.below(9)};
  if (layout == Layout::kOriginal) folder.file = "metadata_train.csv";
  if (layout == Layout::kHuggingFaceJsonl) folder.file = "metadata.jsonl";
  if (random.below(2) == 0) folder.bytes = "\xEF\xBB\xBF";
  if (layout == Layout::kHuggingFaceCsv) {
    folder.bytes += (with_speaker ? "speaker,text,file_name" : "file_name,transcription") + end;
  }
  for (std::size_t i = 0; i < folder.count; ++i)
    folder.bytes += line_of(layout, fmt::format("u{}", i), with_speaker) + end;
  return folder;
}

TEST(ReadCorpus, RecognisesThirtyGeneratedFolders) {
  for (int i = 0; i < 30; ++i) {
    const Generated folder = generate(i);
    const support::TempDir dir;
    dir.write(folder.file, folder.bytes);

    const Corpus corpus = read_corpus(dir.path(), {});

    EXPECT_EQ(corpus.layout, folder.layout) << i << ": " << folder.bytes;
    EXPECT_EQ(corpus.utterances.size(), folder.count) << i << ": " << folder.bytes;
    EXPECT_TRUE(corpus.problems.empty()) << i << ": " << folder.bytes;
    const std::string text = format_corpus(corpus);
    EXPECT_NE(text.find(name_of(folder.layout)), std::string::npos) << text;
    EXPECT_NE(text.find(std::to_string(folder.count) + " utterance"), std::string::npos) << text;
  }
}

TEST(ReadCorpus, ReadsTrainAndValFolders) {
  const support::TempDir dir;
  dir.write("train/metadata.csv", "a|one\nb|two\n");
  dir.write("val/metadata.csv", "c|three\n");

  EXPECT_EQ(splits_in(dir.path(), {}), (std::vector{Split::kTrain, Split::kValidation}));
  const Corpus train = read_corpus(dir.path(), {});
  EXPECT_EQ(train.root, dir.path() / "train");
  EXPECT_EQ(ids_of(train), (Names{"a", "b"}));
  EXPECT_EQ(ids_of(read_corpus(dir.path(), {}, Split::kValidation)), (Names{"c"}));
}

TEST(ReadCorpus, OriginalLayoutHasBothSplitsInOneFolder) {
  const support::TempDir dir;
  dir.write("metadata_train.csv", "a|one|one\n");
  dir.write("metadata_eval.csv", "b|two|two\n");

  const Corpus validation = read_corpus(dir.path(), {}, Split::kValidation);

  EXPECT_EQ(validation.layout, Layout::kOriginal);
  EXPECT_EQ(ids_of(validation), (Names{"b"}));
  EXPECT_EQ(splits_in(dir.path(), {}).size(), 2U);
}

TEST(ReadCorpus, EvaluationFolderIsReadAlone) {
  const support::TempDir dir;
  dir.write("metadata_eval.csv", "b|two|two\n");

  EXPECT_EQ(splits_in(dir.path(), {}), (std::vector{Split::kTrain}));
  EXPECT_EQ(ids_of(read_corpus(dir.path(), {})), (Names{"b"}));
  EXPECT_THROW(read_corpus(dir.path(), {}, Split::kValidation), UsageError);
}

TEST(ReadCorpus, UsesTheConfiguredNames) {
  const support::TempDir dir;
  dir.write("mine.txt", "a|one\n");
  dir.write("metadata.csv", "b|two\n");
  dir.write("takes/a.wav", "x");
  config::DataConfig config;
  config.metadata_train_file = "mine.txt";
  config.wavs_train_dir = "takes";

  const Corpus corpus = read_corpus(dir.path(), config);

  EXPECT_EQ(ids_of(corpus), (Names{"a"}));
  EXPECT_EQ(corpus.utterances[0].audio, "takes/a.wav");
}

TEST(ReadCorpus, MissingConfiguredNameIsAnError) {
  const support::TempDir dir;
  dir.write("metadata.csv", "b|two\n");
  config::DataConfig missing_file;
  missing_file.metadata_train_file = "mine.txt";
  config::DataConfig folder_outside;
  folder_outside.wavs_train_dir = "../elsewhere";

  EXPECT_THROW(read_corpus(dir.path(), missing_file), UsageError);
  EXPECT_THROW(read_corpus(dir.path(), folder_outside), UsageError);
}

TEST(ReadCorpus, FolderWithoutMetadataSuggestsSimilarNames) {
  const support::TempDir dir;
  dir.write("metadta.csv", "a|one\n");

  try {
    read_corpus(dir.path(), {});
    FAIL() << "expected a UsageError";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("metadta.csv"), std::string::npos) << error.what();
  }
}

TEST(ReadCorpus, RefusesMetadataThatIsNotAFileInTheFolder) {
  const support::TempDir outside;
  outside.write("real.csv", "a|one\n");
  const support::TempDir linked;
  fs::create_symlink(outside.path() / "real.csv", linked.path() / "metadata.csv");
  const support::TempDir looped;
  fs::create_symlink("metadata.csv", looped.path() / "metadata.csv");
  const support::TempDir folder;
  fs::create_directory(folder.path() / "metadata.csv");

  for (const support::TempDir* dir : {&linked, &looped, &folder})
    EXPECT_THROW(read_corpus(dir->path(), {}), UserError);
}

TEST(ReadCorpus, ReportsDuplicatesAndOutsidePathsInTheOrderOfLines) {
  const support::TempDir dir;
  dir.write("metadata.csv", "a|one\n../b|two\nbroken\na|three\n/etc/c|four\nd|five\n");

  const Corpus corpus = read_corpus(dir.path(), {});

  EXPECT_EQ(ids_of(corpus), (Names{"a", "d"}));
  EXPECT_EQ(
      problems_of_corpus(corpus),
      (Names{"../b:outside_folder", "broken:bad_line", "a:duplicate_id", "/etc/c:outside_folder"}));
}

TEST(ReadCorpus, TakesTheSpeakerFromTheColumnOrThePattern) {
  const support::TempDir dir;
  dir.write("metadata.csv", "p225_001.wav|slt|one\nother.wav|rms|two\n");
  config::DataConfig column;
  column.enable_multispeaker = true;
  config::DataConfig pattern = column;
  pattern.speaker_id_pattern = "^(p[0-9]+)_";
  config::DataConfig one_voice;
  one_voice.enable_multispeaker = false;

  EXPECT_EQ(read_corpus(dir.path(), column).utterances[0].speaker, "slt");
  EXPECT_EQ(read_corpus(dir.path(), pattern).utterances[0].speaker, "p225");
  EXPECT_EQ(read_corpus(dir.path(), pattern).utterances[1].speaker, "rms");
  EXPECT_EQ(read_corpus(dir.path(), one_voice).utterances[0].speaker, "");
}

TEST(ReadCorpus, InvalidPatternIsAUsageError) {
  const support::TempDir dir;
  dir.write("metadata.csv", "a|one\n");
  config::DataConfig config;
  config.enable_multispeaker = true;
  config.speaker_id_pattern = "([";

  EXPECT_THROW(read_corpus(dir.path(), config), UsageError);
}

TEST(SampleEvenly, ReturnsEquallySpacedUtterances) {
  std::vector<Utterance> all;
  for (int i = 0; i < 10; ++i)
    all.push_back({.id = std::to_string(i), .audio = {}, .text = {}, .speaker = {}});

  std::string ids;
  for (const Utterance& one : sample_evenly(all, 5))
    ids += one.id;

  EXPECT_EQ(ids, "02468");
  EXPECT_EQ(sample_evenly(all, 100).size(), 10U);
  EXPECT_EQ(sample_evenly(all, 0).size(), 1U);
  EXPECT_TRUE(sample_evenly({}, 3).empty());
}

}  // namespace
}  // namespace myxtts::corpus
