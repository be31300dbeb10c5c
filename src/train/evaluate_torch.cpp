#include "train/evaluate_torch.h"

#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "synthesis/synthesiser_torch.h"

namespace myxtts::train {
namespace {

// A judge may score every WAV file in the folder, so old files are removed.
void remove_wavs(const std::filesystem::path& folder) {
  for (const std::string& name : base::sibling_names(folder / "x")) {
    if (!name.ends_with(".wav")) continue;
    std::error_code error;
    std::filesystem::remove(folder / name, error);
    require(!error, "cannot remove {}: {}", (folder / name).string(), error.message());
  }
}

std::vector<std::string> sentence_texts(const std::vector<synthesis::ListedSentence>& sentences) {
  std::vector<std::string> texts;
  for (const synthesis::ListedSentence& one : sentences)
    texts.push_back(one.text);
  return texts;
}

// Returns the number of sentences that could not be synthesised.
std::size_t synthesise_into(const std::filesystem::path& folder,
                            const EvaluatedVoice& voice,
                            const std::vector<synthesis::ListedSentence>& sentences,
                            const std::function<void(std::size_t)>& on_progress) {
  const torch::NoGradGuard no_grad;
  const step::EmaWeights ema(voice.model.parameters(), voice.optimizer);
  const synthesis::Synthesiser synthesiser(voice.model, voice.front_end, voice.mel_spec);
  std::size_t num_unspoken = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    base::check_interrupt();
    const synthesis::Speech speech =
        synthesiser.synthesise(sentences[i].text, voice.embedding, voice.settings);
    on_progress(i + 1);
    if (!speech.fault.empty()) {
      ++num_unspoken;
      continue;
    }
    base::write_file_atomically(folder / synthesis::judge_wav_name(i),
                                audio::wav_bytes(speech.samples, voice.mel_spec.sample_rate));
  }
  return num_unspoken;
}

}  // namespace

EvaluationResult evaluate(const EvaluatedVoice& voice,
                          const std::vector<synthesis::ListedSentence>& sentences,
                          const std::string& judge,
                          const std::filesystem::path& folder,
                          const std::function<void(std::size_t)>& on_progress) {
  remove_wavs(folder);
  const std::filesystem::path text = folder / "sentences.txt";
  base::write_file_atomically(text, synthesis::judge_text(sentence_texts(sentences)));
  EvaluationResult result;
  result.num_unspoken = synthesise_into(folder, voice, sentences, on_progress);
  result.judgement = synthesis::run_judge({.command = judge, .text = text, .wavs = folder});
  return result;
}

}  // namespace myxtts::train
