#include "synthesis/synthesiser_torch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "audio/griffin_lim.h"
#include "audio/loudness.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "small_vocoder_torch.h"
#include "small_voice_torch.h"
#include "support/scale.h"
#include "support/temp_dir.h"
#include "synthesis/join_audio.h"
#include "synthesis/normalise_loudness.h"

namespace myxtts::synthesis {
namespace {

// Returns up to 30 characters from several Unicode blocks.
std::string random_text(base::Random& random) {
  constexpr std::array<std::pair<char32_t, char32_t>, 10> kBlocks = {{{0x20, 0x7E},
                                                                      {0x20, 0x7E},
                                                                      {0x20, 0x7E},
                                                                      {0xA0, 0x24F},
                                                                      {0x300, 0x36F},
                                                                      {0x600, 0x6FF},
                                                                      {0x2000, 0x206F},
                                                                      {0x4E00, 0x4FFF},
                                                                      {0x1F300, 0x1F6FF},
                                                                      {0x1, 0xD7FF}}};
  std::u32string text;
  const auto count = static_cast<std::size_t>(30.0 * random.unit());
  while (text.size() < count) {
    const auto& [low, high] =
        kBlocks[static_cast<std::size_t>(random.unit() * static_cast<double>(kBlocks.size()))];
    text.push_back(low + static_cast<char32_t>(random.unit() * (high - low + 1)));
  }
  return base::encode_utf8(text);
}

// Uses a model in memory, as the trainer does.
class SynthesiserTest : public testing::Test {
 protected:
  Speech synthesise(const std::string& text, const SynthesisSettings& settings = {}) {
    return synthesiser_.synthesise(text, small_.speaker_means[0], settings);
  }

  // Returns the samples of the piece with this index, before the pieces are joined.
  std::vector<float> waveform_of(const Synthesiser& synthesiser,
                                 const std::vector<std::int64_t>& ids,
                                 std::uint64_t index) const {
    return audio::griffin_lim(synthesiser.mel_of(ids, small_.speaker_means[0], {}).mel,
                              mel_spec_,
                              audio::kGriffinLimIterations,
                              base::mix_seed(SynthesisSettings{}.seed, "piece", index));
  }

  std::vector<float> joined(const std::vector<AudioSegment>& pieces) const {
    std::vector<float> samples = join_audio(pieces, mel_spec_.sample_rate);
    normalise_loudness(samples, mel_spec_.sample_rate, SynthesisSettings{}.loudness_lufs);
    return samples;
  }

  // Returns a writable view of a parameter of the model.
  torch::Tensor parameter(const std::string& name) {
    model::ParameterSet& parameters = small_.model.parameters();
    const auto found = std::ranges::find(parameters.names(), name);
    return parameters.views_of(parameters.values())
        .at(static_cast<std::size_t>(found - parameters.names().begin()));
  }

