#include "speak/synthesiser_torch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "audio/griffin_lim.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sha256.h"
#include "small_voice_torch.h"
#include "speak/joined_sound.h"

namespace xtts::speak {
namespace {

// A model in memory, as the trainer has it.
class SynthesiserTest : public testing::Test {
 protected:
  Speech say(const std::string& text, const SpeechSettings& settings = {}) {
    return synthesiser_.say(text, small_.speaker_means[0], settings);
  }

  // The samples of the piece with this index, before pieces are joined.
  std::vector<float> sound_of(const Synthesiser& synthesiser,
                              const std::vector<std::int64_t>& ids,
                              std::uint64_t index) const {
    return audio::griffin_lim(synthesiser.mel_of(ids, small_.speaker_means[0], 1.0),
                              contract_,
                              audio::kGriffinLimIterations,
                              base::mix_seed(SpeechSettings{}.seed, "piece", index));
  }

  // One of the model's parameters, to be written to.
  torch::Tensor parameter(const std::string& name) {
    model::ParameterSet& parameters = small_.model.parameters();
    const auto found = std::ranges::find(parameters.names(), name);
    return parameters.views_of(parameters.values())
        .at(static_cast<std::size_t>(found - parameters.names().begin()));
  }

  SmallVoice small_;
  text::FrontEnd front_end_{text::text_settings_of(small_.config)};
  audio::MelContract contract_ = audio::mel_contract_of(small_.config);
  Synthesiser synthesiser_{small_.model, front_end_, contract_};
};

TEST_F(SynthesiserTest, SpeaksAsLongAsTheModelSays) {
  const Speech speech = say("hello there");

  const std::vector<std::int64_t> ids = front_end_.run("hello there").ids;
  const audio::Mel mel = synthesiser_.mel_of(ids, small_.speaker_means[0], 1.0);
  const auto edge = std::lround(kLeadSeconds * contract_.sample_rate) +
                    std::lround(kTailSeconds * contract_.sample_rate);
  EXPECT_EQ(speech.fault, "");
  EXPECT_EQ(std::ssize(speech.samples), (mel.num_frames - 1) * contract_.hop_length + edge);
  EXPECT_GE(mel.num_frames, std::ssize(ids));
  EXPECT_TRUE(std::ranges::any_of(speech.samples, [](float s) { return std::abs(s) > 1e-4F; }));
}

TEST_F(SynthesiserTest, SameInputAndSeedSameSamples) {
  const std::string text = "One. Two! Three?";
  const Speech first = say(text, {.seed = 5});

  EXPECT_EQ(say(text, {.seed = 5}).samples, first.samples);
  EXPECT_EQ(say(text, {.seed = 5, .num_workers = 2}).samples, first.samples);
  EXPECT_NE(say(text, {.seed = 6}).samples, first.samples);
}

TEST_F(SynthesiserTest, AnotherVoiceSoundsDifferent) {
  const Speech anna = say("hello there");
  const Speech ben = synthesiser_.say("hello there", small_.speaker_means[1], {});

  EXPECT_NE(anna.samples, ben.samples);
}

TEST_F(SynthesiserTest, SentencesAreSpokenOneByOneWithAPauseBetween) {
  const Speech speech = say("Hello there. And again.");

  const std::vector<SoundPiece> pieces = {
      {sound_of(synthesiser_, front_end_.run("Hello there.").ids, 0), 0.3},
      {sound_of(synthesiser_, front_end_.run("And again.").ids, 1), 0.0}};
  EXPECT_EQ(speech.samples, join_sounds(pieces, contract_.sample_rate));
}

TEST_F(SynthesiserTest, AFasterVoiceIsDoneSooner) {
  // Durations of a few frames each, so that there is something to divide.
  small_.model.parameters().values().zero_();
  parameter("duration.out.bias").fill_(std::log(8.0F));
  const std::vector<std::int64_t> ids(10, 30);

  EXPECT_EQ(synthesiser_.mel_of(ids, small_.speaker_means[0], 1.0).num_frames, 80);
  EXPECT_EQ(synthesiser_.mel_of(ids, small_.speaker_means[0], 2.0).num_frames, 40);
  EXPECT_EQ(synthesiser_.mel_of(ids, small_.speaker_means[0], 0.5).num_frames, 160);
}

TEST_F(SynthesiserTest, ATextThatCannotBeSpokenIsAFault) {
  EXPECT_EQ(say("").fault, "empty; give it some words");
  EXPECT_EQ(say("...").fault, "nothing in it can be spoken; give it some words");
  EXPECT_NE(say("\xff").fault.find("not UTF-8"), std::string::npos);
  EXPECT_NE(say("Hello. \u0633\u0644\u0627\u0645.").fault.find("--language fa"), std::string::npos);
  EXPECT_NE(say(std::string(kMaxSpokenCharacters + 1, 'a')).fault.find("at most 20000"),
            std::string::npos);
}

TEST_F(SynthesiserTest, CharactersThatNothingSpeaksAreNamed) {
  const Speech speech = say("hello \u4F60 there. And \u4F60 again.");

  EXPECT_EQ(speech.dropped, std::vector<std::string>{"\u4F60"});
}

TEST_F(SynthesiserTest, ValuesThatAreNoNumbersNeverBecomeSound) {
  parameter("mean.bias").fill_(std::numeric_limits<float>::quiet_NaN());

  EXPECT_THROW(say("hello"), UserError);
}

TEST_F(SynthesiserTest, IdsAreThoseOfTheTableThatTheModelWasTrainedWith) {
  const std::string symbols = "_oleh .";
  const text::SymbolTable table = text::SymbolTable::from_text(
      fmt::format("myxtts symbol table 1\nsha256 {}\n{}\n", base::sha256_hex(symbols), symbols));
  const SmallVoice small(small_config(), table);
  const Synthesiser synthesiser(small.model, front_end_, contract_, table);

  const Speech speech = synthesiser.say("hello x.", small_.speaker_means[0], {});

  const std::vector<SoundPiece> pieces = {{sound_of(synthesiser, {4, 3, 2, 2, 1, 5, 6}, 0), 0.0}};
  EXPECT_EQ(speech.samples, join_sounds(pieces, contract_.sample_rate));
  EXPECT_EQ(speech.dropped, std::vector<std::string>{"x"});
  EXPECT_NE(synthesiser.say("xxx", small_.speaker_means[0], {}).fault, "");
}

}  // namespace
}  // namespace xtts::speak
