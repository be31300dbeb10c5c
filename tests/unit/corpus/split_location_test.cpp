#include "corpus/split_location.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::corpus {
namespace {

namespace fs = std::filesystem;

TEST(FindSplit, FindsTrainAndValFolders) {
  const support::TempDir dir;
  dir.write("train/metadata.csv", "a|b\n");
  dir.write("val/metadata.csv", "c|d\n");

  const auto train = find_split(dir.path(), {}, Split::kTrain);
  const auto val = find_split(dir.path(), {}, Split::kValidation);

  ASSERT_TRUE(train && val);
  EXPECT_EQ(train->root, dir.path() / "train");
  EXPECT_EQ(val->root, dir.path() / "val");
}

TEST(FindSplit, LinkOutsideTheCorpusIsRefused) {
  const support::TempDir dir;
  dir.write("elsewhere/metadata.csv", "a|b\n");
  dir.write("corpus/notes.txt", "x");
  fs::create_directory_symlink(dir.path() / "elsewhere", dir.path() / "corpus/train");

  EXPECT_THROW(find_split(dir.path() / "corpus", {}, Split::kTrain), UserError);

  fs::remove(dir.path() / "corpus/train");
  dir.write("corpus/train/metadata.csv", "a|b\n");
  fs::create_directory_symlink("../elsewhere", dir.path() / "corpus/val");

  EXPECT_NO_THROW(find_split(dir.path() / "corpus", {}, Split::kTrain));
  EXPECT_THROW(find_split(dir.path() / "corpus", {}, Split::kValidation), UserError);
}

TEST(FindSplit, LinkInsideTheCorpusIsFollowed) {
  const support::TempDir dir;
  dir.write("part one/metadata.csv", "a|b\n");
  fs::create_directory_symlink("part one", dir.path() / "train");

  const auto train = find_split(dir.path(), {}, Split::kTrain);

  ASSERT_TRUE(train);
  EXPECT_EQ(train->root, dir.path() / "train");
}

TEST(FindSplit, ConfiguredTrainFileMustExist) {
  config::DataConfig config;
  config.metadata_train_file = "mine.txt";
  for (const char* present : {"metadata.csv", "metadata_eval.csv", "train/metadata.csv", "x"}) {
    const support::TempDir dir;
    dir.write(present, "a|b\n");

    EXPECT_THROW(find_split(dir.path(), config, Split::kTrain), UsageError) << present;
    dir.write("mine.txt", "a|b\n");
    EXPECT_EQ(find_split(dir.path(), config, Split::kTrain)->metadata_file, "mine.txt") << present;
  }
}

TEST(FindSplit, ConfiguredEvalFileMustExist) {
  config::DataConfig config;
  config.metadata_eval_file = "mine.txt";
  const support::TempDir flat;
  flat.write("metadata_train.csv", "a|b\n");
  flat.write("metadata_eval.csv", "c|d\n");
  const support::TempDir deep;
  deep.write("train/metadata.csv", "a|b\n");
  deep.write("val/metadata.csv", "c|d\n");

  EXPECT_THROW(find_split(flat.path(), config, Split::kValidation), UsageError);
  EXPECT_THROW(find_split(deep.path(), config, Split::kValidation), UsageError);

  flat.write("mine.txt", "c|d\n");
  deep.write("val/mine.txt", "c|d\n");
  EXPECT_EQ(find_split(flat.path(), config, Split::kValidation)->metadata_file, "mine.txt");
  EXPECT_EQ(find_split(deep.path(), config, Split::kValidation)->metadata_file, "mine.txt");
}

}  // namespace
}  // namespace myxtts::corpus
