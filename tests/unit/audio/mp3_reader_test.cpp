#include "audio/mp3_reader.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

constexpr int kMp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;

std::string tagged(const std::string& bytes) {
  return std::string("ID3\x04\x00\x00\x00\x00\x00\x20", 10) + std::string(32, '\0') + bytes;
}

TEST(Mp3Reader, ReadsAToneWithAndWithoutATag) {
  const std::string untagged = encoded(sine(440.0, 22050, 0.5), 22050, 1, kMp3);

  for (const std::string& bytes : {untagged, tagged(untagged)}) {
    const DecodeResult result = decode_mp3(bytes, kMaxSeconds);

    ASSERT_TRUE(result.ok()) << result.detail;
    EXPECT_EQ(result.clip.format, "mp3");
    EXPECT_EQ(result.clip.sample_rate, 22050);
    EXPECT_NEAR(result.clip.seconds(), 0.5, 1e-3);
    EXPECT_NEAR(rms(result.clip.samples), 0.5 / std::sqrt(2.0), 0.02);
  }
}

TEST(Mp3Reader, MixesChannels) {
  std::vector<float> frames;
  for (const float sample : sine(440.0, 44100, 0.5)) {
    frames.push_back(sample);
    frames.push_back(-sample);  // the mean is silence
  }

  const DecodeResult result = decode_mp3(encoded(frames, 44100, 2, kMp3), kMaxSeconds);

  ASSERT_TRUE(result.ok()) << result.detail;
  EXPECT_EQ(result.clip.num_channels, 2);
  EXPECT_LT(rms(result.clip.samples), 0.01);
}

TEST(Mp3Reader, AFileCutInTheMiddleIsTruncated) {
  const std::string whole = encoded(noise(22050, 4), 22050, 1, kMp3);

  for (const std::string& bytes : {whole, tagged(whole)}) {
    const DecodeResult result = decode_mp3(bytes.substr(0, bytes.size() / 2), kMaxSeconds);

    EXPECT_EQ(result.fault, AudioFault::kTruncated) << result.detail;
    EXPECT_GT(result.clip.seconds(), 0.2);
  }
}

TEST(Mp3Reader, StopsAtTheMaximumLength) {
  const DecodeResult result = decode_mp3(encoded(sine(440.0, 22050, 2.0), 22050, 1, kMp3), 0.25);

  EXPECT_EQ(result.fault, AudioFault::kTooLong);
  EXPECT_LE(result.clip.samples.size(), 22050U / 4 + 1);
}

TEST(Mp3Reader, AHeaderOrTagAloneIsNotAudio) {
  const std::string whole = encoded(sine(440.0, 22050, 0.5), 22050, 1, kMp3);

  EXPECT_EQ(decode_mp3(tagged(""), kMaxSeconds).fault, AudioFault::kNotAudio);
  EXPECT_EQ(decode_mp3(whole.substr(0, 4), kMaxSeconds).fault, AudioFault::kNotAudio);
  EXPECT_EQ(decode_mp3("ID3", kMaxSeconds).fault, AudioFault::kNotAudio);
}

TEST(Mp3Reader, PrintsNothingAboutDamage) {
  std::string damaged = encoded(noise(22050, 4), 22050, 1, kMp3);
  for (std::size_t i = 1000; i < damaged.size(); i += 700)
    damaged.replace(i, 100, 100, '\x55');

  testing::internal::CaptureStderr();
  static_cast<void>(decode_mp3(damaged, kMaxSeconds));

  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Decodes in a new thread, whose decoder has not read any file.
std::vector<float> decode_in_new_thread(const std::string& bytes) {
  std::vector<float> samples;
  std::thread([&] { samples = decode_mp3(bytes, kMaxSeconds).clip.samples; }).join();
  return samples;
}

TEST(Mp3Reader, EarlierFilesDoNotAffectTheSamples) {
  std::vector<float> stereo = noise(60000, 8);
  const std::vector<std::string> files = {encoded(noise(30000, 5), 22050, 1, kMp3),
                                          encoded(stereo, 48000, 2, kMp3),
                                          tagged(encoded(sine(440.0, 22050, 0.7), 22050, 1, kMp3)),
                                          encoded(noise(9000, 7), 16000, 1, kMp3)};
  std::string damaged = files[0];
  damaged.replace(damaged.size() / 2, 400, 400, '\x5A');
  DecodeResult result;
  base::Random random(3);

  for (int i = 0; i < 60; ++i) {
    const std::size_t which = random.below(files.size());
    if (random.below(4) == 0) decode_mp3(damaged, kMaxSeconds, result);
    if (random.below(4) == 0) decode_mp3(files[which].substr(0, 3000), kMaxSeconds, result);
    decode_mp3(files[which], kMaxSeconds, result);
    ASSERT_TRUE(result.ok()) << result.detail;
    ASSERT_EQ(result.clip.samples, decode_in_new_thread(files[which])) << "file " << which;
  }
}

TEST(Mp3Reader, DistinguishesAacFromMp3) {
  EXPECT_FALSE(looks_like_mp3("\xFF\xF1\x50\x80"));
  EXPECT_TRUE(looks_like_mp3("\xFF\xFB\x90\x44"));
}

}  // namespace
}  // namespace myxtts::audio
