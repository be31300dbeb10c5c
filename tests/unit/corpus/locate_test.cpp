#include "corpus/locate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "support/working_folder.h"

namespace myxtts::corpus {
namespace {

namespace fs = std::filesystem;

std::string message_of(const std::string& train_data, const config::DataConfig& config) {
  try {
    locate_corpus(train_data, config);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(LocateCorpus, FlagOverridesTheConfiguration) {
  const support::TempDir flag;
  const support::TempDir configured;
  config::DataConfig config;
  config.dataset_path = configured.path().string();

  EXPECT_EQ(locate_corpus(flag.path().string(), config), flag.path());
  EXPECT_EQ(locate_corpus("", config), configured.path());
}

TEST(LocateCorpus, DefaultsToTheFolderOfTheOriginal) {
  const support::TempDir dir;
  fs::create_directories(dir.path() / "dataset/dataset_train");
  fs::create_directories(dir.path() / "program");
  const support::WorkingFolder here(dir.path() / "program");

  EXPECT_EQ(locate_corpus("", {}), fs::path("../dataset/dataset_train"));
}

TEST(LocateCorpus, MissingCorpusSuggestsTheDemoCommand) {
  const support::TempDir dir;
  const support::WorkingFolder here(dir.path());

  EXPECT_NE(message_of("", {}).find("myxtts corpus demo --out"), std::string::npos);
}

TEST(LocateCorpus, SuggestsTheNearestFolder) {
  const support::TempDir dir;
  fs::create_directories(dir.path() / "demo_corpus");

  for (const char* typo : {"demo_corpsu", "demo_corpus2/", "demo-corpus"}) {
    const std::string message = message_of((dir.path() / typo).string(), {});
    EXPECT_NE(message.find("did you mean 'demo_corpus'?"), std::string::npos) << message;
  }
}

TEST(LocateCorpus, RefusesAFile) {
  const support::TempDir dir;
  const fs::path file = dir.write("metadata.csv", "a|b");

  EXPECT_NE(message_of(file.string(), {}).find("is not a folder"), std::string::npos);
}

TEST(RequireFolder, UnreadableFolderIsPermissionDenied) {
  if (::geteuid() == 0) GTEST_SKIP() << "root can read every folder";
  const support::TempDir dir;
  std::filesystem::create_directory(dir.path() / "closed");
  std::filesystem::permissions(dir.path() / "closed", std::filesystem::perms::none);
  std::string refusal;

  try {
    require_folder(dir.path() / "closed");
  } catch (const UserError& error) {
    refusal = error.what();
  }

  EXPECT_NE(refusal.find("permission denied"), std::string::npos) << refusal;
  std::filesystem::permissions(dir.path() / "closed", std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace myxtts::corpus
