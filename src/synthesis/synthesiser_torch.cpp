#include "synthesis/synthesiser_torch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "audio/griffin_lim.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "base/random.h"
#include "base/utf8.h"
#include "model/heads_torch.h"
#include "synthesis/finite_torch.h"
#include "synthesis/join_audio.h"
#include "synthesis/normalise_loudness.h"
#include "synthesis/postfilter.h"
#include "synthesis/sentences.h"

namespace myxtts::synthesis {
namespace {

// Frames of the first and second block of a streamed sentence. The first is short (0.23 s of audio)
// for low latency. Each block also computes the context frames around it, so blocks grow while
// synthesis is ahead of playback.
constexpr std::int64_t kFirstBlockFrames = 20;
constexpr std::int64_t kSecondBlockFrames = 64;
constexpr std::int64_t kMaxBlockFrames = 256;

// Returns the pause after a piece in seconds, at speed 1.
double pause_after(PieceEnd end) {
  switch (end) {
    case PieceEnd::kWord:
      return 0.03;
    case PieceEnd::kClause:
      return 0.15;
    case PieceEnd::kSentence:
      return 0.30;
    case PieceEnd::kParagraph:
      return 0.60;
  }
  return 0.0;
}

// Seconds of audio of mel frames.
double seconds_of(const audio::Mel& mel, const audio::MelSpec& spec) {
  return static_cast<double>((mel.num_frames - 1) * spec.hop_length) / spec.sample_rate;
}

torch::ScalarType type_of(const SynthesisSettings& settings) {
  return settings.in_bf16 ? torch::kBFloat16 : torch::kFloat32;
}

std::string fault_of(const std::string& text) {
  if (!base::is_utf8(text)) return "not UTF-8; convert the file with 'iconv -t UTF-8'";
  const std::size_t num_characters = base::display_width(text);
  if (num_characters <= kMaxTextCharacters) return "";
  return fmt::format("has {} characters, at most {} are allowed; split it into several texts",
                     num_characters,
                     kMaxTextCharacters);
}

void add_unseen(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& item : more) {
    if (std::ranges::count(list, item) == 0) list.push_back(item);
  }
}

std::vector<std::string> texts_of(std::span<const Piece> pieces) {
  std::vector<std::string> texts;
  texts.reserve(pieces.size());
  for (const Piece& piece : pieces)
    texts.push_back(piece.text);
  return texts;
}

// Returns the fault of a text of which every piece was skipped. Names the first piece if the faults
// of the pieces differ.
std::string fault_of(const std::vector<SkippedText>& pieces) {
  if (pieces.empty()) return "the text is empty; expected words";
  const SkippedText& first = pieces.front();
  const bool same = std::ranges::all_of(
      pieces, [&](const SkippedText& piece) { return piece.fault == first.fault; });
  if (same) return first.fault;
  return fmt::format("in '{}': {}", base::printable(first.text), first.fault);
}

}  // namespace

Synthesiser::Synthesiser(const model::AcousticModel& model,
                         text::FrontEnd& front_end,
                         const audio::MelSpec& mel_spec,
                         std::optional<text::SymbolTable> symbols,
                         const TrainedVocoder* vocoder)
    : model_(model),
      front_end_(front_end),
      mel_spec_(mel_spec),
      highest_mel_(audio::highest_log_mel(mel_spec)),
      vocoder_(vocoder) {
  if (vocoder != nullptr) vocoder->require_mel_spec(mel_spec);
  if (symbols && symbols->hash() != front_end.symbols().hash()) symbols_ = std::move(symbols);
}

std::vector<std::int64_t> Synthesiser::ids_of(const text::TextStages& stages,
                                              Speech& speech) const {
  add_unseen(speech.dropped, stages.dropped);
  if (!symbols_) return stages.ids;

  std::string symbols;
  for (const std::string& symbol : stages.symbols) {
    if (symbol != "_") symbols += symbol;
  }
  text::Encoded encoded = symbols_->encode(symbols, front_end_.settings().add_blank);
  add_unseen(speech.dropped, encoded.unknown);
  return std::move(encoded.ids);
}

