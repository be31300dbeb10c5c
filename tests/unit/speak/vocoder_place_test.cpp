#include "speak/vocoder_place.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace xtts::speak {
namespace {

namespace fs = std::filesystem;

TEST(VocoderOfRun, IsTheFolderOfItsNameInTheRun) {
  const support::TempDir folder;
  const fs::path run = folder.path() / "voice";
  fs::create_directories(run / "checkpoints" / "step_00000012");
  EXPECT_FALSE(vocoder_of_run(run));

  fs::create_directories(run / "vocoder");

  EXPECT_EQ(vocoder_of_run(run), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / ""), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / "checkpoints"), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / "checkpoints" / "step_00000012"), run / "vocoder");
}

TEST(VocoderOfRun, ARunBesideIsNotMeant) {
  const support::TempDir folder;
  fs::create_directories(folder.path() / "voice");
  fs::create_directories(folder.path() / "vocoder");

  EXPECT_FALSE(vocoder_of_run(folder.path() / "voice"));
}

}  // namespace
}  // namespace xtts::speak
