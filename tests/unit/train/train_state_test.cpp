#include "train/train_state.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/random.h"

namespace myxtts::train {
namespace {

// Sets every field to a value that differs from its default.
TrainState some_state() {
  TrainState state;
  state.step = 12;
  state.position = {.epoch = 3, .batch = 4};
  state.schedule_steps = 500;
  state.trained_s = 0.1;
  state.skipped_steps = 6;
  state.bad_in_a_row = 2;
  state.retraces = 8;
  state.plateau = {
      .best = 1.0 / 3.0, .has_best = true, .since_best = 1, .since_halving = 7, .scale = 0.25};
  state.best_step = 9;
  state.validated_step = 10;
  state.sampled_step = 11;
  state.validation_loss = 0.7;
  state.evaluated_step = 8;
  state.judged =
      JudgedStep{.step = 8, .judgement = {.numbers = {{"words", 8}, {"word_error_rate", 0.1}}}};
  state.judged_best =
      JudgedStep{.step = 5, .judgement = {.numbers = {{"word_error_rate", 1.0 / 3.0}}}};
  state.corpus_hash = "abc";
  state.mel_extractor = "by hand";
  state.stopped = true;
  return state;
}

TEST(TrainState, RoundTripKeepsEveryField) {
  const std::string text = to_json_text(some_state());

  const TrainState read = parse_train_state(text, "x");

  EXPECT_EQ(to_json_text(read), text);
  EXPECT_EQ(read.step, 12);
  EXPECT_EQ(read.position, (data::LoaderPosition{.epoch = 3, .batch = 4}));
  EXPECT_EQ(read.schedule_steps, 500);
  EXPECT_EQ(read.trained_s, 0.1);
  EXPECT_EQ(read.skipped_steps, 6);
  EXPECT_EQ(read.bad_in_a_row, 2);
  EXPECT_EQ(read.retraces, 8);
  EXPECT_TRUE(read.plateau.has_best);
  EXPECT_EQ(read.plateau.best, 1.0 / 3.0);
  EXPECT_EQ(read.plateau.since_best, 1);
  EXPECT_EQ(read.plateau.since_halving, 7);
  EXPECT_EQ(read.plateau.scale, 0.25);
  EXPECT_EQ(read.best_step, 9);
  EXPECT_EQ(read.validated_step, 10);
  EXPECT_EQ(read.sampled_step, 11);
  EXPECT_EQ(read.validation_loss, 0.7);
  EXPECT_EQ(read.evaluated_step, 8);
  EXPECT_EQ(read.judged.value().step, 8);
  EXPECT_EQ(read.judged->judgement.numbers, some_state().judged->judgement.numbers);  // in order
  EXPECT_EQ(read.judged_best.value().step, 5);
  EXPECT_EQ(read.judged_best->judgement.number("word_error_rate"), 1.0 / 3.0);
  EXPECT_EQ(read.corpus_hash, "abc");
  EXPECT_EQ(read.mel_extractor, "by hand");
  EXPECT_TRUE(read.stopped);
}

TEST(TrainState, RoundTripKeepsNumbersBitExact) {
  base::Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const auto value = std::bit_cast<double>(random.next());
    if (!std::isfinite(value)) continue;
    TrainState state = some_state();
    state.plateau.best = value;

    const TrainState read = parse_train_state(to_json_text(state), "x");

    ASSERT_EQ(std::bit_cast<std::uint64_t>(read.plateau.best), std::bit_cast<std::uint64_t>(value));
  }
}

TEST(TrainState, HasNoLossBeforeTheFirstValidation) {
  const TrainState read = parse_train_state(to_json_text(TrainState{}), "x");

  EXPECT_FALSE(read.validation_loss.has_value());
  EXPECT_FALSE(read.plateau.has_best);
}

TEST(TrainState, ErrorNamesAMissingKey) {
  const auto whole = nlohmann::json::parse(to_json_text(some_state()));
  for (const auto& entry : whole.items()) {
    if (entry.key() == "mel_extractor" || entry.key() == "evaluated_step")
      continue;  // optional: older checkpoints
    auto without = whole;
    without.erase(entry.key());
    try {
      parse_train_state(without.dump(), "runs/a/config.json");
      ADD_FAILURE() << "no error without " << entry.key();
    } catch (const UserError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(entry.key()), std::string::npos) << message;
      EXPECT_NE(message.find("runs/a/config.json"), std::string::npos) << message;
    }
  }
}

TEST(TrainState, OlderCheckpointHasNoMelExtractor) {
  auto older = nlohmann::json::parse(to_json_text(some_state()));
  older.erase("mel_extractor");

  EXPECT_EQ(parse_train_state(older.dump(), "x").mel_extractor, "");
}

TEST(TrainState, RejectsInvalidStates) {
  for (const char* text : {"", "{", "[]", "null", R"({"step":"twelve"})"})
    EXPECT_THROW(parse_train_state(text, "x"), UserError) << text;
}

}  // namespace
}  // namespace myxtts::train