PieceMel Synthesiser::mel_of(std::span<const std::int64_t> ids,
                             const torch::Tensor& embedding,
                             const SynthesisSettings& settings) const {
  const c10::InferenceMode inference;
  const torch::Tensor text =
      torch::tensor(at::ArrayRef<std::int64_t>(ids.data(), ids.size())).to(embedding.device());
  const model::InferenceSettings inference_settings{
      .speed = settings.speed, .type = type_of(settings), .seed = settings.seed};
  const model::InferenceResult inferred = model_.infer(text, embedding, inference_settings);
  torch::Tensor mel = inferred.mel.to(torch::kFloat32).cpu();
  require(all_finite(mel),
          "the model output is not finite, so its training diverged; use an earlier checkpoint");
  mel = mel.clamp_max(highest_mel_).contiguous();  // its exponential must be finite as well
  audio::Mel result{
      .num_frames = mel.size(0), .n_mels = static_cast<int>(mel.size(1)), .values = {}};
  result.values.resize(static_cast<std::size_t>(mel.numel()));
  std::memcpy(result.values.data(), mel.const_data_ptr(), result.values.size() * sizeof(float));
  apply_postfilter(result,
                   settings.postfilter.value_or(default_postfilter(model_.config())),
                   static_cast<float>(std::log(mel_spec_.mel_floor)),
                   highest_mel_);
  const torch::Tensor durations = inferred.durations.cpu().contiguous();
  const auto* frames = durations.const_data_ptr<std::int64_t>();
  return {.mel = std::move(result), .durations = {frames, frames + durations.numel()}};
}

// Returns nothing if the piece is skipped; `speech` then holds the reason.
std::optional<PieceMel> Synthesiser::mel_of_piece(const text::TextStages& stages,
                                                  const torch::Tensor& embedding,
                                                  const SynthesisSettings& settings,
                                                  std::size_t index,
                                                  Speech& speech) const {
  const std::vector<std::int64_t> ids = ids_of(stages, speech);
  std::string fault = stages.fault;
  if (fault.empty() && ids.empty()) {
    fault = "the model has no symbol for this text; use other words";
  }
  if (!fault.empty()) {
    speech.skipped.push_back({.text = stages.raw, .fault = std::move(fault)});
    return std::nullopt;
  }
  SynthesisSettings piece_settings = settings;
  piece_settings.seed = base::mix_seed(settings.seed, "frames", index);
  PieceMel piece = mel_of(ids, embedding, piece_settings);
  const double limit = std::floor(model::max_frames(std::ssize(ids), settings.speed));
  if (static_cast<double>(piece.mel.num_frames) >= limit) ++speech.num_at_duration_limit;
  return piece;
}

// Adds the words of a piece whose first sample is at `start_s`. The model may have another symbol
// table than the front end; then its symbols are those of the front end without the unknown ones.
void Synthesiser::add_words(const text::TextStages& stages,
                            const PieceMel& piece,
                            double start_s,
                            Speech& speech) const {
  std::vector<std::string> symbols = stages.symbols;
  if (symbols_) {
    std::string text;
    for (const std::string& symbol : stages.symbols)
      if (symbol != "_") text += symbol;
    symbols = symbols_->encode(text, front_end_.settings().add_blank).symbols;
  }
  const double frame_s = static_cast<double>(mel_spec_.hop_length) / mel_spec_.sample_rate;
  for (WordTiming& word : word_timings(stages.normalised, symbols, piece.durations, frame_s)) {
    word.start_s += start_s;
    word.end_s += start_s;
    speech.words.push_back(std::move(word));
  }
}

std::vector<std::vector<float>> Synthesiser::waveforms_of(std::span<const audio::Mel> mels,
                                                          const SynthesisSettings& settings) const {
  std::vector<std::vector<float>> segments(mels.size());
  if (vocoder_ != nullptr) {
    for (std::size_t i = 0; i < mels.size(); ++i) {
      base::check_interrupt();
      segments[i] = vocoder_->waveform_of(mels[i], type_of(settings));
    }
    return segments;
  }
  base::parallel_for(mels.size(), settings.num_workers, [&](std::size_t i) {
    segments[i] = audio::griffin_lim(mels[i],
                                     mel_spec_,
                                     audio::kGriffinLimIterations,
                                     base::mix_seed(settings.seed, "piece", i));
  });
  return segments;
}

