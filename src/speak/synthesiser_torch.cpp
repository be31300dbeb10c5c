#include "speak/synthesiser_torch.h"

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
#include "speak/finite_torch.h"
#include "speak/join_audio.h"
#include "speak/normalise_loudness.h"
#include "speak/postfilter.h"
#include "speak/sentences.h"

namespace xtts::speak {
namespace {

// Frames of the first part of a sentence, so that it is heard soon (0.23 s of sound), and of the
// second. Each part costs the frames around it, too, so parts grow while what is made is far
// ahead of what is heard.
constexpr std::int64_t kFirstPartFrames = 20;
constexpr std::int64_t kSecondPartFrames = 64;
constexpr std::int64_t kMostPartFrames = 256;

// Seconds of silence after a piece, at speed 1.
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

torch::ScalarType type_of(const SynthesisSettings& settings) {
  return settings.in_bf16 ? torch::kBFloat16 : torch::kFloat32;
}

std::string fault_of(const std::string& text) {
  if (!base::is_utf8(text)) return "not UTF-8; convert the file with 'iconv -t UTF-8'";
  const std::size_t num_characters = base::display_width(text);
  if (num_characters <= kMaxSpokenCharacters) return "";
  return fmt::format(
      "has {} characters, at most {} are spoken at once; split it into several texts",
      num_characters,
      kMaxSpokenCharacters);
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

// The fault of a text of which nothing was spoken, with the sentence where they differ.
std::string fault_of(const std::vector<SkippedText>& pieces) {
  if (pieces.empty()) return "empty; give it some words";
  const SkippedText& first = pieces.front();
  const bool same = std::ranges::all_of(
      pieces, [&](const SkippedText& piece) { return piece.fault == first.fault; });
  if (same) return first.fault;
  return fmt::format("in '{}': {}", base::printable(first.text), first.fault);
}

}  // namespace

Synthesiser::Synthesiser(const model::AcousticModel& model,
                         text::FrontEnd& front_end,
                         const audio::MelSpec& contract,
                         std::optional<text::SymbolTable> symbols,
                         const TrainedVocoder* vocoder)
    : model_(model),
      front_end_(front_end),
      contract_(contract),
      highest_mel_(audio::highest_log_mel(contract)),
      vocoder_(vocoder) {
  if (vocoder != nullptr) vocoder->require_contract(contract);
  if (symbols && symbols->hash() != front_end.symbols().hash()) symbols_ = std::move(symbols);
}

std::vector<std::int64_t> Synthesiser::ids_of(const text::TextStages& stages,
                                              Speech& speech) const {
  add_unseen(speech.dropped, stages.dropped);
  if (!symbols_) return stages.ids;

  std::string spoken;
  for (const std::string& symbol : stages.symbols) {
    if (symbol != "_") spoken += symbol;
  }
  text::Encoded encoded = symbols_->encode(spoken, front_end_.settings().add_blank);
  add_unseen(speech.dropped, encoded.unknown);
  return std::move(encoded.ids);
}

audio::Mel Synthesiser::mel_of(std::span<const std::int64_t> ids,
                               const torch::Tensor& voice,
                               const SynthesisSettings& settings) const {
  const c10::InferenceMode inference;
  const torch::Tensor text =
      torch::tensor(at::ArrayRef<std::int64_t>(ids.data(), ids.size())).to(voice.device());
  const model::InferenceSettings how{
      .speed = settings.speed, .type = type_of(settings), .seed = settings.seed};
  torch::Tensor mel = model_.speak(text, voice, how).to(torch::kFloat32).cpu();
  require(all_finite(mel),
          "the model answered with values that are no numbers; its training went wrong: speak with "
          "an earlier save");
  mel = mel.clamp_max(highest_mel_).contiguous();  // its exponential must be a number, too
  audio::Mel plain{
      .num_frames = mel.size(0), .n_mels = static_cast<int>(mel.size(1)), .values = {}};
  plain.values.resize(static_cast<std::size_t>(mel.numel()));
  std::memcpy(plain.values.data(), mel.const_data_ptr(), plain.values.size() * sizeof(float));
  postfilter(plain,
             settings.sharpness.value_or(default_postfilter(model_.config())),
             static_cast<float>(std::log(contract_.mel_floor)),
             highest_mel_);
  return plain;
}

// Absent: the piece is left out, and `speech` says why.
std::optional<audio::Mel> Synthesiser::mel_of_piece(const text::TextStages& stages,
                                                    const torch::Tensor& voice,
                                                    const SynthesisSettings& settings,
                                                    std::size_t index,
                                                    Speech& speech) const {
  const std::vector<std::int64_t> ids = ids_of(stages, speech);
  std::string fault = stages.fault;
  if (fault.empty() && ids.empty()) {
    fault = "this model knows none of its sounds; give it other words";
  }
  if (!fault.empty()) {
    speech.left_out.push_back({.text = stages.raw, .fault = std::move(fault)});
    return std::nullopt;
  }
  SynthesisSettings own = settings;
  own.seed = base::mix_seed(settings.seed, "frames", index);
  audio::Mel mel = mel_of(ids, voice, own);
  const double limit = std::floor(model::most_frames(std::ssize(ids), settings.speed));
  if (static_cast<double>(mel.num_frames) >= limit) ++speech.num_dragged;
  return mel;
}

std::vector<std::vector<float>> Synthesiser::sounds_of(std::span<const audio::Mel> mels,
                                                       const SynthesisSettings& settings) const {
  std::vector<std::vector<float>> sounds(mels.size());
  if (vocoder_ != nullptr) {
    for (std::size_t i = 0; i < mels.size(); ++i) {
      base::check_interrupt();
      sounds[i] = vocoder_->sound_of(mels[i], type_of(settings));
    }
    return sounds;
  }
  base::parallel_for(mels.size(), settings.num_workers, [&](std::size_t i) {
    sounds[i] = audio::griffin_lim(mels[i],
                                   contract_,
                                   audio::kGriffinLimIterations,
                                   base::mix_seed(settings.seed, "piece", i));
  });
  return sounds;
}

Speech Synthesiser::say(const std::string& text,
                        const torch::Tensor& voice,
                        const SynthesisSettings& settings) const {
  invariant(settings.speed >= kSlowest && settings.speed <= kFastest, "the speed is in its range");
  Speech speech;
  speech.fault = fault_of(text);
  if (!speech.fault.empty()) return speech;
  const std::vector<Piece> pieces = split_sentences(text, settings.max_piece_characters);
  const std::vector<text::TextStages> stages =
      front_end_.run_all(texts_of(pieces), /*num_workers=*/0);

  std::vector<audio::Mel> mels;
  std::vector<AudioSegment> sounds;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    base::check_interrupt();
    std::optional<audio::Mel> mel = mel_of_piece(stages[i], voice, settings, i, speech);
    if (!mel) continue;
    mels.push_back(std::move(*mel));
    sounds.push_back({.samples = {}, .pause_s = pause_after(pieces[i].end) / settings.speed});
  }
  if (mels.empty()) {
    speech.fault = fault_of(std::exchange(speech.left_out, {}));
    return speech;
  }

