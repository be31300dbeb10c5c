#include "audio/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "audio/wav.h"
#include "unit/audio/signals.h"

#ifdef __SANITIZE_ADDRESS__
// libsndfile 1.2 leaks 6 KB of libvorbis for every broken Vorbis header.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions() {
  return "leak:vorbis_info_init\n";
}
#endif

namespace myxtts::audio {
namespace {

TEST(Decode, NoBytesAreReportedAsEmpty) {
  EXPECT_EQ(decode("", kMaxSeconds).fault, AudioFault::kEmpty);
}

TEST(Decode, TextIsNotAudioAndTheDetailQuotesItsStart) {
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

TEST(Decode, NonFiniteSamplesAreRejected) {
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

TEST(Decode, EveryFaultHasADistinctName) {
  using enum AudioFault;
  std::set<std::string_view> names;
  for (const AudioFault fault :
       {kNone, kEmpty, kNotAudio, kTruncated, kNoFrames, kNotFinite, kTooLong}) {
    names.insert(name_of(fault));
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_TRUE(names.contains("not_audio"));
}

}  // namespace
}  // namespace myxtts::audio
