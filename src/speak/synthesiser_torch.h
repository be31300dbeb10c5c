// From a text to sound. T symbols, M frames, C mel channels, V width of a voice vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "audio/mel.h"
#include "audio/mel_spec.h"
#include "model/acoustic_model_torch.h"
#include "speak/join_audio.h"
#include "speak/synthesis_settings.h"
#include "speak/trained_vocoder_torch.h"
#include "text/front_end.h"
#include "text/symbol_table.h"

namespace xtts::speak {

// A sentence, or a part of one, that could not be spoken while others of its text were.
struct SkippedText {
  std::string text;
  std::string fault;
};

// What became of one text.
struct Speech {
  std::vector<float> samples;         // at the contract's rate; none with a fault
  std::vector<std::string> dropped;   // characters that nothing speaks, each once
  std::vector<SkippedText> left_out;  // in their order; none with a fault
  std::size_t num_dragged = 0;  // pieces as long as the limit: the model would not have ended them
  std::string fault;            // why nothing of it can be spoken; empty when something was
};

// Speaks with a model, one from a save or one that is being trained: text to symbols, to mel
// frames, to samples, a sentence at a time. Without a vocoder Griffin-Lim is one.
//
// Borrows model, front end, contract and vocoder; they must outlive it. Calls tensor operations on
// the calling thread alone. Same model, text, voice, settings and number of threads, same samples;
// `num_workers` changes none.
class Synthesiser {
 public:
  // `symbols`: the table the model was trained with, where that may not be the front end's. Throws
  // UserError for a vocoder that was trained on mels of another contract.
  Synthesiser(const model::AcousticModel& model,
              text::FrontEnd& front_end,
              const audio::MelSpec& contract,
              std::optional<text::SymbolTable> symbols = std::nullopt,
              const TrainedVocoder* vocoder = nullptr);

  // voice [V]. A text that cannot be spoken is a fault, never an exception; a sentence of it that
  // cannot be is left out. Throws UserError if the model's answer is not finite, base::Interrupted
  // soon after a signal.
  Speech say(const std::string& text,
             const torch::Tensor& voice,
             const SynthesisSettings& settings) const;

  // The same sound in parts: `on_sound` is given its samples in their order, each part as soon as
  // it is made, the first after a few frames of the first sentence. Its loudness is the model's
  // own, and samples beyond kSpokenPeak are cut off there; the result has no samples. Parts joined
  // are what say() makes without a target of loudness, but for the rounding of its precision and
  // for such samples: say() makes all of the sound quieter instead (speak/normalise_loudness.h).
  // Without a vocoder a part is a whole sentence.
  Speech say_in_parts(const std::string& text,
                      const torch::Tensor& voice,
                      const SynthesisSettings& settings,
                      const std::function<void(std::span<const float>)>& on_sound) const;

  // The mel frames of symbol ids [T], sharpened: [M, C] natural logarithm, none above what a sound
  // within full scale has. Throws UserError as above.
  audio::Mel mel_of(std::span<const std::int64_t> ids,
                    const torch::Tensor& voice,
                    const SynthesisSettings& settings) const;

 private:
  std::vector<std::int64_t> ids_of(const text::TextStages& stages, Speech& speech) const;
  void add_piece(const audio::Mel& mel,
                 const SynthesisSettings& settings,
                 AudioJoiner& joiner) const;
  std::vector<std::vector<float>> sounds_of(std::span<const audio::Mel> mels,
                                            const SynthesisSettings& settings) const;
  std::optional<audio::Mel> mel_of_piece(const text::TextStages& stages,
                                         const torch::Tensor& voice,
                                         const SynthesisSettings& settings,
                                         std::size_t index,
                                         Speech& speech) const;

  const model::AcousticModel& model_;
  text::FrontEnd& front_end_;
  const audio::MelSpec& contract_;
  float highest_mel_;
  std::optional<text::SymbolTable> symbols_;  // only if not the front end's own
  const TrainedVocoder* vocoder_;
};

}  // namespace xtts::speak