Speech Synthesiser::synthesise(const std::string& text,
                               const torch::Tensor& embedding,
                               const SynthesisSettings& settings) const {
  invariant(settings.speed >= kMinSpeed && settings.speed <= kMaxSpeed,
            "the speed is within its limits");
  Speech speech;
  speech.fault = fault_of(text);
  if (!speech.fault.empty()) return speech;
  const std::vector<Piece> pieces = split_sentences(text, settings.max_piece_characters);
  const std::vector<text::TextStages> stages =
      front_end_.run_all(texts_of(pieces), /*num_workers=*/0);

  std::vector<audio::Mel> mels;
  std::vector<AudioSegment> segments;
  double start_s = kLeadSeconds;  // of the next piece
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    base::check_interrupt();
    std::optional<PieceMel> piece = mel_of_piece(stages[i], embedding, settings, i, speech);
    if (!piece) continue;
    add_words(stages[i], *piece, start_s, speech);
    const double pause_s = pause_after(pieces[i].end) / settings.speed;
    start_s += seconds_of(piece->mel, mel_spec_) + pause_s;
    mels.push_back(std::move(piece->mel));
    segments.push_back({.samples = {}, .pause_s = pause_s});
  }
  if (mels.empty()) {
    speech.fault = fault_of(std::exchange(speech.skipped, {}));
    return speech;
  }

  std::vector<std::vector<float>> samples = waveforms_of(mels, settings);
  for (std::size_t i = 0; i < segments.size(); ++i)
    segments[i].samples = std::move(samples[i]);
  speech.samples = join_audio(segments, mel_spec_.sample_rate);
  normalise_loudness(speech.samples, mel_spec_.sample_rate, settings.loudness_lufs);
  return speech;
}

// Adds the waveform of a piece to the joiner, in blocks if there is a vocoder.
void Synthesiser::add_piece(const audio::Mel& mel,
                            const SynthesisSettings& settings,
                            AudioJoiner& joiner) const {
  if (vocoder_ == nullptr) {
    joiner.add(audio::griffin_lim(mel, mel_spec_, audio::kGriffinLimIterations, settings.seed));
    return;
  }
  const std::int64_t last = mel.num_frames - 1;
  std::int64_t begin = 0;
  std::int64_t frames = kFirstBlockFrames;
  while (begin < last) {
    base::check_interrupt();
    const std::int64_t end = std::min(begin + frames, last);
    joiner.add(vocoder_->waveform_range(mel, begin, end, type_of(settings)));
    begin = end;
    frames =
        begin == kFirstBlockFrames ? kSecondBlockFrames : std::min(2 * frames, kMaxBlockFrames);
  }
}

Speech Synthesiser::stream(const std::string& text,
                           const torch::Tensor& embedding,
                           const SynthesisSettings& settings,
                           const std::function<void(std::span<const float>)>& on_samples) const {
  invariant(settings.speed >= kMinSpeed && settings.speed <= kMaxSpeed,
            "the speed is within its limits");
  Speech speech;
  speech.fault = fault_of(text);
  if (!speech.fault.empty()) return speech;
  std::vector<float> clipped;
  AudioJoiner joiner(mel_spec_.sample_rate, [&](std::span<const float> samples) {
    clipped.assign(samples.begin(), samples.end());
    for (float& sample : clipped)
      sample = std::clamp(sample, -kMaxPeak, kMaxPeak);
    on_samples(clipped);
  });
  const std::vector<Piece> pieces = split_sentences(text, settings.max_piece_characters);
  std::size_t num_pieces = 0;
  double pause_s = 0.0;           // after the previous piece
  double start_s = kLeadSeconds;  // of the next piece
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    base::check_interrupt();
    const text::TextStages stages = front_end_.run(pieces[i].text);
    const std::optional<PieceMel> piece = mel_of_piece(stages, embedding, settings, i, speech);
    if (!piece) continue;
    if (num_pieces > 0) start_s += pause_s;
    add_words(stages, *piece, start_s, speech);
    start_s += seconds_of(piece->mel, mel_spec_);
    const auto hop = static_cast<std::size_t>(mel_spec_.hop_length);
    joiner.begin_piece(static_cast<std::size_t>(piece->mel.num_frames - 1) * hop, pause_s);
    SynthesisSettings piece_settings = settings;
    piece_settings.seed = base::mix_seed(settings.seed, "piece", num_pieces++);
    add_piece(piece->mel, piece_settings, joiner);
    pause_s = pause_after(pieces[i].end) / settings.speed;
  }
  joiner.end();
  if (num_pieces == 0) speech.fault = fault_of(std::exchange(speech.skipped, {}));
  return speech;
}

}  // namespace myxtts::synthesis
