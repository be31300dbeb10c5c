#include "synthesis/find_vocoder.h"

#include <tuple>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"
#include "support/working_folder.h"

namespace myxtts::synthesis {
namespace {

namespace fs = std::filesystem;

TEST(VocoderOfRun, IsTheVocoderFolderInTheRun) {
  const support::TempDir folder;
  const fs::path run = folder.path() / "voice";
  fs::create_directories(run / "checkpoints" / "step_00000012");
  EXPECT_FALSE(vocoder_of_run(run));

  fs::create_directories(run / "vocoder" / "checkpoints" / "step_00000500");

  EXPECT_EQ(vocoder_of_run(run), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / ""), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / "checkpoints"), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / "checkpoints" / "step_00000012"), run / "vocoder");
}

TEST(VocoderOfRun, IsFoundFromInsideTheRun) {
  const support::TempDir folder;
  const fs::path run = folder.path() / "voice";
  fs::create_directories(run / "checkpoints" / "step_00000012");
  fs::create_directories(run / "vocoder" / "checkpoints" / "step_00000500");
  fs::create_directories(run / "samples");

  for (const auto& [inside, typed, found] :
       {std::tuple{"samples", "..", "../vocoder"},
        std::tuple{"samples", "../", "../vocoder"},
        std::tuple{".", ".", "vocoder"},
        std::tuple{".", "checkpoints", "vocoder"},
        std::tuple{"checkpoints", ".", "../vocoder"},
        std::tuple{"checkpoints", "step_00000012", "../vocoder"},
        std::tuple{"..", "voice", "voice/vocoder"},
        std::tuple{"checkpoints/step_00000012", ".", "../../vocoder"}}) {
    const support::WorkingFolder working_folder(run / inside);
    EXPECT_EQ(vocoder_of_run(typed), fs::path(found)) << inside << " " << typed;
  }
  const support::WorkingFolder working_folder(run / "samples");
  EXPECT_EQ(voice_of_vocoder("../vocoder"), fs::path(".."));
}

TEST(VocoderOfRun, IsFoundInARunBelowAFolderNamedCheckpoints) {
  const support::TempDir folder;
  const fs::path run = folder.path() / "checkpoints" / "voice";
  fs::create_directories(run / "checkpoints" / "step_00000012");
  fs::create_directories(run / "vocoder" / "checkpoints" / "step_00000500");
  fs::create_directories(folder.path() / "vocoder" / "checkpoints" / "step_00000700");

  EXPECT_EQ(vocoder_of_run(run), run / "vocoder");
  EXPECT_EQ(vocoder_of_run(run / "checkpoints" / "step_00000012"), run / "vocoder");
  const support::WorkingFolder working_folder(run.parent_path());
  EXPECT_EQ(vocoder_of_run("voice"), fs::path("voice/vocoder"));
}

TEST(FindVocoder, SuggestsGriffinLimForADamagedVocoder) {
  const support::TempDir folder;
  fs::create_directories(folder.path() / "vocoder" / "checkpoints" / "step_00000500");

  EXPECT_FALSE(find_vocoder(std::string(kGriffinLim), folder.path()));
  EXPECT_FALSE(find_vocoder("", folder.path() / "vocoder"));
  try {
    find_vocoder("", folder.path());
    FAIL() << "expected an error";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("--vocoder griffin-lim"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(find_vocoder((folder.path() / "none").string(), folder.path()), UsageError);
}

TEST(VocoderOfRun, IsAbsentBeforeTheFirstTrainingStep) {
  const support::TempDir folder;
  const fs::path vocoder = folder.path() / "vocoder";
  for (const char* place : {"", "checkpoints", "checkpoints/step_00000000"}) {
    fs::create_directories(vocoder / place);
    EXPECT_FALSE(vocoder_of_run(folder.path())) << place;
  }
}

TEST(VocoderOfRun, IgnoresASiblingFolder) {
  const support::TempDir folder;
  fs::create_directories(folder.path() / "voice");
  fs::create_directories(folder.path() / "vocoder" / "checkpoints" / "step_00000500");

  EXPECT_FALSE(vocoder_of_run(folder.path() / "voice"));
}

TEST(VoiceOfVocoder, IsTheRunThatContainsTheFolder) {
  const support::TempDir folder;
  const fs::path run = folder.path() / "voice";
  EXPECT_FALSE(voice_of_vocoder(vocoder_folder_of(run)));  // no checkpoint yet

  fs::create_directories(run / "checkpoints" / "step_00000012");

  EXPECT_EQ(voice_of_vocoder(vocoder_folder_of(run)), run);
  EXPECT_EQ(voice_of_vocoder(vocoder_folder_of(run) / ""), run);
  EXPECT_FALSE(voice_of_vocoder(run / "another"));
  EXPECT_FALSE(voice_of_vocoder(folder.path() / "vocoder"));
}

}  // namespace
}  // namespace myxtts::synthesis
