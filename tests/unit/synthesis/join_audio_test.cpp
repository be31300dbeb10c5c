#include "synthesis/join_audio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace myxtts::synthesis {
namespace {

constexpr int kRate = 22050;

std::vector<float> constant(std::size_t count, float value) {
  return std::vector<float>(count, value);
}

std::size_t samples_in(double seconds) {
  return static_cast<std::size_t>(std::llround(seconds * kRate));
}

TEST(JoinAudio, KeepsPiecesInOrderWithTheirPauses) {
  const std::vector<AudioSegment> pieces = {{constant(4000, 0.5F), 0.2},
                                            {constant(3000, 0.25F), 9.0}};

  const std::vector<float> joined = join_audio(pieces, kRate);

  const std::size_t first = samples_in(kLeadSeconds);
  const std::size_t second = first + 4000 + samples_in(0.2);
  ASSERT_EQ(joined.size(), second + 3000 + samples_in(kTailSeconds));
  EXPECT_EQ(joined[first + 2000], 0.5F);
  EXPECT_EQ(joined[second + 1500], 0.25F);
  EXPECT_TRUE(std::all_of(joined.begin() + static_cast<std::ptrdiff_t>(first + 4000),
                          joined.begin() + static_cast<std::ptrdiff_t>(second),
                          [](float sample) { return sample == 0.0F; }));
}

// A step of half the full scale would click; a fade has many small steps.
TEST(JoinAudio, HasNoStepAtTheEdgesOfPieces) {
  const std::vector<AudioSegment> pieces = {{constant(4000, 0.5F), 0.0},
                                            {constant(3000, -0.5F), 0.0}};

  const std::vector<float> joined = join_audio(pieces, kRate);

  float largest = 0.0F;
  for (std::size_t i = 1; i < joined.size(); ++i)
    largest = std::max(largest, std::abs(joined[i] - joined[i - 1]));
  EXPECT_LT(largest, 0.02F);
}

// Compares sample differences at the edges of pieces with those inside: noise has the largest
// differences in speech, and a hum that is cut at its peak has the largest edge.
TEST(JoinAudio, JoinsAreSmootherThanTheAudioInside) {
  base::Random random(5);
  std::vector<AudioSegment> pieces;
  for (int i = 0; i < 12; ++i) {
    AudioSegment piece{{}, i % 3 == 0 ? 0.0 : 0.03 * i};
    const double hum = 0.7 * random.unit();
    const double noise = 0.3 * random.unit() + 0.01;
    for (int k = 0; k < 3000 + 500 * i; ++k) {
      piece.samples.push_back(
          static_cast<float>(hum * std::cos(0.03 * k) + noise * (2.0 * random.unit() - 1.0)));
    }
    pieces.push_back(std::move(piece));
  }

  const std::vector<float> joined = join_audio(pieces, kRate);

  const auto largest_step = [&](std::size_t begin, std::size_t end) {
    float largest = 0.0F;
    for (std::size_t i = begin + 1; i < end; ++i)
      largest = std::max(largest, std::abs(joined[i] - joined[i - 1]));
    return largest;
  };
  std::size_t begin = samples_in(kLeadSeconds);
  for (const AudioSegment& piece : pieces) {
    const std::size_t end = begin + piece.samples.size();
    const float inside = largest_step(begin + samples_in(0.003), end - samples_in(0.010));
    EXPECT_LE(largest_step(begin - 1, begin + samples_in(0.003)), inside);
    EXPECT_LE(largest_step(end - samples_in(0.010), std::min(end + 1, joined.size())), inside);
    EXPECT_LT(largest_step(begin - 1, begin + 2), 0.01F * inside);  // the edge itself
    EXPECT_LT(largest_step(end - 1, std::min(end + 1, joined.size())), 0.01F * inside);
    begin = end + samples_in(piece.pause_s);
  }
}

TEST(JoinAudio, AcceptsPiecesOfAnyLength) {
  EXPECT_TRUE(join_audio({}, kRate).empty());
  for (const std::size_t count : {0U, 1U, 2U, 3U, 50U}) {
    const std::vector<AudioSegment> pieces = {{constant(count, 0.5F), 0.0}};
    EXPECT_EQ(join_audio(pieces, kRate).size(),
              samples_in(kLeadSeconds) + count + samples_in(kTailSeconds));
  }
}

TEST(AudioJoiner, BlocksGiveTheSameSamplesAsWholePieces) {
  base::Random random(3);
  std::vector<AudioSegment> pieces = {
      {constant(4000, 0.5F), 0.2}, {{}, 0.1}, {constant(50, 0.5F), 0.0}};
  for (AudioSegment& piece : pieces)
    for (float& sample : piece.samples)
      sample = static_cast<float>(random.unit());
  std::vector<float> joined;
  AudioJoiner joiner(kRate, [&](std::span<const float> block) {
    joined.insert(joined.end(), block.begin(), block.end());
  });

  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::vector<float>& samples = pieces[i].samples;
    joiner.begin_piece(samples.size(), i > 0 ? pieces[i - 1].pause_s : 7.0);
    for (std::size_t begin = 0; begin < samples.size(); begin += 31) {
      const std::size_t count = std::min<std::size_t>(31, samples.size() - begin);
      joiner.add(std::span(samples).subspan(begin, count));
    }
  }
  joiner.end();

  EXPECT_EQ(joined, join_audio(pieces, kRate));
}

TEST(AudioJoiner, RejectsAPieceOfAnotherLengthThanAnnounced) {
  AudioJoiner joiner(kRate, [](std::span<const float>) {});
  joiner.begin_piece(10, 0.0);
  joiner.add(constant(8, 0.5F));

  EXPECT_THROW(joiner.add(constant(3, 0.5F)), BugError);
  EXPECT_THROW(joiner.end(), BugError);
}

}  // namespace
}  // namespace myxtts::synthesis
