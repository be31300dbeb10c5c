#include "audio/sndfile_reader.h"

#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

struct Codec {
  const char* name;
  int format;
  int rate;
  double tolerance;  // of the RMS difference to the encoded tone, whose RMS is 0.35
};

std::ostream& operator<<(std::ostream& out, const Codec& codec) {
  return out << codec.name;
}

const Codec kFlac{"flac pcm16", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22050, 1e-4};
const Codec kVorbis{"ogg vorbis", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 22050, 0.05};
const Codec kOpus{"ogg opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, 24000, 0.05};

std::vector<float> tone(const Codec& codec, double seconds) {
  return sine(440.0, codec.rate, seconds, 0.5);
}

class SndfileReader : public ::testing::TestWithParam<Codec> {};

TEST_P(SndfileReader, ReadsWhatLibsndfileWrote) {
  const Codec& codec = GetParam();
  const std::vector<float> samples = tone(codec, 0.5);

  const DecodeResult result =
      decode_flac_or_ogg(encoded(samples, codec.rate, 1, codec.format), kMaxSeconds);

  ASSERT_TRUE(result.ok()) << result.detail;
  EXPECT_EQ(result.clip.format, codec.name);
  EXPECT_EQ(result.clip.sample_rate, codec.rate);
  EXPECT_NEAR(result.clip.seconds(), 0.5, 1e-3);
  EXPECT_NEAR(rms(result.clip.samples), rms(samples), codec.tolerance);
}

TEST_P(SndfileReader, MixesChannels) {
  const Codec& codec = GetParam();
  std::vector<float> frames;
  for (const float sample : tone(codec, 0.5)) {
    frames.push_back(sample);
    frames.push_back(-sample);  // the mean is silence
  }

  const DecodeResult result =
      decode_flac_or_ogg(encoded(frames, codec.rate, 2, codec.format), kMaxSeconds);

  ASSERT_TRUE(result.ok()) << result.detail;
  EXPECT_EQ(result.clip.num_channels, 2);
  EXPECT_LT(rms(result.clip.samples), 0.01);
}

TEST_P(SndfileReader, AFileCutInTheMiddleIsTruncated) {
  const Codec& codec = GetParam();
  const std::string whole =
      encoded(noise(static_cast<std::size_t>(codec.rate), 4), codec.rate, 1, codec.format);

  const DecodeResult result = decode_flac_or_ogg(whole.substr(0, whole.size() / 2), kMaxSeconds);

  EXPECT_EQ(result.fault, AudioFault::kTruncated) << result.detail;
}

TEST_P(SndfileReader, StopsAtTheMaximumLength) {
  const Codec& codec = GetParam();

  const DecodeResult result =
      decode_flac_or_ogg(encoded(tone(codec, 2.0), codec.rate, 1, codec.format), 0.25);

  EXPECT_EQ(result.fault, AudioFault::kTooLong);
  EXPECT_LE(result.clip.samples.size(), static_cast<std::size_t>(codec.rate) / 4 + 1);
}

TEST_P(SndfileReader, AHeaderAloneIsAFault) {
  const Codec& codec = GetParam();
  const std::string whole = encoded(tone(codec, 0.5), codec.rate, 1, codec.format);

  for (const std::size_t size : {4U, 10U, 40U}) {
    EXPECT_FALSE(decode_flac_or_ogg(whole.substr(0, size), kMaxSeconds).ok()) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs,
                         SndfileReader,
                         ::testing::Values(kFlac, kVorbis, kOpus),
                         [](const auto& param) {
                           std::string name = param.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

TEST(SndfileReaderOgg, AnOggCutBetweenTwoPagesIsTruncated) {
  for (const Codec& codec : {kVorbis, kOpus}) {
    const std::string whole =
        encoded(noise(4 * static_cast<std::size_t>(codec.rate), 4), codec.rate, 1, codec.format);
    ASSERT_TRUE(decode_flac_or_ogg(whole, kMaxSeconds).ok()) << codec;

    const DecodeResult result =
        decode_flac_or_ogg(whole.substr(0, whole.rfind("OggS")), kMaxSeconds);

    EXPECT_EQ(result.fault, AudioFault::kTruncated) << codec << ": " << result.detail;
    EXPECT_GT(result.clip.seconds(), 1.0) << codec;
  }
}

}  // namespace
}  // namespace myxtts::audio
