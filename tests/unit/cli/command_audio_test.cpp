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

namespace xtts::cli {
namespace {

using support::contents;
using support::Ended;

Ended run_audio(std::vector<std::string> words) {
  words.insert(words.begin(), {"audio"});
  return support::run_myxtts(std::move(words));
}

std::string tone_wav() {
  std::vector<float> samples(16000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(0.5 * std::sin(0.2 * static_cast<double>(i)));
  }
  return audio::wav_bytes(samples, 16000);
}

TEST(AudioCommand, SaysWhatWasDecoded) {
  const support::TempDir dir;
  const std::string clip = dir.write("clip.wav", tone_wav()).string();

  const Ended ended = run_audio({clip, "--json", "--no-trim-silence"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const nlohmann::json report = nlohmann::json::parse(ended.output);
  EXPECT_EQ(report["format"], "wav pcm16");
  EXPECT_EQ(report["sample_rate"], 16000);
  EXPECT_EQ(report["channels"], 1);
  EXPECT_NEAR(report["seconds"].get<double>(), 1.0, 1e-9);
  EXPECT_NEAR(report["peak_dbfs"].get<double>(), -6.02, 0.01);
  EXPECT_NEAR(report["loudness_lufs"].get<double>() + report["gain_db"].get<double>(), -23.0, 0.05);
  EXPECT_EQ(report["mel_frames"], 1 + 22050 / 256);
  EXPECT_EQ(report["mel_fingerprint"].get<std::string>().size(), 64U);
}

TEST(AudioCommand, DrawsThePictureAndSpeaksTheMel) {
  const support::TempDir dir;
  const std::string clip = dir.write("clip.wav", tone_wav()).string();
  const std::string png = (dir.path() / "mel.png").string();
  const std::string wav = (dir.path() / "heard.wav").string();

  const Ended ended = run_audio({clip, "--png", png, "--out", wav, "--iterations", "4"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  EXPECT_TRUE(contents(png).starts_with("\x89PNG"));
  const audio::DecodeResult heard = audio::decode(contents(wav), 30.0);
  EXPECT_TRUE(heard.ok()) << heard.detail;
  EXPECT_NEAR(heard.sound.seconds(), 1.0, 0.05);
}

TEST(AudioCommand, AMissingFileIsAUsageErrorWithTheNearestName) {
  const support::TempDir dir;
  dir.write("interview.wav", tone_wav());

  const Ended ended = run_audio({(dir.path() / "intervew.wav").string()});

  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.errors.find("did you mean 'interview.wav'"), std::string::npos) << ended.errors;
}

TEST(AudioCommand, WhatIsNoRecordingFailsWithItsReason) {
  const support::TempDir dir;
  const std::string text = dir.write("notes.wav", "these are words").string();
  const std::string cut = dir.write("cut.wav", tone_wav().substr(0, 1000)).string();

  const Ended words = run_audio({text});
  const Ended truncated = run_audio({cut});

  EXPECT_EQ(words.code, 1);
  EXPECT_NE(words.errors.find("not a recording that can be read"), std::string::npos)
      << words.errors;
  EXPECT_EQ(truncated.code, 1);
  EXPECT_NE(truncated.errors.find("cut off"), std::string::npos) << truncated.errors;
}

TEST(AudioCommand, APipeIsNamedInWords) {
  const support::TempDir dir;
  const std::string pipe = (dir.path() / "pipe.wav").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);

  const Ended ended = run_audio({pipe});

  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.errors.find("a pipe or a device, not a file"), std::string::npos) << ended.errors;
}

TEST(AudioCommand, WritesOverNeitherTheRecordingNorItsOwnAnswer) {
  const support::TempDir dir;
  const std::string clip = dir.write("clip.wav", tone_wav()).string();
  const std::string link = (dir.path() / "link.wav").string();
  std::filesystem::create_symlink(clip, link);
  const std::string answer = (dir.path() / "answer").string();
  const std::string same_answer = (dir.path() / "." / "answer").string();

  for (const std::vector<std::string>& words : {std::vector<std::string>{clip, "--out", clip},
                                                {clip, "--png", link},
                                                {clip, "--png", answer, "--out", same_answer},
                                                {clip, "--png", ""},
                                                {clip, "--out="}}) {
    const Ended ended = run_audio(words);
    EXPECT_EQ(ended.code, 2) << words.back() << ended.errors;
    EXPECT_EQ(ended.output, "");
  }
  EXPECT_EQ(contents(clip), tone_wav());
  EXPECT_FALSE(std::filesystem::exists(answer));
}

TEST(AudioCommand, AFolderIsAUsageError) {
  const support::TempDir dir;

  EXPECT_EQ(run_audio({dir.path().string()}).code, 2);
}

}  // namespace
}  // namespace xtts::cli
