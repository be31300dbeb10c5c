#include "speak/synthesiser_torch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "audio/griffin_lim.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/utf8.h"
#include "checkpoint/json_walk.h"
#include "speak/joined_sound.h"
#include "speak/sentences.h"

namespace xtts::speak {
namespace {

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

// The fault of a piece, with the piece where the text has more than one.
std::string fault_in(const text::TextStages& stages, std::size_t num_pieces) {
  if (stages.fault.empty() || num_pieces == 1) return stages.fault;
  return fmt::format("in {}: {}", checkpoint::quoted_start(stages.raw), stages.fault);
}

}  // namespace

Synthesiser::Synthesiser(const model::AcousticModel& model,
                         text::FrontEnd& front_end,
                         const audio::MelContract& contract,
                         std::optional<text::SymbolTable> symbols)
    : model_(model), front_end_(front_end), contract_(contract) {
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
                               double speed) const {
  const torch::NoGradGuard no_grad;
  const torch::Tensor text =
      torch::tensor(at::ArrayRef<std::int64_t>(ids.data(), ids.size())).to(voice.device());
  const torch::Tensor mel = model_.speak(text, voice, speed, torch::kFloat32).cpu().contiguous();
  require(mel.isfinite().all().item<bool>(),
          "the model answered with values that are no numbers; its training went wrong: speak with "
          "an earlier save");
  audio::Mel plain{
      .num_frames = mel.size(0), .n_mels = static_cast<int>(mel.size(1)), .values = {}};
  plain.values.resize(static_cast<std::size_t>(mel.numel()));
  std::memcpy(plain.values.data(), mel.const_data_ptr(), plain.values.size() * sizeof(float));
  return plain;
}

Speech Synthesiser::say(const std::string& text,
                        const torch::Tensor& voice,
                        const SpeechSettings& settings) const {
  invariant(settings.speed >= kSlowest && settings.speed <= kFastest, "the speed is in its range");
  Speech speech;
  speech.fault = fault_of(text);
  if (!speech.fault.empty()) return speech;
  const std::vector<Piece> pieces = split_sentences(text, settings.max_piece_characters);
  if (pieces.empty()) speech.fault = "empty; give it some words";

  std::vector<audio::Mel> mels;
  for (const text::TextStages& stages : front_end_.run_all(texts_of(pieces), /*num_workers=*/0)) {
    base::check_interrupt();
    speech.fault = fault_in(stages, pieces.size());
    if (!speech.fault.empty()) return speech;
    const std::vector<std::int64_t> ids = ids_of(stages, speech);
    if (ids.empty()) speech.fault = "this model knows none of its sounds; give it other words";
    if (!speech.fault.empty()) return speech;
    mels.push_back(mel_of(ids, voice, settings.speed));
  }

  std::vector<SoundPiece> sounds(pieces.size());
  base::parallel_for(pieces.size(), settings.num_workers, [&](std::size_t i) {
    sounds[i] = {.samples = audio::griffin_lim(mels[i],
                                               contract_,
                                               audio::kGriffinLimIterations,
                                               base::mix_seed(settings.seed, "piece", i)),
                 .pause_s = pause_after(pieces[i].end) / settings.speed};
  });
  speech.samples = join_sounds(sounds, contract_.sample_rate);
  return speech;
}

}  // namespace xtts::speak
