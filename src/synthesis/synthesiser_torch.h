// Text-to-speech synthesis with a loaded or training model.
// T symbols, M frames, C mel channels, V width of a speaker embedding.
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
#include "synthesis/join_audio.h"
#include "synthesis/synthesis_settings.h"
#include "synthesis/trained_vocoder_torch.h"
#include "synthesis/word_timings.h"
#include "text/front_end.h"
#include "text/symbol_table.h"

namespace myxtts::synthesis {

// A sentence or part of a sentence that could not be synthesised.
struct SkippedText {
  std::string text;
  std::string fault;
};

// The mel frames of one piece of text.
struct PieceMel {
  audio::Mel mel;                       // [M, C], natural logarithm
  std::vector<std::int64_t> durations;  // frames of each symbol; their sum is M
};

// The result of synthesising one text.
struct Speech {
  std::vector<float> samples;             // at the sample rate of the mel spec; empty with a fault
  std::vector<WordTiming> words;          // in order, in seconds from the first sample
  std::vector<std::string> dropped;       // characters without a symbol, each once
  std::vector<SkippedText> skipped;       // in text order; empty with a fault
  std::size_t num_at_duration_limit = 0;  // pieces whose predicted duration was cut at the limit
  std::string fault;                      // why nothing could be synthesised; empty on success
};

// Synthesises speech with a model from a checkpoint or one in training: text to symbols, to mel
// frames, to samples, one sentence at a time. Without a vocoder it uses Griffin-Lim.
//
// Borrows model, front end, mel spec and vocoder; they must outlive it. Calls tensor operations on
// the calling thread only. Deterministic for a given model, text, speaker embedding, settings and
// number of threads; `num_workers` does not change the samples.
class Synthesiser {
 public:
  // `symbols` is the symbol table of the model if it may differ from that of the front end. Throws
  // UserError if the vocoder has another mel spec.
  Synthesiser(const model::AcousticModel& model,
              text::FrontEnd& front_end,
              const audio::MelSpec& mel_spec,
              std::optional<text::SymbolTable> symbols = std::nullopt,
              const TrainedVocoder* vocoder = nullptr);

  // Synthesises a text; `embedding` is [V]. A text that cannot be synthesised gives a fault, not an
  // exception; a sentence that cannot be is skipped. Throws UserError if the model output is not
  // finite, base::Interrupted soon after a signal.
  Speech synthesise(const std::string& text,
                    const torch::Tensor& embedding,
                    const SynthesisSettings& settings) const;

  // Synthesises a text as a stream: `on_samples` receives consecutive blocks of samples as soon as
  // they are computed, the first after a few frames of the first sentence. The result has no
  // samples. Loudness is not normalised, and samples beyond kMaxPeak are clipped, where
  // synthesise() reduces the gain instead. Otherwise the joined blocks equal the samples of
  // synthesise() without a loudness target, up to rounding. Without a vocoder a block is a whole
  // sentence.
  Speech stream(const std::string& text,
                const torch::Tensor& embedding,
                const SynthesisSettings& settings,
                const std::function<void(std::span<const float>)>& on_samples) const;

  // Returns the mel frames of symbol ids [T] after the postfilter. Values are limited to what
  // full-scale audio can have. Throws UserError if they are not finite.
  PieceMel mel_of(std::span<const std::int64_t> ids,
                  const torch::Tensor& embedding,
                  const SynthesisSettings& settings) const;

 private:
  std::vector<std::int64_t> ids_of(const text::TextStages& stages, Speech& speech) const;
  void add_piece(const audio::Mel& mel,
                 const SynthesisSettings& settings,
                 AudioJoiner& joiner) const;
  std::vector<std::vector<float>> waveforms_of(std::span<const audio::Mel> mels,
                                               const SynthesisSettings& settings) const;
  std::optional<PieceMel> mel_of_piece(const text::TextStages& stages,
                                       const torch::Tensor& embedding,
                                       const SynthesisSettings& settings,
                                       std::size_t index,
                                       Speech& speech) const;
  void add_words(const text::TextStages& stages,
                 const PieceMel& piece,
                 double start_s,
                 Speech& speech) const;

  const model::AcousticModel& model_;
  text::FrontEnd& front_end_;
  const audio::MelSpec& mel_spec_;
  float highest_mel_;
  std::optional<text::SymbolTable> symbols_;  // only if different from the front end's
  const TrainedVocoder* vocoder_;
};

}  // namespace myxtts::synthesis
