#include "train/run_page.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/files.h"
#include "base/html_page.h"
#include "base/svg.h"
#include "corpus/report_sections.h"
#include "train/run_samples.h"

namespace xtts::train {
namespace {

using base::escape_html;

constexpr std::size_t kCurvePoints = 160;
constexpr std::size_t kMostAlignments = 6;
constexpr std::size_t kMostSounds = 4;  // of one sentence
constexpr std::size_t kMostSentences = 3;
constexpr std::size_t kMaxSampleBytes = std::size_t{8} << 20U;

// What cannot be read is not shown.
std::vector<StepBytes> read_all(const std::vector<RunSample>& samples) {
  std::vector<StepBytes> read;
  for (const RunSample& sample : samples) {
    base::ReadResult file = base::read_regular_file(sample.path, kMaxSampleBytes);
    if (file.fault == base::FileFault::kNone) read.push_back({sample.step, std::move(file.bytes)});
  }
  return read;
}

std::optional<StepBytes> read_last(const std::filesystem::path& run, const std::string& name) {
  const std::vector<RunSample> samples = samples_of(run, name);
  if (samples.empty()) return std::nullopt;
  std::vector<StepBytes> read = read_all({samples.back()});
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
  if (!loss.validation.empty()) plot.series.push_back({"held back", loss.validation});
  return fmt::format("<div><figure>\n<h3>{}</h3>\n{}</figure></div>\n",
                     escape_html(loss.name),
                     base::series_svg(plot));
}

corpus::Figure loss_figure(std::string label, const std::optional<double>& loss) {
  const bool known = loss && std::isfinite(*loss);
  return {std::move(label), known ? fmt::format("{:.3f}", *loss) : "none", ""};
}

}  // namespace

RunStory read_run_story(const std::filesystem::path& run, const config::TrainingConfig& training) {
  RunStory story;
  const std::filesystem::path metrics =
      training.metrics_file ? std::filesystem::path(*training.metrics_file) : run / "metrics.jsonl";
  story.losses = read_loss_curves(metrics, kCurvePoints);
  story.alignments =
      read_all(spread_over_time(samples_of(run, "1_alignment.png"), kMostAlignments));
  if (std::optional<StepBytes> recorded = read_last(run, "1_recorded.png")) {
    story.recorded_mel = std::move(recorded->bytes);
  }
  if (std::optional<StepBytes> spoken = read_last(run, "1_spoken.png")) {
    story.spoken_mel = std::move(*spoken);
  }
  for (std::size_t i = 0; i < std::min(kMostSentences, training.text2audio_texts.size()); ++i) {
    SaidOverTime said{.text = training.text2audio_texts[i], .wavs = {}};
    const std::vector<RunSample> samples = samples_of(run, fmt::format("{}.wav", i + 1));
    said.wavs = read_all(spread_over_time(samples, kMostSounds));
    if (!said.wavs.empty()) story.said.push_back(std::move(said));
  }
  for (std::size_t i = 1; i <= kMostSentences; ++i) {
    ResoundedOverTime resounded;
    const std::vector<RunSample> samples = samples_of(run, fmt::format("{}_vocoder.wav", i));
    resounded.wavs = read_all(spread_over_time(samples, kMostSounds));
    if (resounded.wavs.empty()) continue;
    if (std::optional<StepBytes> recorded = read_last(run, fmt::format("{}_recorded.wav", i)))
      resounded.recorded = std::move(recorded->bytes);
    story.resounded.push_back(std::move(resounded));
  }
  return story;
}

std::string losses_section(const RunStory& story) {
  if (story.losses.empty()) return {};
  std::string html = open_section("losses", "Losses");
  html +=
      "<p>Every step counts; each point is the mean of neighbouring steps. The dashed line is "
      "measured on utterances that were held back, with the averaged weights.</p>\n<div "
      "class=\"grid\">\n";
  for (const LossCurve& loss : story.losses)
    html += curve_figure(loss);
  return html + "</div>\n</section>\n";
}

std::string alignments_section(const RunStory& story) {
  if (story.alignments.empty()) return {};
  std::string html = open_section("alignments", "Alignment over time");
  html +=
      "<p>Which frames of one held-back utterance each symbol of its text gets. Nobody tells the "
      "model; it finds the stairs by itself. A red mark is a symbol that was passed over.</p>\n"
      "<div class=\"grid\">\n";
  for (const StepBytes& one : story.alignments) {
    html += fmt::format(
        "<div>{}</div>\n",
        base::picture(
            fmt::format("Alignment at step {}: time from left to right, symbols upwards", one.step),
            one.bytes,
            fmt::format("step {}", one.step)));
  }
  return html + "</div>\n</section>\n";
}

std::string mels_section(const RunStory& story) {
  if (story.recorded_mel.empty() || story.spoken_mel.bytes.empty()) return {};
  std::string html = open_section("mels", "Recorded and spoken");
  html += "<div class=\"grid\">\n";
  html += fmt::format(
      "<div>{}</div>\n",
      base::picture("Mel spectrogram of a recording that was held back", story.recorded_mel, ""));
  html += fmt::format(
      "<div>{}</div>\n",
      base::picture(fmt::format("Mel spectrogram that the voice of step {} makes of the same text",
                                story.spoken_mel.step),
                    story.spoken_mel.bytes,
                    ""));
  return html + "</div>\n</section>\n";
}

std::string said_section(const RunStory& story) {
  if (story.said.empty()) return {};
  std::string html = open_section("said", "The same sentence over time");
  for (const SaidOverTime& said : story.said) {
    html +=
        fmt::format("<article>\n<p class=\"said\" dir=\"auto\">{}</p>\n<div class=\"players\">\n",
                    escape_html(said.text));
    for (const StepBytes& one : said.wavs) {
      html += base::audio_player(fmt::format("step {}", one.step), "the sentence", one.bytes);
    }
    html += "</div>\n</article>\n";
  }
  return html + "</section>\n";
}

std::string resounded_section(const RunStory& story) {
  if (story.resounded.empty()) return {};
  std::string html = open_section("resounded", "Recordings made of their mels over time");
  html += "<p>Utterances that were held back, by the averaged weights.</p>\n";
  for (const ResoundedOverTime& one : story.resounded) {
    html += "<article>\n<div class=\"players\">\n";
    if (!one.recorded.empty())
      html += base::audio_player("recorded", "the utterance", one.recorded);
    for (const StepBytes& wav : one.wavs)
      html += base::audio_player(fmt::format("step {}", wav.step), "the utterance", wav.bytes);
    html += "</div>\n</article>\n";
  }
  return html + "</section>\n";
}

std::string run_page(const RunStory& story, const TrainSummary& summary, const std::string& name) {
  std::vector<corpus::Figure> figures = {
      {"steps", fmt::format("{}", summary.steps), ""},
      loss_figure("loss", summary.final_loss),
      loss_figure("loss on what was held back", summary.validation_loss),
      {"time per step", fmt::format("{:.0f} ms", 1e3 * summary.step_s.p50), ""},
      {"speech trained on per second", fmt::format("{:.0f} s", summary.audio_s_per_s), ""},
      {"waited for data", fmt::format("{:.1f} %", 100.0 * summary.wait_share), ""}};
  if (summary.skipped_steps > 0) {
    figures.push_back({"refused steps", fmt::format("{}", summary.skipped_steps), "warn"});
  }
  base::HtmlPage page;
  page.title = fmt::format("Training of {}", name);
  page.lead = "What a run learned, seen and heard.";
  page.body = corpus::figures_list(figures) + losses_section(story) + alignments_section(story) +
              mels_section(story) + said_section(story) + resounded_section(story) +
              base::page_footer();
  return render(page);
}

}  // namespace xtts::train
