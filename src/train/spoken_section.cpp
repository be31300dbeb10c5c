#include "train/spoken_section.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/html_page.h"

namespace xtts::train {
namespace {

using base::escape_html;

std::string score_row(std::string_view who, const WordErrors& errors) {
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{:.1f} %</td></tr>\n",
      who,
      errors.num_errors,
      errors.num_words,
      100.0 * errors.rate());
}

std::string scores_table(const WordScores& scores) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Word errors\"><table>"
      "<caption>Words that a speech recogniser with an open vocabulary misunderstood</caption>"
      "<thead><tr><th scope=\"col\"></th><th scope=\"col\" class=\"n\">errors</th><th "
      "scope=\"col\" class=\"n\">words</th><th scope=\"col\" class=\"n\">error rate</th></tr>"
      "</thead><tbody>\n";
  html += score_row("the recordings", scores.recorded);
  html += score_row("the trained voice", scores.spoken);
  return html + "</tbody></table></div>\n" +
         "<p class=\"note\">Few sentences make a rough figure; what was heard of each is below "
         "it.</p>\n";
}

std::string column(std::string_view label,
                   const std::string& id,
                   const Voiced& voiced,
                   const std::optional<Voiced>& without_vocoder = {}) {
  std::string html = "<div>\n";
  html += base::picture(
      fmt::format(
          "Mel spectrogram of {}, {}: time from left to right, frequency upwards", id, label),
      voiced.mel_png,
      "");
  html += base::audio_player(label, id, voiced.wav);
  if (voiced.heard) {
    const speak::Heard& heard = *voiced.heard;
    html += fmt::format(
        "<p class=\"note\"><strong class=\"{}\">{} wrong in {} words</strong>, heard: {}</p>\n",
        heard.num_errors == 0 ? "good" : "warn",
        heard.num_errors,
        heard.num_words,
        heard.words.empty() ? "nothing" : fmt::format("<q>{}</q>", escape_html(heard.words)));
  }
  if (without_vocoder)
    html += base::audio_player("The same by Griffin-Lim", id, without_vocoder->wav);
  return html + "</div>\n";
}

std::string article(const SpokenSentence& sentence) {
  return fmt::format(
      "<article aria-label=\"Utterance {}\">\n<p class=\"said\" dir=\"auto\">{}</p>\n<div "
      "class=\"grid\">\n{}{}</div>\n</article>\n",
      escape_html(sentence.id),
      escape_html(sentence.text),
      column("Recorded", sentence.id, sentence.recorded),
      column("Spoken by the trained voice", sentence.id, sentence.spoken, sentence.by_griffin_lim));
}

void add(WordErrors& sum, const speak::Heard& heard) {
  sum.num_words += heard.num_words;
  sum.num_errors += heard.num_errors;
}

}  // namespace

double WordErrors::rate() const {
  return num_words > 0 ? static_cast<double>(num_errors) / static_cast<double>(num_words) : 0.0;
}

std::optional<WordScores> word_scores(std::span<const SpokenSentence> sentences) {
  if (sentences.empty()) return std::nullopt;
  WordScores scores;
  for (const SpokenSentence& sentence : sentences) {
    if (!sentence.recorded.heard || !sentence.spoken.heard) return std::nullopt;
    add(scores.recorded, *sentence.recorded.heard);
    add(scores.spoken, *sentence.spoken.heard);
  }
  return scores;
}

std::string spoken_section(std::span<const SpokenSentence> sentences,
                           const std::string& how_to_judge) {
  if (sentences.empty()) return {};
  std::string html =
      "<section aria-labelledby=\"spoken\">\n<h2 id=\"spoken\">Sentences it has never seen</h2>\n"
      "<p>The left side is the recording that was held back, the right side the trained "
      "voice.</p>\n";
  const bool has_vocoder = std::ranges::any_of(sentences, [](const SpokenSentence& sentence) {
    return sentence.by_griffin_lim.has_value();
  });
  html += has_vocoder ? "<p>Its vocoder turns mel frames into sound; the last player has the same "
                        "frames by Griffin-Lim, which needs no training and rings of metal.</p>\n"
                      : "<p>Griffin-Lim turns its mel frames into sound, which gives every voice a "
                        "metallic ring.</p>\n";
  const std::optional<WordScores> scores = word_scores(sentences);
  html += scores ? scores_table(*scores)
                 : fmt::format("<p class=\"note\">{}</p>\n", escape_html(how_to_judge));
  for (const SpokenSentence& sentence : sentences)
    html += article(sentence);
  return html + "</section>\n";
}

}  // namespace xtts::train
