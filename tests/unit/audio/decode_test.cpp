#include "audio/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "audio/wav.h"
#include "support/scale.h"
#include "unit/audio/sounds.h"

#ifdef __SANITIZE_ADDRESS__
// libsndfile 1.2 forgets 6 KB of libvorbis whenever a Vorbis header turns out to be broken.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:vorbis_info_init\n";
}
#endif

namespace xtts::audio {
namespace {

constexpr double kMaxSeconds = 30.0;

TEST(Decode, NothingIsEmpty) {
  EXPECT_EQ(decode("", kMaxSeconds).fault, AudioFault::kEmpty);
}

TEST(Decode, TextIsNotAudioAndSaysHowItBegins) {
  const DecodeResult result = decode("<!DOCTYPE html><html>not found", kMaxSeconds);

  EXPECT_EQ(result.fault, AudioFault::kNotAudio);
  EXPECT_NE(result.detail.find("<!DOCTYPE html><"), std::string::npos) << result.detail;
  EXPECT_NE(result.detail.find("ffmpeg -i in.m4a out.wav"), std::string::npos) << result.detail;
}

TEST(Decode, AnUnknownContainerIsNamed) {
  const DecodeResult result = decode(std::string("\0\0\0\x20"
                                                 "ftypM4A ",
                                                 12),
                                     kMaxSeconds);

  EXPECT_EQ(result.fault, AudioFault::kNotAudio);
  EXPECT_NE(result.detail.find("M4A"), std::string::npos) << result.detail;
}

TEST(Decode, SamplesThatAreNoNumbersAreRefused) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> samples = noise(100, 5);
    samples[40] = bad;

    const DecodeResult result =
        decode(encoded(samples, 22050, 1, SF_FORMAT_WAV | SF_FORMAT_FLOAT), kMaxSeconds);

    EXPECT_EQ(result.fault, AudioFault::kNotFinite);
    EXPECT_NE(result.detail.find("sample 40 of 100"), std::string::npos) << result.detail;
  }
}

TEST(Decode, AHeaderWithoutSamplesHasNoFrames) {
  EXPECT_EQ(decode(wav_bytes({}, 22050), kMaxSeconds).fault, AudioFault::kNoFrames);
}

TEST(Decode, EveryFaultHasItsOwnName) {
  using enum AudioFault;
  std::set<std::string_view> names;
  for (const AudioFault fault :
       {kNone, kEmpty, kNotAudio, kTruncated, kNoFrames, kNotFinite, kTooLong}) {
    names.insert(name_of(fault));
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_TRUE(names.contains("not_audio"));
}

// Cuts, overwrites and repeats pieces of a good file.
std::string mutated(std::string bytes, base::Random& random) {
  for (std::uint64_t i = 1 + random.below(4); i > 0 && !bytes.empty(); --i) {
    // Most faults of interest are in headers: prefer the front.
    const std::size_t reach =
        random.below(2) == 0 ? std::min<std::size_t>(bytes.size(), 128) : bytes.size();
    const std::size_t at = random.below(reach);
    const std::size_t count = 1 + random.below(8);
    switch (random.below(4)) {
      case 0:
        bytes[at] = static_cast<char>(random.next());
        break;
      case 1:
        bytes.replace(at, count, count, random.below(2) == 0 ? '\0' : '\xFF');
        break;
      case 2:
        bytes.resize(at);
        break;
      default:
        bytes.insert(at, bytes.substr(random.below(bytes.size()), 1 + random.below(64)));
        break;
    }
  }
  return bytes;
}

TEST(Decode, MutatedFilesGiveAFaultOrFiniteSamplesInBoundedMemory) {
  constexpr double kShort = 1.0;
  const std::vector<float> sound = noise(2000, 9);
  const std::vector<std::string> files = {
      wav_bytes(sound, 22050),
      encoded(sound, 22050, 2, SF_FORMAT_WAVEX | SF_FORMAT_PCM_24),
      encoded(sound, 22050, 1, SF_FORMAT_WAV | SF_FORMAT_DOUBLE),
      encoded(sound, 22050, 1, SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
      encoded(sound, 22050, 1, SF_FORMAT_OGG | SF_FORMAT_VORBIS),
      encoded(sound, 24000, 1, SF_FORMAT_OGG | SF_FORMAT_OPUS),
      encoded(sound, 22050, 1, SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III),
  };
  constexpr std::uint64_t kSeed = 20240;
  base::Random random(kSeed);

  for (int i = 0; i < 20000 * support::test_scale(); ++i) {
    const std::string bytes = mutated(files[random.below(files.size())], random);
    const DecodeResult result = decode(bytes, kShort);

    const std::vector<float>& samples = result.sound.samples;
    const std::string where = "seed " + std::to_string(kSeed) + " round " + std::to_string(i);
    ASSERT_EQ(result.ok(), result.detail.empty()) << where;
    if (result.ok()) {
      ASSERT_FALSE(samples.empty()) << where;
      ASSERT_TRUE(std::ranges::all_of(samples, [](float s) { return std::isfinite(s); })) << where;
    }
    const double most_samples = std::max(4.0 * static_cast<double>(bytes.size()),
                                         2.0 * kShort * result.sound.sample_rate + 2.0);
    ASSERT_LE(static_cast<double>(samples.capacity()), most_samples) << where;
  }
}

}  // namespace
}  // namespace xtts::audio
