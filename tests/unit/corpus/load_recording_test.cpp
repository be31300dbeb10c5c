#include "corpus/load_recording.h"

#include <gtest/gtest.h>

#include "unit/corpus/corpus_folder.h"

namespace myxtts::corpus {
namespace {

const Utterance kUtterance{.id = "a", .audio = "a.wav", .text = "hello", .speaker = "", .line = 7};

TEST(LoadRecording, ReturnsTheClipOrTheProblemWithItsLine) {
  const support::TempDir dir;
  const RecordingLimits limits = recording_limits_of({});

  const Recording missing = load_recording(kUtterance, dir.path(), limits);
  dir.write("a.wav", hum_wav(1.0, 0.3F, 16000));
  const Recording present = load_recording(kUtterance, dir.path(), limits);

  ASSERT_TRUE(missing.problem.has_value());
  EXPECT_EQ(missing.problem->id, "a");
  EXPECT_EQ(missing.problem->reason, "missing");
  EXPECT_EQ(missing.problem->line, 7);
  EXPECT_EQ(missing.problem->detail.find("a.wav: "), 0U) << missing.problem->detail;
  EXPECT_FALSE(present.problem.has_value());
  EXPECT_EQ(present.clip.sample_rate, 16000);
  EXPECT_EQ(present.clip.samples.size(), 16000U);
}

TEST(LoadRecording, LimitsApplyBeforeTrimming) {
  const support::TempDir dir;
  dir.write("a.wav", hum_wav(1.0));

  EXPECT_FALSE(load_recording(kUtterance, dir.path(), {1.0, 1.0}).problem.has_value());
  EXPECT_EQ(load_recording(kUtterance, dir.path(), {1.1, 2.0}).problem.value().reason, "too_short");
  EXPECT_EQ(load_recording(kUtterance, dir.path(), {0.1, 0.9}).problem.value().reason, "too_long");
}

TEST(TextProblem, IsUnspeakableTextOrMoreSymbolsThanFrames) {
  text::TextStages stages;
  stages.ids = {1, 2, 3};

  EXPECT_FALSE(text_problem(kUtterance, stages, 3, 0.1).has_value());
  const Problem crowded = text_problem(kUtterance, stages, 2, 0.1).value();
  EXPECT_EQ(crowded.reason, "more_symbols_than_frames");
  EXPECT_EQ(crowded.detail, "3 symbols in 2 frames (0.10 s after trimming)");
  stages.fault = "no symbols";
  EXPECT_EQ(text_problem(kUtterance, stages, 3, 0.1).value().reason, "unspeakable_text");
}

}  // namespace
}  // namespace myxtts::corpus
