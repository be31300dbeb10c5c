#include "audio/wav_reader.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "audio/wav.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

DecodeResult wav_decoded(std::string_view bytes, double max_seconds) {
  DecodeResult result;
  decode_wav(bytes, max_seconds, result);
  return result;
}

std::string chunk(const std::string& id, const std::string& body) {
  return id + little_endian(body.size(), 4) + body + std::string(body.size() % 2, '\0');
}

std::string riff(const std::string& chunks) {
  return "RIFF" + little_endian(chunks.size() + 4, 4) + "WAVE" + chunks;
}

std::string format_body(unsigned tag, unsigned channels, unsigned rate, unsigned bits) {
  const unsigned frame = channels * bits / 8;
  return little_endian(tag, 2) + little_endian(channels, 2) + little_endian(rate, 4) +
         little_endian(std::uint64_t{rate} * frame, 4) + little_endian(frame, 2) +
         little_endian(bits, 2);
}

std::string pcm16_format() {
  return chunk("fmt ", format_body(1, 1, 22050, 16));
}

// Mono 16-bit PCM has a fast path; the mean of two equal channels takes the general path.
TEST(WavReader, TheMonoPcm16PathEqualsTheGeneralPath) {
  std::string one;
  std::string two;
  for (int value = -32768; value < 32768; value += 7) {
    const std::string bytes = little_endian(static_cast<std::uint16_t>(value), 2);
    one += bytes;
    two += bytes + bytes;
  }
  const auto file = [](unsigned channels, const std::string& data) {
    return riff(chunk("fmt ", format_body(1, channels, 22050, 16)) + chunk("data", data));
  };

  EXPECT_EQ(wav_decoded(file(1, one), kMaxSeconds).clip.samples,
            wav_decoded(file(2, two), kMaxSeconds).clip.samples);
}

TEST(WavReader, ReadsEverySampleFormatThatLibsndfileWrites) {
  struct Case {
    int format;
    const char* name;
    double tolerance;
  };
  const std::vector<float> samples = noise(999, 3, 0.9);
  for (const Case& c : {Case{SF_FORMAT_PCM_U8, "wav pcm8", 1.0 / 128},
                        Case{SF_FORMAT_PCM_16, "wav pcm16", 1.0 / 32768},
                        Case{SF_FORMAT_PCM_24, "wav pcm24", 1.0 / 8388608},
                        Case{SF_FORMAT_PCM_32, "wav pcm32", 1e-7},
                        Case{SF_FORMAT_FLOAT, "wav float32", 0.0},
                        Case{SF_FORMAT_DOUBLE, "wav float64", 0.0}}) {
    for (const int container : {SF_FORMAT_WAV, SF_FORMAT_WAVEX}) {
      const DecodeResult result =
          wav_decoded(encoded(samples, 16000, 1, container | c.format), kMaxSeconds);

      ASSERT_TRUE(result.ok()) << c.name << ": " << result.detail;
      EXPECT_EQ(result.clip.format, c.name);
      EXPECT_EQ(result.clip.sample_rate, 16000);
      ASSERT_EQ(result.clip.samples.size(), samples.size());
      for (std::size_t i = 0; i < samples.size(); ++i) {
        ASSERT_NEAR(result.clip.samples[i], samples[i], c.tolerance) << c.name << " sample " << i;
      }
    }
  }
}

TEST(WavReader, MixesChannelsToTheirMean) {
  const std::vector<float> frames = {0.5F, -0.25F, 0.125F, 0.375F};

  const DecodeResult result =
      wav_decoded(encoded(frames, 48000, 2, SF_FORMAT_WAV | SF_FORMAT_FLOAT), kMaxSeconds);

  EXPECT_EQ(result.clip.num_channels, 2);
  EXPECT_EQ(result.clip.samples, (std::vector<float>{0.125F, 0.25F}));
}

TEST(WavReader, SkipsUnknownChunks) {
  const std::string bytes = riff(chunk("JUNK", "odd") + pcm16_format() + chunk("LIST", "INFO....") +
                                 chunk("data", little_endian(0x4000, 2)));

  const DecodeResult result = wav_decoded(bytes, kMaxSeconds);

  ASSERT_TRUE(result.ok()) << result.detail;
  EXPECT_EQ(result.clip.samples, std::vector<float>{0.5F});
}

TEST(WavReader, FewerSamplesThanStatedAreTruncated) {
  const std::string whole = wav_bytes(noise(1000, 2), 22050);

  const DecodeResult result = wav_decoded(whole.substr(0, 44 + 600), kMaxSeconds);

  EXPECT_EQ(result.fault, AudioFault::kTruncated);
  EXPECT_EQ(result.clip.samples.size(), 300U);
  EXPECT_NE(result.detail.find("300 of 1000"), std::string::npos) << result.detail;
}

TEST(WavReader, AFileCutAnywhereIsTruncated) {
  const std::string whole = wav_bytes(noise(20, 2), 22050);

  for (std::size_t size = 12; size < whole.size(); ++size) {
    EXPECT_EQ(wav_decoded(whole.substr(0, size), kMaxSeconds).fault, AudioFault::kTruncated)
        << size;
  }
}