  SmallVoice small_;
  text::FrontEnd front_end_{text::text_settings_of(small_.config)};
  audio::MelSpec mel_spec_ = audio::mel_spec_of(small_.config);
  Synthesiser synthesiser_{small_.model, front_end_, mel_spec_};
};

TEST_F(SynthesiserTest, Bf16FramesAreCloseToFp32Frames) {
  const std::vector<std::int64_t> ids = front_end_.run("hello there").ids;
  parameter("duration.out.weight").fill_(0.0F);  // the same durations in both

  const audio::Mel fp32 = synthesiser_.mel_of(ids, small_.speaker_means[0], {}).mel;
  const audio::Mel bf16 = synthesiser_.mel_of(ids, small_.speaker_means[0], {.in_bf16 = true}).mel;

  ASSERT_EQ(bf16.num_frames, fp32.num_frames);
  EXPECT_NE(bf16.values, fp32.values);
  for (std::size_t i = 0; i < fp32.values.size(); ++i)
    ASSERT_NEAR(bf16.values[i], fp32.values[i], 0.3F) << i;
  EXPECT_EQ(synthesise("hello there", {.in_bf16 = true}).fault, "");
}

TEST_F(SynthesiserTest, AudioHasTheLengthThatTheModelPredicts) {
  const Speech speech = synthesise("hello there");

  const std::vector<std::int64_t> ids = front_end_.run("hello there").ids;
  const audio::Mel mel = synthesiser_.mel_of(ids, small_.speaker_means[0], {}).mel;
  const auto edge = std::lround(kLeadSeconds * mel_spec_.sample_rate) +
                    std::lround(kTailSeconds * mel_spec_.sample_rate);
  EXPECT_EQ(speech.fault, "");
  EXPECT_EQ(std::ssize(speech.samples), (mel.num_frames - 1) * mel_spec_.hop_length + edge);
  EXPECT_GE(mel.num_frames, std::ssize(ids));
  EXPECT_TRUE(std::ranges::any_of(speech.samples, [](float s) { return std::abs(s) > 1e-4F; }));
}

TEST_F(SynthesiserTest, SameInputAndSeedGiveTheSameSamples) {
  const std::string text = "One. Two! Three?";
  const Speech first = synthesise(text, {.seed = 5});

  EXPECT_EQ(synthesise(text, {.seed = 5}).samples, first.samples);
  EXPECT_EQ(synthesise(text, {.seed = 5, .num_workers = 2}).samples, first.samples);
  EXPECT_NE(synthesise(text, {.seed = 6}).samples, first.samples);
}

TEST_F(SynthesiserTest, AnotherSpeakerEmbeddingChangesTheSamples) {
  const Speech anna = synthesise("hello there");
  const Speech ben = synthesiser_.synthesise("hello there", small_.speaker_means[1], {});

  EXPECT_NE(anna.samples, ben.samples);
}

TEST_F(SynthesiserTest, SynthesisesSentencesOneByOneWithAPauseBetween) {
  const Speech speech = synthesise("Hello there. And again.");

  const std::vector<AudioSegment> pieces = {
      {waveform_of(synthesiser_, front_end_.run("Hello there.").ids, 0), 0.3},
      {waveform_of(synthesiser_, front_end_.run("And again.").ids, 1), 0.0}};
  EXPECT_EQ(speech.samples, joined(pieces));
}

TEST_F(SynthesiserTest, SpeedScalesTheNumberOfFrames) {
  // Durations of a few frames each, so that there is something to divide.
  small_.model.parameters().values().zero_();
  parameter("duration.out.bias").fill_(std::log(8.0F));
  const std::vector<std::int64_t> ids(10, 30);

  EXPECT_EQ(synthesiser_.mel_of(ids, small_.speaker_means[0], {}).mel.num_frames, 80);
  EXPECT_EQ(synthesiser_.mel_of(ids, small_.speaker_means[0], {.speed = 2.0}).mel.num_frames, 40);
  EXPECT_EQ(synthesiser_.mel_of(ids, small_.speaker_means[0], {.speed = 0.5}).mel.num_frames, 160);
}

TEST_F(SynthesiserTest, ATextThatCannotBeSynthesisedIsAFault) {
  EXPECT_EQ(synthesise("").fault, "the text is empty; expected words");
  EXPECT_EQ(synthesise("...").fault, "no speakable text; add some words");
  EXPECT_EQ(synthesise("\u4F60. \u597D.").fault, "no speakable text; add some words");
  EXPECT_NE(synthesise("\xff").fault.find("not UTF-8"), std::string::npos);
  EXPECT_NE(synthesise("\u0633\u0644\u0627\u0645. \u4F60.").fault.find("in '\u0633"),
            std::string::npos);
}

TEST_F(SynthesiserTest, AcceptsUpTo4096Characters) {
  static_assert(kMaxTextCharacters == 4096);
  const std::string text =
      "hello" + std::string(kMaxTextCharacters - 5, '!');  // short to synthesise

  EXPECT_EQ(synthesise(text).fault, "");
  EXPECT_NE(synthesise(text + "!").fault.find("has 4097 characters, at most 4096"),
            std::string::npos);
}

TEST_F(SynthesiserTest, SkipsAndReportsASentenceThatCannotBeSynthesised) {
  const Speech speech = synthesise("Hello there. \u0633\u0644\u0627\u0645. And again.");

  EXPECT_EQ(speech.fault, "");
  ASSERT_EQ(speech.skipped.size(), 1U);
  EXPECT_EQ(speech.skipped[0].text, "\u0633\u0644\u0627\u0645.");
  EXPECT_NE(speech.skipped[0].fault.find("Persian"), std::string::npos);
  EXPECT_EQ(speech.samples, synthesise("Hello there. And again.").samples);
}

TEST_F(SynthesiserTest, ReportsCharactersWithoutASymbol) {
  const Speech speech = synthesise("hello \u4F60 there. And \u4F60 again.");

  EXPECT_EQ(speech.dropped, std::vector<std::string>{"\u4F60"});
}

TEST_F(SynthesiserTest, NormalisesTheLoudnessOfTheWholeAudio) {
  const std::string text = "Hello there. And again, with some more words than before.";
  for (const double target : {-30.0, -23.0}) {
    const Speech speech = synthesise(text, {.loudness_lufs = target});
    EXPECT_NEAR(
        audio::measure_loudness(speech.samples, mel_spec_.sample_rate).value_or(0.0), target, 0.01);
  }
  // Without a target the level follows the mel: half the magnitude gives half the peak.
  const double before = audio::peak_of(synthesise(text, {.loudness_lufs = {}}).samples);
  small_.model.mel_normalisation().mean -= std::log(2.0F);
  EXPECT_NEAR(
      audio::peak_of(synthesise(text, {.loudness_lufs = {}}).samples), before / 2.0, 1e-3 * before);
}

TEST_F(SynthesiserTest, ExtremeModelOutputStaysWithinTheLimits) {
  for (const float wild : {3.0F, 50.0F, 1e4F, -1e4F}) {
    parameter("mean.bias").fill_(wild);
    parameter("duration.out.bias").fill_(wild);

    const Speech speech = synthesise("hey", {.speed = 0.5});

    EXPECT_TRUE(std::ranges::all_of(speech.samples, [](float s) { return std::isfinite(s); }));
    EXPECT_LE(audio::peak_of(speech.samples), kMaxPeak * 1.0001F);
    const double seconds = static_cast<double>(speech.samples.size()) / mel_spec_.sample_rate;
    EXPECT_LT(seconds, 2.0 * (3 * 0.2323 + 1.162) + 0.2);
    EXPECT_EQ(speech.num_at_duration_limit, wild > 10.0F ? 1U : 0U) << wild;
  }
}

// Random texts of letters, punctuation and other Unicode characters.
TEST_F(SynthesiserTest, AnyTextGivesAudioOrAFault) {
  small_.model.parameters().values().zero_();  // one frame per symbol
  base::Random random(11);
  for (int i = 0; i < 20 * support::test_scale(); ++i) {
    const std::string text = random_text(random);

    const Speech speech = synthesise(text, {.max_piece_characters = 40});

    EXPECT_EQ(speech.fault.empty(), !speech.samples.empty()) << text;
    EXPECT_TRUE(std::ranges::all_of(speech.samples, [](float s) { return std::isfinite(s); }));
    EXPECT_LE(audio::peak_of(speech.samples), kMaxPeak * 1.0001F) << text;
  }
}

TEST_F(SynthesiserTest, UsesTheVocoderIfThereIsOne) {
  const support::TempDir run;
  SmallVocoder().write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());
  const Synthesiser synthesiser(small_.model, front_end_, mel_spec_, std::nullopt, &vocoder);

