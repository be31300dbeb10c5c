#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "audio/decode.h"
#include "audio/wav.h"
#include "support/command_line.h"
#include "support/temp_dir.h"

namespace myxtts::cli {
namespace {

using support::CommandResult;
using support::contents;

CommandResult run_audio(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"audio"});
  return support::run_myxtts(std::move(arguments));
}

std::string tone_wav() {
  std::vector<float> samples(16000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(0.5 * std::sin(0.2 * static_cast<double>(i)));
  }
  return audio::wav_bytes(samples, 16000);
}

TEST(AudioCommand, ReportsTheDecodedRecordingAsJson) {
  const support::TempDir dir;
  const std::string clip = dir.write("clip.wav", tone_wav()).string();

  const CommandResult result = run_audio({clip, "--json", "--no-trim-silence"});

  ASSERT_EQ(result.code, 0) << result.errors;
  const nlohmann::json report = nlohmann::json::parse(result.output);
  EXPECT_EQ(report["format"], "wav pcm16");
  EXPECT_EQ(report["sample_rate"], 16000);
  EXPECT_EQ(report["channels"], 1);
  EXPECT_NEAR(report["seconds"].get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(report["peak_dbfs"].get<double>(), -6.02, 0.01);
  EXPECT_NEAR(report["loudness_lufs"].get<double>() + report["gain_db"].get<double>(), -23.0, 0.05);
  EXPECT_EQ(report["mel_frames"], 1 + 22050 / 256);
  EXPECT_EQ(report["mel_fingerprint"].get<std::string>().size(), 64U);
}

TEST(AudioCommand, WritesAnImageAndResynthesisedAudio) {
  const support::TempDir dir;
  const std::string clip = dir.write("clip.wav", tone_wav()).string();
  const std::string png = (dir.path() / "mel.png").string();
  const std::string wav = (dir.path() / "resynthesised.wav").string();

  const CommandResult result = run_audio({clip, "--png", png, "--out", wav, "--iterations", "4"});

  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_TRUE(contents(png).starts_with("\x89PNG"));
  const audio::DecodeResult decoded = audio::decode(contents(wav), 30.0);
  EXPECT_TRUE(decoded.ok()) << decoded.detail;
  EXPECT_NEAR(decoded.clip.seconds(), 1.0, 0.05);
}

TEST(AudioCommand, AMissingFileIsAUsageErrorThatSuggestsTheNearestName) {
  const support::TempDir dir;
  dir.write("interview.wav", tone_wav());

  const CommandResult result = run_audio({(dir.path() / "intervew.wav").string()});

  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.errors.find("did you mean 'interview.wav'"), std::string::npos) << result.errors;
}

TEST(AudioCommand, AnUnreadableRecordingFailsWithAReason) {
  const support::TempDir dir;
  const std::string text = dir.write("notes.wav", "these are words").string();
  const std::string cut = dir.write("cut.wav", tone_wav().substr(0, 1000)).string();

  const CommandResult not_audio = run_audio({text});
  const CommandResult truncated = run_audio({cut});

  EXPECT_EQ(not_audio.code, 1);
  EXPECT_NE(not_audio.errors.find("not a readable audio file"), std::string::npos)
      << not_audio.errors;
  EXPECT_EQ(truncated.code, 1);
  EXPECT_NE(truncated.errors.find("truncated"), std::string::npos) << truncated.errors;
}

TEST(AudioCommand, APipeIsRefusedWithAMessage) {
  const support::TempDir dir;
  const std::string pipe = (dir.path() / "pipe.wav").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);

  const CommandResult result = run_audio({pipe});

  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("a pipe or a device, expected a regular file"), std::string::npos)
      << result.errors;
}

TEST(AudioCommand, OverwritesNeitherTheRecordingNorItsOtherOutput) {
  const support::TempDir dir;
  const std::string clip = dir.write("clip.wav", tone_wav()).string();
  const std::string link = (dir.path() / "link.wav").string();
  std::filesystem::create_symlink(clip, link);
  const std::string output = (dir.path() / "output").string();
  const std::string same_output = (dir.path() / "." / "output").string();

  for (const std::vector<std::string>& arguments : {std::vector<std::string>{clip, "--out", clip},
                                                    {clip, "--png", link},
                                                    {clip, "--png", output, "--out", same_output},
                                                    {clip, "--png", ""},
                                                    {clip, "--out="}}) {
    const CommandResult result = run_audio(arguments);
    EXPECT_EQ(result.code, 2) << arguments.back() << result.errors;
    EXPECT_EQ(result.output, "");
  }
  EXPECT_EQ(contents(clip), tone_wav());
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST(AudioCommand, AFolderIsAUsageError) {
  const support::TempDir dir;

  EXPECT_EQ(run_audio({dir.path().string()}).code, 2);
}

}  // namespace
}  // namespace myxtts::cli
