#include "train/evaluate_torch.h"

#include "audio/wav.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "speak/synthesiser_torch.h"

namespace xtts::train {
namespace {

// A judge may listen to whatever is there.
void remove_sounds(const std::filesystem::path& folder) {
  for (const std::string& name : base::names_beside(folder / "x")) {
    if (!name.ends_with(".wav")) continue;
    std::error_code error;
    std::filesystem::remove(folder / name, error);
    require(!error, "{} cannot be removed: {}", (folder / name).string(), error.message());
  }
}

std::vector<std::string> texts_of(const std::vector<speak::ListedSentence>& sentences) {
  std::vector<std::string> texts;
  for (const speak::ListedSentence& one : sentences)
    texts.push_back(one.text);
  return texts;
}

// How many cannot be spoken.
std::size_t speak_into(const std::filesystem::path& folder,
                       const EvaluatedVoice& voice,
                       const std::vector<speak::ListedSentence>& sentences,
                       const std::function<void(std::size_t)>& on_spoken) {
  const torch::NoGradGuard no_grad;
  const step::EmaWeights averaged(voice.model.parameters(), voice.optimizer);
  const speak::Synthesiser synthesiser(voice.model, voice.front_end, voice.contract);
  std::size_t num_unspoken = 0;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    base::check_interrupt();
    const speak::Speech speech = synthesiser.say(sentences[i].text, voice.voice, voice.settings);
    on_spoken(i + 1);
    if (!speech.fault.empty()) {
      ++num_unspoken;
      continue;
    }
    base::write_file_atomically(folder / speak::judged_name(i),
                                audio::wav_bytes(speech.samples, voice.contract.sample_rate));
  }
  return num_unspoken;
}

}  // namespace

EvaluationResult evaluate(const EvaluatedVoice& voice,
                          const std::vector<speak::ListedSentence>& sentences,
                          const std::string& judge,
                          const std::filesystem::path& folder,
                          const std::function<void(std::size_t)>& on_spoken) {
  remove_sounds(folder);
  const std::filesystem::path text = folder / "sentences.txt";
  base::write_file_atomically(text, speak::judged_lines(texts_of(sentences)));
  EvaluationResult result;
  result.num_unspoken = speak_into(folder, voice, sentences, on_spoken);
  result.answer = speak::ask_judge({.command = judge, .text = text, .wavs = folder});
  return result;
}

}  // namespace xtts::train