  const Speech speech =
      synthesiser.synthesise("Hello there. And again.", small_.speaker_means[0], {});

  const auto waveform = [&](const char* text) {
    return vocoder.waveform_of(
        synthesiser.mel_of(front_end_.run(text).ids, small_.speaker_means[0], {}).mel);
  };
  const std::vector<AudioSegment> pieces = {{waveform("Hello there."), 0.3},
                                            {waveform("And again."), 0.0}};
  EXPECT_EQ(speech.samples, joined(pieces));
}

TEST_F(SynthesiserTest, StreamedBlocksJoinedEqualTheWholeAudio) {
  const support::TempDir run;
  SmallVocoder().write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());
  parameter("duration.out.bias").fill_(2.0F);  // several blocks per sentence
  const std::string text = "Hello there, all of you. \u4F60. And again.";
  for (const TrainedVocoder* one : {&vocoder, static_cast<const TrainedVocoder*>(nullptr)}) {
    const Synthesiser synthesiser(small_.model, front_end_, mel_spec_, std::nullopt, one);

    std::vector<float> joined;
    std::size_t num_blocks = 0;
    const Speech speech = synthesiser.stream(
        text, small_.speaker_means[0], {.loudness_lufs = {}}, [&](std::span<const float> block) {
          joined.insert(joined.end(), block.begin(), block.end());
          ++num_blocks;
        });

    const Speech whole =
        synthesiser.synthesise(text, small_.speaker_means[0], {.loudness_lufs = {}});
    ASSERT_LT(audio::peak_of(whole.samples), kMaxPeak);
    EXPECT_TRUE(speech.samples.empty());
    EXPECT_EQ(speech.skipped.size(), 1U);
    EXPECT_GT(num_blocks, one != nullptr ? 7U : 4U);
    ASSERT_EQ(joined.size(), whole.samples.size());
    for (std::size_t i = 0; i < joined.size(); ++i)
      ASSERT_NEAR(joined[i], whole.samples[i], 1e-5) << i;
  }
}

