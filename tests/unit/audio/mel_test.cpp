// Parity with librosa 0.11: tests/golden/mel, made by tools/golden/make_mel.py.

#include "audio/mel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

constexpr double kLogTolerance = 1e-5;     // absolute, in the natural logarithm
constexpr double kLinearTolerance = 1e-5;  // relative to the largest value of the frame

// Reads a version 1 .npy file of float32: 10 bytes, a header of the length in bytes 8-9, values.
std::vector<float> golden_values(const std::string& name, const std::string& shape) {
  const std::string bytes = base::read_file_or_throw(golden(name), kMaxGoldenBytes);
  const std::size_t start =
      10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  const std::string header = bytes.substr(10, start - 10);
  EXPECT_NE(header.find("'<f4'"), std::string::npos) << header;
  EXPECT_NE(header.find("'fortran_order': False"), std::string::npos) << header;
  EXPECT_NE(header.find(shape), std::string::npos) << header;

  std::vector<float> values((bytes.size() - start) / sizeof(float));
  std::memcpy(values.data(), bytes.data() + start, values.size() * sizeof(float));
  return values;
}

MelSpec narrow_spec() {
  MelSpec spec;
  spec.n_fft = 2048;
  spec.win_length = 1200;
  spec.hop_length = 300;
  spec.n_mels = 40;
  spec.mel_fmin = 55.0;
  spec.mel_fmax = 7600.0;
  spec.mel_floor = 1e-3;
  return spec;
}

void expect_equals_librosa(const std::string& clip,
                           const std::string& name,
                           const MelSpec& spec,
                           const std::string& shape) {
  const std::vector<float> expected = golden_values(name, shape);

  const Mel mel = ReferenceMel(spec).log_mel(golden_clip(clip));

  ASSERT_EQ(mel.values.size(), expected.size());
  ASSERT_EQ(mel.num_frames * mel.n_mels, std::ssize(mel.values));
  double worst_log = 0.0;
  double worst_linear = 0.0;
  for (std::int64_t m = 0; m < mel.num_frames; ++m) {
    const auto frame = mel.frame(m);
    const auto wanted =
        std::span(expected).subspan(static_cast<std::size_t>(m) * frame.size(), frame.size());
    const double largest = std::exp(static_cast<double>(*std::ranges::max_element(wanted)));
    for (std::size_t c = 0; c < frame.size(); ++c) {
      const double ours = frame[c];
      const double theirs = wanted[c];
      worst_log = std::max(worst_log, std::abs(ours - theirs));
      worst_linear = std::max(worst_linear, std::abs(std::exp(ours) - std::exp(theirs)) / largest);
    }
  }
  EXPECT_LE(worst_log, kLogTolerance);
  EXPECT_LE(worst_linear, kLinearTolerance);
}

TEST(ReferenceMel, EqualsLibrosaOnAPhrase) {
  expect_equals_librosa("phrase.wav", "phrase.default.npy", {}, "(164, 80)");
}

TEST(ReferenceMel, EqualsLibrosaOnAWord) {
  expect_equals_librosa("word.wav", "word.default.npy", {}, "(59, 80)");
}

TEST(ReferenceMel, EqualsLibrosaWithAShortWindowAndOtherFrequencies) {
  expect_equals_librosa("word.wav", "word.narrow.npy", narrow_spec(), "(51, 40)");
}

TEST(ReferenceMel, EqualsLibrosaOnAudioShorterThanHalfAFrame) {
  expect_equals_librosa("blink.wav", "blink.default.npy", {}, "(2, 80)");
}

TEST(ReferenceMel, SilenceGivesTheFloor) {
  const Mel mel = ReferenceMel({}).log_mel(std::vector<float>(2205, 0.0F));

  EXPECT_EQ(mel.num_frames, 1 + 2205 / 256);
  for (const float value : mel.values)
    EXPECT_FLOAT_EQ(value, std::log(1e-5F));
}

TEST(ReferenceMel, NoSamplesGiveOneFrameOfSilence) {
  const Mel mel = ReferenceMel({}).log_mel({});

  EXPECT_EQ(mel.num_frames, 1);
  EXPECT_EQ(mel.values, std::vector<float>(80, static_cast<float>(std::log(1e-5))));
}

TEST(ReferenceMel, TwiceTheAmplitudeAddsTheLogarithmOfTwo) {
  const ReferenceMel extractor({});

  const Mel quiet = extractor.log_mel(noise(4000, 3, 0.25));
  const Mel loud = extractor.log_mel(noise(4000, 3, 0.5));

  for (std::size_t i = 0; i < quiet.values.size(); ++i) {
    EXPECT_NEAR(loud.values[i] - quiet.values[i], std::log(2.0), 1e-5);
  }
}

// Full-scale tones come close to the bound; no signal exceeds it.
TEST(ReferenceMel, NoAudioExceedsTheHighestLogMel) {
  for (const MelSpec& spec : {MelSpec{}, narrow_spec()}) {
    const ReferenceMel extractor(spec);
    const float highest = highest_log_mel(spec);

    float found = -100.0F;
    for (const double hz : {60.0, 150.0, 400.0, 1000.0, 3000.0, 7000.0})
      found =
          std::max(found, std::ranges::max(extractor.log_mel(sine(hz, 22050, 0.3, 1.0)).values));
    for (const std::vector<float>& loud :
         {std::vector<float>(6000, 1.0F), noise(6000, 3, 1.0), golden_clip("word.wav")})
      found = std::max(found, std::ranges::max(extractor.log_mel(loud).values));

    EXPECT_LE(found, highest);
    EXPECT_GT(found, highest - 2.5F);
  }
}

TEST(ReferenceMel, RejectsAnInvalidSpec) {
  MelSpec spec;
  spec.mel_fmax = 12000.0;

  EXPECT_THROW(ReferenceMel{spec}, UsageError);
}

}  // namespace
}  // namespace myxtts::audio
