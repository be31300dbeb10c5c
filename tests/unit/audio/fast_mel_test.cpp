// FastMel against its reference implementation, with every instruction set of this processor.

#include "audio/fast_mel.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "audio/fast_mel_kernel.h"
#include "audio/mel.h"
#include "audio/mel_filterbank.h"
#include "audio/stft.h"
#include "base/error.h"
#include "base/random.h"
#include "support/scale.h"
#include "unit/audio/golden_clip.h"
#include "unit/audio/signals.h"

namespace myxtts::audio {
namespace {

constexpr double kLinearTolerance = 1e-6;  // relative to the largest value of the frame
constexpr double kLargestLog = 5e-3;
constexpr double kRareLog = 1e-3;  // at most one value in ten thousand exceeds it
constexpr double kMeanLog = 1e-5;

// Instruction sets that the kernel is compiled for and this processor has, best first.
std::vector<std::int64_t> targets_here() {
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  std::erase(targets, HWY_SSSE3);
  return targets;
}

// Restricts Highway's dispatch to `target` for its lifetime.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
  ~OnlyTarget() { hwy::SetSupportedTargetsForTest(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;
};

struct Difference {
  double linear = 0.0;       // largest, relative to the largest value of its frame
  std::vector<double> logs;  // of all values, ascending

  double mean_log() const {
    double sum = 0.0;
    for (const double log : logs)
      sum += log;
    return sum / static_cast<double>(logs.size());
  }
};

Difference difference(const Mel& ours, const Mel& reference) {
  EXPECT_EQ(ours.num_frames, reference.num_frames);
  EXPECT_EQ(ours.n_mels, reference.n_mels);
  EXPECT_EQ(ours.values.size(), reference.values.size());
  Difference difference;
  for (std::int64_t m = 0; m < reference.num_frames; ++m) {
    const auto here = ours.frame(m);
    const auto wanted = reference.frame(m);
    const double largest = std::exp(static_cast<double>(*std::ranges::max_element(wanted)));
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      const double a = here[c];
      const double b = wanted[c];
      difference.logs.push_back(std::abs(a - b));
      difference.linear =
          std::max(difference.linear, std::abs(std::exp(a) - std::exp(b)) / largest);
    }
  }
  std::ranges::sort(difference.logs);
  return difference;
}

// A random spec that validate() accepts and whose filters all cover a bin; empty if the random
// values give none.
std::optional<MelSpec> random_spec(base::Random& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random.unit() * (high - low + 1));
  };
  MelSpec spec;
  spec.n_fft = 16 << between(0, 8);
  spec.win_length = random.unit() < 0.5 ? spec.n_fft : between(1, spec.n_fft);
  spec.hop_length = random.unit() < 0.3 ? spec.n_fft / 4 : between(1, 2 * spec.n_fft);
  spec.n_mels = between(1, std::min(100, spec.n_fft / 4));
  spec.mel_fmin = random.unit() < 0.5 ? 0.0 : 3000.0 * random.unit();
  spec.mel_fmax = random.unit() < 0.3 ? 11025.0 : 4000.0 + 7000.0 * random.unit();
  spec.mel_floor = std::pow(10.0, -12.0 * random.unit());
  try {
    const ReferenceMel possible(spec);
    return spec;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::string format_spec(const MelSpec& c) {
  return fmt::format("n_fft {} win {} hop {} mels {} from {} to {} floor {}",
                     c.n_fft,
                     c.win_length,
                     c.hop_length,
                     c.n_mels,
                     c.mel_fmin,
                     c.mel_fmax,
                     c.mel_floor);
}

TEST(FastMel, EqualsTheReferenceOnSpeech) {
  const ReferenceMel reference({});
  const FastMel fast({});
  for (const char* name : {"phrase.wav", "word.wav", "blink.wav"}) {
    const std::vector<float> samples = golden_clip(name);
    const Mel expected = reference.log_mel(samples);
    for (const std::int64_t target : targets_here()) {
      const OnlyTarget only(target);
      SCOPED_TRACE(fmt::format("{} by {}", name, hwy::TargetName(target)));

      const Difference off = difference(fast.log_mel(samples), expected);

      EXPECT_LE(off.linear, kLinearTolerance);
      EXPECT_LE(off.logs.back(), kLargestLog);
      EXPECT_LE(off.logs[off.logs.size() * 9999 / 10000], kRareLog);
      EXPECT_LE(off.mean_log(), kMeanLog);
    }
  }
}

// Random audio may be loud where no filter is, and rounding errors occur in all bins. So each error
// is taken relative to the filter's output if all bins were as loud as the loudest.
double largest_difference_in_band(const Mel& ours,
                                  const MelSpec& spec,
                                  std::span<const float> samples) {
  const std::vector<double> reference = ReferenceMel(spec).linear_mel(samples);
  EXPECT_EQ(ours.values.size(), reference.size());
  const Stft stft(spec.n_fft, spec.win_length, spec.hop_length);
  const MelFilterbank filters(spec);
  std::vector<std::complex<double>> bins(static_cast<std::size_t>(stft.num_bins()));
  std::vector<double> ceiling(static_cast<std::size_t>(spec.n_mels));
  double largest = 0.0;
  for (std::int64_t m = 0; m < ours.num_frames; ++m) {
    stft.frame(samples, m, bins);
    double loudest = 0.0;
    for (const auto& bin : bins)
      loudest = std::max(loudest, std::abs(bin));
    filters.apply(std::vector<double>(bins.size(), loudest), ceiling);
    for (std::size_t c = 0; c < ceiling.size(); ++c) {
      const double wanted =
          std::max(spec.mel_floor, reference[static_cast<std::size_t>(m) * ceiling.size() + c]);
      const double off = std::abs(std::exp(static_cast<double>(ours.frame(m)[c])) - wanted);
      largest = std::max(largest, off / (wanted + ceiling[c]));
    }
  }
  return largest;
}

TEST(FastMel, EqualsTheReferenceForAnySpecAndLength) {
  base::Random random(61);
  int tried = 0;
  while (tried < 30 * support::test_scale()) {
    const std::optional<MelSpec> spec = random_spec(random);
    if (!spec) continue;
    const double reach = 3.0 * spec->n_fft + 20.0 * spec->hop_length;
    const auto length = static_cast<std::size_t>(random.unit() * std::min(reach, 20000.0));
    const std::vector<float> samples =
        noise(tried % 4 == 0 ? length % 5 : length, random.next(), 0.01 + random.unit());
    const FastMel fast(*spec);
    for (const std::int64_t target : targets_here()) {
      const OnlyTarget only(target);
      SCOPED_TRACE(fmt::format(
          "{} samples, {}, by {}", samples.size(), format_spec(*spec), hwy::TargetName(target)));

      const Mel mel = fast.log_mel(samples);

      ASSERT_EQ(mel.num_frames, num_frames(*spec, samples.size()));
      ASSERT_LE(largest_difference_in_band(mel, *spec, samples), kLinearTolerance);
    }
    ++tried;
  }
}

TEST(FastMel, SupportsTheLargestFftSize) {
  MelSpec spec;
  spec.n_fft = 65536;
  spec.win_length = 50000;
  spec.hop_length = 30000;
  const std::vector<float> samples = noise(70000, 5);

  const Difference off =
      difference(FastMel(spec).log_mel(samples), ReferenceMel(spec).log_mel(samples));

  EXPECT_LE(off.linear, kLinearTolerance);
}

TEST(FastMel, SupportsAHopLongerThanMemory) {
  MelSpec spec;
  spec.hop_length = 2147483647;
  const std::vector<float> samples = noise(3000, 5);

  const Difference off =
      difference(FastMel(spec).log_mel(samples), ReferenceMel(spec).log_mel(samples));

  EXPECT_LE(off.linear, kLinearTolerance);
}

TEST(FastMel, TheBitsOfAFrameDoNotDependOnItsPosition) {
  const std::vector<float> samples = golden_clip("phrase.wav");
  const FastMel fast({});
  const std::int64_t reach = 2;  // frames at each end that use mirrored samples
  for (const std::int64_t target : targets_here()) {
    const OnlyTarget only(target);
    SCOPED_TRACE(hwy::TargetName(target));
    const Mel whole = fast.log_mel(samples);
    for (std::int64_t skipped = 1; skipped <= 17; ++skipped) {
      const auto shifted = std::span(samples).subspan(static_cast<std::size_t>(skipped) * 256);

      const Mel part =
          fast.log_mel(shifted.first(shifted.size() - 300U * static_cast<std::size_t>(skipped)));

      for (std::int64_t m = reach; m < part.num_frames - reach - 1; ++m) {
        ASSERT_TRUE(std::ranges::equal(part.frame(m), whole.frame(m + skipped)))
            << "frame " << m << " of a clip that starts " << skipped << " frames later";
      }
    }
  }
}

TEST(FastMel, InstructionSetsWithEqualRoundingAgreeToTheBit) {
  const std::vector<float> samples = golden_clip("phrase.wav");
  const FastMel fast({});
  const auto fuses = [](std::int64_t target) {
    return (target & (HWY_SSSE3 | HWY_SSE4 | HWY_SCALAR | HWY_EMU128)) == 0;
  };
  std::optional<std::vector<float>> expected[2];
  for (const std::int64_t target : targets_here()) {
    const OnlyTarget only(target);

    Mel mel = fast.log_mel(samples);

    std::optional<std::vector<float>>& wanted = expected[fuses(target) ? 1 : 0];
    if (!wanted)
      wanted = std::move(mel.values);
    else
      EXPECT_EQ(mel.values, *wanted) << hwy::TargetName(target);
  }
}

TEST(FastMel, SilenceGivesTheFloorOfTheReference) {
  MelSpec spec;
  spec.mel_floor = 1e-300;  // below the range of float32
  for (const MelSpec& each : {MelSpec{}, spec}) {
    const FastMel fast(each);
    const ReferenceMel reference(each);
    for (const std::size_t length : {0U, 1U, 2205U}) {
      const std::vector<float> silence(length, 0.0F);
      EXPECT_EQ(fast.log_mel(silence).values, reference.log_mel(silence).values);
    }
  }
}

TEST(FastMel, NanAffectsOnlyItsFrames) {
  std::vector<float> samples = noise(8192, 9);
  const Mel clean = FastMel({}).log_mel(samples);
  samples[4096] = std::nanf("");

  const Mel mel = FastMel({}).log_mel(samples);

  for (const std::int64_t m : {13, 19})
    EXPECT_TRUE(std::ranges::equal(mel.frame(m), clean.frame(m)));
  for (const float value : mel.frame(16))
    EXPECT_FLOAT_EQ(value, std::log(1e-5F));
}

TEST(FastMel, AReusedScratchAllocatesNothing) {
  const FastMel fast({});
  const std::vector<float> samples = noise(30000, 2);
  std::vector<float> out(static_cast<std::size_t>(num_frames({}, samples.size())) * 80);
  FastMel::Scratch scratch;
  fast.log_mel(samples, scratch, out);
  const float* memory = scratch.floats(1).data();

  const std::span<const float> shorter = std::span(samples).first(700);
  fast.log_mel(shorter, scratch, std::span(out).first(std::size_t{3} * 80));
  fast.log_mel(samples, scratch, out);

  EXPECT_EQ(scratch.floats(1).data(), memory);
  EXPECT_EQ(out, fast.log_mel(samples).values);
}

TEST(FastMel, RejectsAnInvalidSpec) {
  MelSpec spec;
  spec.mel_fmax = 12000.0;

  EXPECT_THROW(FastMel{spec}, UsageError);
}

TEST(FastMel, RejectsAnOutputOfWrongSize) {
  FastMel::Scratch scratch;
  std::vector<float> out(80);

  EXPECT_THROW(FastMel({}).log_mel(noise(256, 1), scratch, out), BugError);
}

TEST(FastMel, ComputesOneFramePerVectorLane) {
  for (const std::int64_t target : targets_here()) {
    const OnlyTarget only(target);
    const std::size_t expected = target == HWY_AVX3     ? 16
                                 : target == HWY_AVX2   ? 8
                                 : target == HWY_SCALAR ? 1
                                                        : 4;
    EXPECT_EQ(frames_at_once(), expected) << hwy::TargetName(target);
  }
}

}  // namespace
}  // namespace myxtts::audio
