#include "train/run_report_page.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/files.h"
#include "base/html_page.h"
#include "base/svg.h"
#include "corpus/report_sections.h"
#include "train/run_samples.h"

namespace myxtts::train {
namespace {

using base::escape_html;

constexpr std::size_t kCurvePoints = 160;
constexpr std::size_t kMaxAlignments = 6;
constexpr std::size_t kMaxAudioSamples = 4;  // per sentence
constexpr std::size_t kMaxSentences = 3;
constexpr std::size_t kMaxSampleBytes = std::size_t{8} << 20U;

// Skips unreadable files.
std::vector<StepSample> read_all(const std::vector<RunSample>& samples) {
  std::vector<StepSample> read;
  for (const RunSample& sample : samples) {
    base::ReadResult file = base::read_regular_file(sample.path, kMaxSampleBytes);
    if (file.fault == base::FileFault::kNone) read.push_back({sample.step, std::move(file.bytes)});
  }
  return read;
}

std::optional<StepSample> read_last(const std::filesystem::path& run, const std::string& name) {
  const std::vector<RunSample> samples = samples_of(run, name);
  if (samples.empty()) return std::nullopt;
  std::vector<StepSample> read = read_all({samples.back()});
  if (read.empty()) return std::nullopt;
  return std::move(read.front());
}

std::string open_section(std::string_view id, std::string_view heading) {
  return fmt::format(
      "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n", id, escape_html(heading));
}

std::string last_value(const Curve& curve) {
  return curve.empty() ? "none" : fmt::format("{:.3f}", curve.back().second);
}

std::string curve_figure(const LossCurve& loss) {
  base::SeriesPlot plot;
  plot.name = fmt::format(
      "{} loss over the steps of the run, at the end {} in training and {} in "
      "validation",
      loss.name,
      last_value(loss.training),
      last_value(loss.validation));
  plot.x_label = "step";
  plot.series.push_back({"training", loss.training});
  if (!loss.validation.empty()) plot.series.push_back({"validation", loss.validation});
  return fmt::format("<div><figure>\n<h3>{}</h3>\n{}</figure></div>\n",
                     escape_html(loss.name),
                     base::series_svg(plot));
}

corpus::Figure loss_figure(std::string label, const std::optional<double>& loss) {
  const bool known = loss && std::isfinite(*loss);
  return {std::move(label), known ? fmt::format("{:.3f}", *loss) : "none", ""};
}

}  // namespace

ReportContent read_report_content(const std::filesystem::path& run,
                                  const config::TrainingConfig& training) {
  ReportContent content;
  const std::filesystem::path metrics =
      training.metrics_file ? std::filesystem::path(*training.metrics_file) : run / "metrics.jsonl";
  content.losses = read_loss_curves(metrics, kCurvePoints);
  content.alignments =
      read_all(select_over_time(samples_of(run, "1_alignment.png"), kMaxAlignments));
  if (std::optional<StepSample> recorded = read_last(run, "1_recorded.png")) {
    content.recorded_mel = std::move(recorded->bytes);
  }
  if (std::optional<StepSample> synthesised = read_last(run, "1_spoken.png")) {
    content.synthesised_mel = std::move(*synthesised);
  }
  for (std::size_t i = 0; i < std::min(kMaxSentences, training.text2audio_texts.size()); ++i) {
    SentenceSamples sentence{.text = training.text2audio_texts[i], .wavs = {}};
    const std::vector<RunSample> samples = samples_of(run, fmt::format("{}.wav", i + 1));
    sentence.wavs = read_all(select_over_time(samples, kMaxAudioSamples));
    if (!sentence.wavs.empty()) content.sentences.push_back(std::move(sentence));
  }
  for (std::size_t i = 1; i <= kMaxSentences; ++i) {
    VocoderSamples utterance;
    const std::vector<RunSample> samples = samples_of(run, fmt::format("{}_vocoder.wav", i));
    utterance.wavs = read_all(select_over_time(samples, kMaxAudioSamples));
    if (utterance.wavs.empty()) continue;
    if (std::optional<StepSample> recorded = read_last(run, fmt::format("{}_recorded.wav", i)))
      utterance.recorded = std::move(recorded->bytes);
    content.vocoder.push_back(std::move(utterance));
  }
  return content;
}

std::string losses_section(const ReportContent& content) {
  if (content.losses.empty()) return {};
  std::string html = open_section("losses", "Losses");
  html +=
      "<p>Each point is the mean of neighbouring steps. The dashed line is the validation loss of "
      "the EMA weights on held-out utterances.</p>\n<div "
      "class=\"grid\">\n";
  for (const LossCurve& loss : content.losses)
    html += curve_figure(loss);
  return html + "</div>\n</section>\n";
}

std::string alignments_section(const ReportContent& content) {
  if (content.alignments.empty()) return {};
  std::string html = open_section("alignments", "Alignment over time");
  html +=
      "<p>The frames that the aligner assigns to each symbol of one held-out utterance. Alignment "
      "is learned without labels. A red mark is a skipped symbol.</p>\n"
      "<div class=\"grid\">\n";
  for (const StepSample& one : content.alignments) {
    html += fmt::format(
        "<div>{}</div>\n",
        base::picture(
            fmt::format("Alignment at step {}: time from left to right, symbols upwards", one.step),
            one.bytes,
            fmt::format("step {}", one.step)));
  }
  return html + "</div>\n</section>\n";
}

std::string mels_section(const ReportContent& content) {
  if (content.recorded_mel.empty() || content.synthesised_mel.bytes.empty()) return {};
  std::string html = open_section("mels", "Recorded and synthesised mel");
  html += "<div class=\"grid\">\n";
  html += fmt::format(
      "<div>{}</div>\n",
      base::picture("Mel spectrogram of a held-out recording", content.recorded_mel, ""));
  html += fmt::format(
      "<div>{}</div>\n",
      base::picture(fmt::format("Mel spectrogram synthesised at step {} from the same text",
                                content.synthesised_mel.step),
                    content.synthesised_mel.bytes,
                    ""));
  return html + "</div>\n</section>\n";
}

std::string sentence_samples_section(const ReportContent& content) {
  if (content.sentences.empty()) return {};
  std::string html = open_section("samples", "Synthesised sentences over time");
  for (const SentenceSamples& sentence : content.sentences) {
    html +=
        fmt::format("<article>\n<p class=\"said\" dir=\"auto\">{}</p>\n<div class=\"players\">\n",
                    escape_html(sentence.text));
    for (const StepSample& one : sentence.wavs) {
      html += base::audio_player(fmt::format("step {}", one.step), "the sentence", one.bytes);
    }
    html += "</div>\n</article>\n";
  }
  return html + "</section>\n";
}

std::string vocoder_samples_section(const ReportContent& content) {
  if (content.vocoder.empty()) return {};
  std::string html = open_section("vocoder", "Vocoded recordings over time");
  html += "<p>Held-out utterances, vocoded from their mels with the EMA weights.</p>\n";
  for (const VocoderSamples& one : content.vocoder) {
    html += "<article>\n<div class=\"players\">\n";
    if (!one.recorded.empty())
      html += base::audio_player("recorded", "the utterance", one.recorded);
    for (const StepSample& wav : one.wavs)
      html += base::audio_player(fmt::format("step {}", wav.step), "the utterance", wav.bytes);
    html += "</div>\n</article>\n";
  }
  return html + "</section>\n";
}

std::string run_report_page(const ReportContent& content,
                            const TrainSummary& summary,
                            const std::string& name) {
  std::vector<corpus::Figure> figures = {
      {"steps", fmt::format("{}", summary.steps), ""},
      loss_figure("loss", summary.final_loss),
      loss_figure("validation loss", summary.validation_loss),
      {"time per step", fmt::format("{:.0f} ms", 1e3 * summary.step_s.p50), ""},
      {"throughput", fmt::format("{:.1f} s of audio per s", summary.audio_s_per_s), ""},
      {"data wait", fmt::format("{:.1f} %", 100.0 * summary.wait_share), ""}};
  if (summary.skipped_steps > 0) {
    figures.push_back({"skipped steps", fmt::format("{}", summary.skipped_steps), "warn"});
  }
  base::HtmlPage page;
  page.title = fmt::format("Training of {}", name);
  page.lead = "Losses, alignments and samples of a training run.";
  page.body = corpus::figures_list(figures) + losses_section(content) +
              alignments_section(content) + mels_section(content) +
              sentence_samples_section(content) + vocoder_samples_section(content) +
              base::page_footer();
  return render(page);
}

}  // namespace myxtts::train