TEST(WavReader, StatedSizesBeyondTheFileAllocateNoMemory) {
  for (const std::uint64_t stated_size : {0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFEU}) {
    const std::string bytes =
        riff(pcm16_format() + "data" + little_endian(stated_size, 4) + std::string(100, '\x01'));

    const DecodeResult result = wav_decoded(bytes, 1e9);

    EXPECT_EQ(result.fault, AudioFault::kTruncated) << stated_size;
    EXPECT_LE(result.clip.samples.capacity() * sizeof(float), 4 * bytes.size()) << stated_size;
  }
}

TEST(WavReader, AStreamOfUnknownSizeExtendsToTheEnd) {
  const std::string body = little_endian(0x4000, 2) + little_endian(0xC000, 2);
  const std::string unknown =
      "RIFF\xFF\xFF\xFF\xFFWAVE" + pcm16_format() + "data\xFF\xFF\xFF\xFF" + body;
  const std::string unfinished =
      "RIFF" + little_endian(0, 4) + "WAVE" + pcm16_format() + "data" + little_endian(0, 4) + body;

  for (const std::string& bytes : {unknown, unfinished}) {
    const DecodeResult result = wav_decoded(bytes, kMaxSeconds);

    ASSERT_TRUE(result.ok()) << result.detail;
    EXPECT_EQ(result.clip.samples, (std::vector<float>{0.5F, -0.5F}));
  }
}

TEST(WavReader, RejectsAFormatChunkThatIsTooSmall) {
  for (const std::size_t size : {0U, 4U, 15U}) {
    const std::string bytes = riff(chunk("fmt ", format_body(1, 1, 22050, 16).substr(0, size)) +
                                   chunk("data", std::string(100, '\0')));

    EXPECT_EQ(wav_decoded(bytes, kMaxSeconds).fault, AudioFault::kNotAudio) << size;
  }
}

TEST(WavReader, RejectsUnsupportedFormats) {
  struct Case {
    unsigned tag, channels, rate, bits;
  };
  for (const Case& c : {Case{2, 1, 22050, 4},           // MS ADPCM
                        Case{7, 1, 8000, 8},            // mu-law
                        Case{1, 1, 22050, 12},          // no such width
                        Case{3, 1, 22050, 16},          // half floats
                        Case{1, 0, 22050, 16},          // no channel
                        Case{1, 9, 22050, 16},          // too many
                        Case{1, 1, 0, 16},              // no rate
                        Case{1, 1, 4000000000U, 16},    // no such rate
                        Case{0xFFFE, 1, 22050, 16}}) {  // extensible without its extension
    const std::string bytes = riff(chunk("fmt ", format_body(c.tag, c.channels, c.rate, c.bits)) +
                                   chunk("data", std::string(100, '\0')));

    const DecodeResult result = wav_decoded(bytes, kMaxSeconds);

    EXPECT_EQ(result.fault, AudioFault::kNotAudio) << c.tag << ' ' << c.channels << ' ' << c.rate;
    EXPECT_NE(result.detail.find("ffmpeg"), std::string::npos) << result.detail;
  }
}

TEST(WavReader, RejectsAFrameSizeThatContradictsTheChannels) {
  std::string body = format_body(1, 2, 22050, 16);
  body[12] = 2;  // bytes per frame, should be 4

  const DecodeResult result =
      wav_decoded(riff(chunk("fmt ", body) + chunk("data", std::string(100, '\0'))), kMaxSeconds);

  EXPECT_EQ(result.fault, AudioFault::kNotAudio);
}

TEST(WavReader, AFileAboveTheMaximumLengthIsNotDecoded) {
  const DecodeResult result = wav_decoded(wav_bytes(std::vector<float>(2205), 22050), 0.05);

  EXPECT_EQ(result.fault, AudioFault::kTooLong);
  EXPECT_TRUE(result.clip.samples.empty());
  EXPECT_TRUE(wav_decoded(wav_bytes(std::vector<float>(2205), 22050), 0.1).ok());
}

TEST(WavReader, AReusedResultKeepsNothingOfAnEarlierFile) {
  const std::string whole = wav_bytes(noise(900, 5), 22050);
  DecodeResult result;
  decode_wav(whole.substr(0, 44 + 600), kMaxSeconds, result);
  ASSERT_EQ(result.fault, AudioFault::kTruncated);

  decode_wav(wav_bytes(noise(300, 7), 16000), kMaxSeconds, result);

  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.detail, "");
  EXPECT_EQ(result.clip.samples.size(), 300U);
  EXPECT_EQ(result.clip.sample_rate, 16000);

  decode_wav(whole, 0.01, result);
  EXPECT_EQ(result.fault, AudioFault::kTooLong);
  EXPECT_TRUE(result.clip.samples.empty());
}

}  // namespace
}  // namespace myxtts::audio
