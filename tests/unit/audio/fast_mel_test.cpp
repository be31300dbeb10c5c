// The fast mel against its plain twin, by every instruction set that this processor has.

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
#include "unit/audio/sounds.h"

namespace xtts::audio {
namespace {

constexpr double kLinearTolerance = 1e-6;  // of the largest value of the frame
constexpr double kLargestLog = 5e-3;
constexpr double kRareLog = 1e-3;  // at most one in ten thousand is beyond it
constexpr double kMeanLog = 1e-5;

// Those that the kernel is compiled for and this processor has, the best first.
std::vector<std::int64_t> targets_here() {
  std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  std::erase(targets, HWY_SSSE3);
  return targets;
}

// Highway chooses among nothing but `target` until this is gone.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
  ~OnlyTarget() { hwy::SetSupportedTargetsForTest(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;
};

struct Difference {
  double linear = 0.0;       // the largest, of the largest value of its frame
  std::vector<double> logs;  // of all values, ascending

  double mean_log() const {
    double sum = 0.0;
    for (const double log : logs)
      sum += log;
    return sum / static_cast<double>(logs.size());
  }
};

Difference difference(const Mel& ours, const Mel& plain) {
  EXPECT_EQ(ours.num_frames, plain.num_frames);
  EXPECT_EQ(ours.n_mels, plain.n_mels);
  EXPECT_EQ(ours.values.size(), plain.values.size());
  Difference difference;
  for (std::int64_t m = 0; m < plain.num_frames; ++m) {
    const auto here = ours.frame(m);
    const auto wanted = plain.frame(m);
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

// A contract that validate() accepts and whose every filter hears something; nothing if chance made
// one that does not.
std::optional<MelSpec> chance_contract(base::Random& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random.unit() * (high - low + 1));
  };
  MelSpec contract;
  contract.n_fft = 16 << between(0, 8);
  contract.win_length = random.unit() < 0.5 ? contract.n_fft : between(1, contract.n_fft);
  contract.hop_length = random.unit() < 0.3 ? contract.n_fft / 4 : between(1, 2 * contract.n_fft);
  contract.n_mels = between(1, std::min(100, contract.n_fft / 4));
  contract.mel_fmin = random.unit() < 0.5 ? 0.0 : 3000.0 * random.unit();
  contract.mel_fmax = random.unit() < 0.3 ? 11025.0 : 4000.0 + 7000.0 * random.unit();
  contract.mel_floor = std::pow(10.0, -12.0 * random.unit());
  try {
    const ReferenceMel possible(contract);
    return contract;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::string text_of(const MelSpec& c) {
  return fmt::format("n_fft {} win {} hop {} mels {} from {} to {} floor {}",
                     c.n_fft,
                     c.win_length,
                     c.hop_length,
                     c.n_mels,
                     c.mel_fmin,
                     c.mel_fmax,
                     c.mel_floor);
}

TEST(FastMel, EqualsThePlainOneOnSpeech) {
  const ReferenceMel plain({});
  const FastMel fast({});
  for (const char* name : {"phrase.wav", "word.wav", "blink.wav"}) {
    const std::vector<float> samples = golden_clip(name);
    const Mel expected = plain.log_mel(samples);
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

// Chance makes sounds that are loud where no filter is, and there is rounding everywhere. So every
// value is compared with what its filter would hear if all bins were as loud as the loudest.
double largest_difference_in_band(const Mel& ours,
                                  const MelSpec& contract,
                                  std::span<const float> samples) {
  const std::vector<double> plain = ReferenceMel(contract).linear_mel(samples);
  EXPECT_EQ(ours.values.size(), plain.size());
  const Stft stft(contract.n_fft, contract.win_length, contract.hop_length);
  const MelFilterbank filters(contract);
  std::vector<std::complex<double>> bins(static_cast<std::size_t>(stft.num_bins()));
  std::vector<double> heard(static_cast<std::size_t>(contract.n_mels));
  double largest = 0.0;
  for (std::int64_t m = 0; m < ours.num_frames; ++m) {
    stft.frame(samples, m, bins);
    double loudest = 0.0;
    for (const auto& bin : bins)
      loudest = std::max(loudest, std::abs(bin));
    filters.apply(std::vector<double>(bins.size(), loudest), heard);
    for (std::size_t c = 0; c < heard.size(); ++c) {
      const double wanted =
          std::max(contract.mel_floor, plain[static_cast<std::size_t>(m) * heard.size() + c]);
      const double off = std::abs(std::exp(static_cast<double>(ours.frame(m)[c])) - wanted);
      largest = std::max(largest, off / (wanted + heard[c]));
    }
  }
  return largest;
}

TEST(FastMel, EqualsThePlainOneForAnyContractAndLength) {
  base::Random random(61);
  int tried = 0;
  while (tried < 30 * support::test_scale()) {
    const std::optional<MelSpec> contract = chance_contract(random);
    if (!contract) continue;
    const double reach = 3.0 * contract->n_fft + 20.0 * contract->hop_length;
    const auto length = static_cast<std::size_t>(random.unit() * std::min(reach, 20000.0));
    const std::vector<float> samples =
        noise(tried % 4 == 0 ? length % 5 : length, random.next(), 0.01 + random.unit());
    const FastMel fast(*contract);
    for (const std::int64_t target : targets_here()) {
      const OnlyTarget only(target);
      SCOPED_TRACE(fmt::format(
          "{} samples, {}, by {}", samples.size(), text_of(*contract), hwy::TargetName(target)));

      const Mel mel = fast.log_mel(samples);

      ASSERT_EQ(mel.num_frames, num_frames(*contract, samples.size()));
      ASSERT_LE(largest_difference_in_band(mel, *contract, samples), kLinearTolerance);
    }
    ++tried;
  }
}

TEST(FastMel, TakesTheLargestTransform) {
  MelSpec contract;
  contract.n_fft = 65536;
  contract.win_length = 50000;
  contract.hop_length = 30000;
  const std::vector<float> samples = noise(70000, 5);

  const Difference off =
      difference(FastMel(contract).log_mel(samples), ReferenceMel(contract).log_mel(samples));

  EXPECT_LE(off.linear, kLinearTolerance);
}

TEST(FastMel, TakesAHopLongerThanAnyMemory) {
  MelSpec contract;
  contract.hop_length = 2147483647;
  const std::vector<float> samples = noise(3000, 5);

  const Difference off =
      difference(FastMel(contract).log_mel(samples), ReferenceMel(contract).log_mel(samples));

  EXPECT_LE(off.linear, kLinearTolerance);
}

TEST(FastMel, AFrameHasTheSameBitsWhereverItIs) {
  const std::vector<float> samples = golden_clip("phrase.wav");
  const FastMel fast({});
  const std::int64_t reach = 2;  // frames whose samples reach beyond an end
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
            << "frame " << m << " of a sound that begins " << skipped << " frames later";
      }
    }
  }
}

TEST(FastMel, InstructionSetsThatRoundAlikeAgreeToTheBit) {
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

TEST(FastMel, SilenceIsTheFloorOfThePlainOne) {
  MelSpec contract;
  contract.mel_floor = 1e-300;  // which float32 does not have
  for (const MelSpec& each : {MelSpec{}, contract}) {
    const FastMel fast(each);
    const ReferenceMel plain(each);
    for (const std::size_t length : {0U, 1U, 2205U}) {
      const std::vector<float> silence(length, 0.0F);
      EXPECT_EQ(fast.log_mel(silence).values, plain.log_mel(silence).values);
    }
  }
}

TEST(FastMel, WhatIsNoNumberStaysInItsFrames) {
  std::vector<float> samples = noise(8192, 9);
  const Mel clean = FastMel({}).log_mel(samples);
  samples[4096] = std::nanf("");

  const Mel mel = FastMel({}).log_mel(samples);

  for (const std::int64_t m : {13, 19})
    EXPECT_TRUE(std::ranges::equal(mel.frame(m), clean.frame(m)));
  for (const float value : mel.frame(16))
    EXPECT_FLOAT_EQ(value, std::log(1e-5F));
}

TEST(FastMel, AThreadThatKeepsItsScratchAllocatesNothing) {
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

TEST(FastMel, RefusesAContractWithoutMeaning) {
  MelSpec contract;
  contract.mel_fmax = 12000.0;

  EXPECT_THROW(FastMel{contract}, UsageError);
}

TEST(FastMel, RefusesAnOutputOfAnotherSize) {
  FastMel::Scratch scratch;
  std::vector<float> out(80);

  EXPECT_THROW(FastMel({}).log_mel(noise(256, 1), scratch, out), BugError);
}

TEST(FastMel, WorksOnAsManyFramesAsAVectorHolds) {
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
}  // namespace xtts::audio
