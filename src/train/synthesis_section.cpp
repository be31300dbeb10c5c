#include "train/synthesis_section.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/html_page.h"

namespace myxtts::train {
namespace {

using base::escape_html;

std::string score_row(std::string_view label, const WordErrors& errors) {
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{:.1f} %</td></tr>\n",
      label,
      errors.num_errors,
      errors.num_words,
      100.0 * errors.rate());
}

std::string scores_table(const WordScores& scores) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Word error rate\"><table>"
      "<caption>Word error rate (WER) by an open-vocabulary speech recogniser</caption>"
      "<thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"n\">errors</th><th "
      "scope=\"col\" class=\"n\">words</th><th scope=\"col\" class=\"n\">WER</th></tr>"
      "</thead><tbody>\n";
  html += score_row("recordings", scores.recorded);
  html += score_row("trained voice", scores.spoken);
  return html + "</tbody></table></div>\n" +
         "<p class=\"note\">The rate of so few sentences is approximate; each sentence shows its "
         "transcript.</p>\n";
}

std::string column(std::string_view label,
                   const std::string& id,
                   const SentenceAudio& audio,
                   const std::optional<SentenceAudio>& without_vocoder = {}) {
  std::string html = "<div>\n";
  html += base::picture(
      fmt::format(
          "Mel spectrogram of {}, {}: time from left to right, frequency upwards", id, label),
      audio.mel_png,
      "");
  html += base::audio_player(label, id, audio.wav);
  if (audio.transcript) {
    const synthesis::Transcript& transcript = *audio.transcript;
    html += fmt::format(
        "<p class=\"note\"><strong class=\"{}\">errors: {} of {} words</strong>, transcript: "
        "{}</p>\n",
        transcript.num_errors == 0 ? "good" : "warn",
        transcript.num_errors,
        transcript.num_words,
        transcript.text.empty() ? "empty" : fmt::format("<q>{}</q>", escape_html(transcript.text)));
  }
  if (without_vocoder) html += base::audio_player("Griffin-Lim", id, without_vocoder->wav);
  return html + "</div>\n";
}

std::string article(const SynthesisedSentence& sentence) {
  return fmt::format(
      "<article aria-label=\"Utterance {}\">\n<p class=\"said\" dir=\"auto\">{}</p>\n<div "
      "class=\"grid\">\n{}{}</div>\n</article>\n",
      escape_html(sentence.id),
      escape_html(sentence.text),
      column("Recorded", sentence.id, sentence.recorded),
      column("Synthesised", sentence.id, sentence.spoken, sentence.by_griffin_lim));
}

void add(WordErrors& sum, const synthesis::Transcript& transcript) {
  sum.num_words += transcript.num_words;
  sum.num_errors += transcript.num_errors;
}

}  // namespace

double WordErrors::rate() const {
  return num_words > 0 ? static_cast<double>(num_errors) / static_cast<double>(num_words) : 0.0;
}

std::optional<WordScores> word_scores(std::span<const SynthesisedSentence> sentences) {
  if (sentences.empty()) return std::nullopt;
  WordScores scores;
  for (const SynthesisedSentence& sentence : sentences) {
    if (!sentence.recorded.transcript || !sentence.spoken.transcript) return std::nullopt;
    add(scores.recorded, *sentence.recorded.transcript);
    add(scores.spoken, *sentence.spoken.transcript);
  }
  return scores;
}

std::string synthesis_section(std::span<const SynthesisedSentence> sentences,
                              const std::string& how_to_judge) {
  if (sentences.empty()) return {};
  std::string html =
      "<section aria-labelledby=\"spoken\">\n<h2 id=\"spoken\">Held-out sentences</h2>\n"
      "<p>Left: the held-out recording. Right: the trained voice.</p>\n";
  const bool has_vocoder = std::ranges::any_of(sentences, [](const SynthesisedSentence& sentence) {
    return sentence.by_griffin_lim.has_value();
  });
  html += has_vocoder
              ? "<p>The vocoder converts mels to audio. The last player has the same mels by "
                "Griffin-Lim, which needs no training and sounds metallic.</p>\n"
              : "<p>Griffin-Lim converts mels to audio, which makes every voice sound "
                "metallic.</p>\n";
  const std::optional<WordScores> scores = word_scores(sentences);
  html += scores ? scores_table(*scores)
                 : fmt::format("<p class=\"note\">{}</p>\n", escape_html(how_to_judge));
  for (const SynthesisedSentence& sentence : sentences)
    html += article(sentence);
  return html + "</section>\n";
}

}  // namespace myxtts::train