  std::vector<std::vector<float>> samples = sounds_of(mels, settings);
  for (std::size_t i = 0; i < sounds.size(); ++i)
    sounds[i].samples = std::move(samples[i]);
  speech.samples = join_audio(sounds, contract_.sample_rate);
  normalise_loudness(speech.samples, contract_.sample_rate, settings.loudness_lufs);
  return speech;
}

// In parts where there is a vocoder.
void Synthesiser::add_piece(const audio::Mel& mel,
                            const SynthesisSettings& settings,
                            AudioJoiner& joiner) const {
  if (vocoder_ == nullptr) {
    joiner.add(audio::griffin_lim(mel, contract_, audio::kGriffinLimIterations, settings.seed));
    return;
  }
  const std::int64_t last = mel.num_frames - 1;
  std::int64_t begin = 0;
  std::int64_t frames = kFirstPartFrames;
  while (begin < last) {
    base::check_interrupt();
    const std::int64_t end = std::min(begin + frames, last);
    joiner.add(vocoder_->part_of(mel, begin, end, type_of(settings)));
    begin = end;
    frames = begin == kFirstPartFrames ? kSecondPartFrames : std::min(2 * frames, kMostPartFrames);
  }
}

Speech Synthesiser::say_in_parts(
    const std::string& text,
    const torch::Tensor& voice,
    const SynthesisSettings& settings,
    const std::function<void(std::span<const float>)>& on_sound) const {
  invariant(settings.speed >= kSlowest && settings.speed <= kFastest, "the speed is in its range");
  Speech speech;
  speech.fault = fault_of(text);
  if (!speech.fault.empty()) return speech;
  std::vector<float> held;
  AudioJoiner joiner(contract_.sample_rate, [&](std::span<const float> samples) {
    held.assign(samples.begin(), samples.end());
    for (float& sample : held)
      sample = std::clamp(sample, -kSpokenPeak, kSpokenPeak);
    on_sound(held);
  });
  const std::vector<Piece> pieces = split_sentences(text, settings.max_piece_characters);
  std::size_t num_spoken = 0;
  double pause_s = 0.0;  // after the piece before
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    base::check_interrupt();
    const std::optional<audio::Mel> mel =
        mel_of_piece(front_end_.run(pieces[i].text), voice, settings, i, speech);
    if (!mel) continue;
    const auto hop = static_cast<std::size_t>(contract_.hop_length);
    joiner.begin_piece(static_cast<std::size_t>(mel->num_frames - 1) * hop, pause_s);
    SynthesisSettings own = settings;
    own.seed = base::mix_seed(settings.seed, "piece", num_spoken++);
    add_piece(*mel, own, joiner);
    pause_s = pause_after(pieces[i].end) / settings.speed;
  }
  joiner.end();
  if (num_spoken == 0) speech.fault = fault_of(std::exchange(speech.left_out, {}));
  return speech;
}

}  // namespace xtts::speak