TEST_F(SynthesiserTest, StreamingATextThatCannotBeSynthesisedGivesAFaultWithoutSamples) {
  for (const std::string& text : {std::string("..."), std::string("\xff")}) {
    const Speech speech = synthesiser_.stream(
        text, small_.speaker_means[0], {}, [](std::span<const float>) { FAIL(); });
    EXPECT_EQ(speech.fault, synthesise(text).fault);
  }
}

TEST_F(SynthesiserTest, RejectsAVocoderWithAnotherMelSpec) {
  const support::TempDir run;
  config::Config other = small_vocoder_config();
  other.model.mel_fmax = 7600.0;
  SmallVocoder(other).write(run.path());
  const TrainedVocoder vocoder = TrainedVocoder::load(run.path());

  EXPECT_THROW(Synthesiser(small_.model, front_end_, mel_spec_, std::nullopt, &vocoder), UserError);
}

TEST_F(SynthesiserTest, RejectsModelOutputThatIsNotFinite) {
  parameter("mean.bias").fill_(std::numeric_limits<float>::quiet_NaN());

  EXPECT_THROW(synthesise("hello"), UserError);
}

TEST_F(SynthesiserTest, UsesTheSymbolTableOfTheModel) {
  const std::string symbols = "_oleh .";
  const text::SymbolTable table = text::SymbolTable::from_text(
      fmt::format("myxtts symbol table 1\nsha256 {}\n{}\n", base::sha256_hex(symbols), symbols));
  const SmallVoice small(small_config(), table);
  const Synthesiser synthesiser(small.model, front_end_, mel_spec_, table);

  const Speech speech = synthesiser.synthesise("hello x.", small_.speaker_means[0], {});

  const std::vector<AudioSegment> pieces = {
      {waveform_of(synthesiser, {4, 3, 2, 2, 1, 5, 6}, 0), 0.0}};
  EXPECT_EQ(speech.samples, joined(pieces));
  EXPECT_EQ(speech.dropped, std::vector<std::string>{"x"});
  EXPECT_NE(synthesiser.synthesise("xxx", small_.speaker_means[0], {}).fault, "");
}

}  // namespace
}  // namespace myxtts::synthesis
