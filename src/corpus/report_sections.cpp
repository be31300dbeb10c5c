#include "corpus/report_sections.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/html_page.h"
#include "base/svg.h"
#include "corpus/reasons.h"

namespace myxtts::corpus {
namespace {

using base::escape_html;

constexpr std::size_t kMaxProblemRows = 50;
constexpr std::size_t kMaxSpeakerRows = 200;

// The texts and numbers of one kind of length (text or mel) on the page.
struct LengthView {
  std::string_view heading;
  std::string_view name;
  std::string_view unit;
  std::string_view flag;
  const LengthStats& lengths;
  const Histogram& histogram;
};

std::vector<base::PlotMark> percentile_marks(const LengthStats& lengths) {
  return {{static_cast<double>(lengths.percentile_50), "p50"},
          {static_cast<double>(lengths.percentile_95), "p95"},
          {static_cast<double>(lengths.percentile_99), "p99"}};
}

// The histogram as a table, for screen readers and for copying.
std::string counts_table(const LengthView& view) {
  std::string html = fmt::format(
      "<details><summary>Counts of {0}</summary><table><thead><tr><th scope=\"col\">{1}</th>"
      "<th scope=\"col\" class=\"n\">utterances</th></tr></thead><tbody>\n",
      view.name,
      view.unit);
  for (std::size_t i = 0; i < view.histogram.counts.size(); ++i) {
    const std::int64_t from =
        view.histogram.lower + static_cast<std::int64_t>(i) * view.histogram.bin_width;
    html += fmt::format("<tr><td>{} to {}</td><td class=\"n\">{}</td></tr>\n",
                        from,
                        from + view.histogram.bin_width - 1,
                        view.histogram.counts[i]);
  }
  return html + "</tbody></table></details>\n";
}

std::string histogram_figure(const LengthView& view) {
  base::HistogramPlot plot;
  plot.name = fmt::format("Histogram of {}: median {}, 95th percentile {}, 99th percentile {} {}",
                          view.name,
                          view.lengths.percentile_50,
                          view.lengths.percentile_95,
                          view.lengths.percentile_99,
                          view.unit);
  plot.x_label = view.unit;
  plot.y_label = "utterances";
  plot.lower = static_cast<double>(view.histogram.lower);
  plot.bin_width = static_cast<double>(view.histogram.bin_width);
  plot.counts = view.histogram.counts;
  plot.marks = percentile_marks(view.lengths);
  return fmt::format("<figure>\n<h3>{}</h3>\n{}</figure>\n{}",
                     view.heading,
                     base::histogram_svg(plot),
                     counts_table(view));
}

// Plots the share of the corpus that a limit keeps, computed from the histogram.
std::string kept_figure(const LengthView& view) {
  base::LinePlot plot;
  plot.name = fmt::format("Share of the utterances that a limit on the {} keeps", view.name);
  plot.x_label = fmt::format("{} ({})", view.flag, view.unit);
  plot.y_label = "% kept";
  plot.y_max = 100.0;
  plot.marks = percentile_marks(view.lengths);
  std::size_t total = 0;
  for (const std::size_t count : view.histogram.counts)
    total += count;
  std::size_t kept = 0;
  double limit = static_cast<double>(view.histogram.lower);
  if (total > 0) plot.points.emplace_back(limit, 0.0);
  for (const std::size_t count : view.histogram.counts) {
    kept += count;
    limit += static_cast<double>(view.histogram.bin_width);
    plot.points.emplace_back(limit, 100.0 * static_cast<double>(kept) / static_cast<double>(total));
  }
  return fmt::format("<figure>\n<h3>Share kept by a limit on the {}</h3>\n{}</figure>\n",
                     view.name,
                     base::line_svg(plot));
}

std::string length_row(const LengthView& view) {
  const LengthStats& l = view.lengths;
  return fmt::format(
      "<tr><th scope=\"row\">{} ({})</th><td class=\"n\">{}</td><td class=\"n\">{:.1f}</td>"
      "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
      "<td class=\"n\">{}</td></tr>\n",
      view.name,
      view.unit,
      l.min,
      l.mean,
      l.max,
      l.percentile_50,
      l.percentile_90,
      l.percentile_95,
      l.percentile_99);
}

std::string head_cells(std::initializer_list<std::string_view> names, std::size_t first_number) {
  std::string html = "<thead><tr>";
  std::size_t column = 0;
  for (const std::string_view name : names) {
    html += fmt::format(
        "<th scope=\"col\"{}>{}</th>", column++ < first_number ? "" : " class=\"n\"", name);
  }
  return html + "</tr></thead>";
}

std::string open_table(std::string_view label) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>",
      escape_html(label));
}

constexpr std::string_view kCloseTable = "</tbody></table></div>\n";

std::string limits_row(const LengthLimits& limits) {
  return fmt::format(
      "<tr><th scope=\"row\">p{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>"
      "<td class=\"n\">{} ({:.2f} %)</td><td class=\"n\">{} ({:.2f} %)</td></tr>\n",
      limits.percent,
      limits.max_text_length,
      limits.max_mel_frames,
      limits.filtered_utterances,
      100 * limits.utterance_share,
      limits.filtered_hours > 0.0 ? format_duration(limits.filtered_hours) : "0 s",
      100 * limits.hour_share);
}

}  // namespace

std::string figures_list(std::span<const Figure> figures) {
  std::string html = "<dl class=\"figures\">\n";
  for (const Figure& figure : figures) {
    html += fmt::format("<div><dt>{}</dt><dd class=\"{}\">{}</dd></div>\n",
                        escape_html(figure.label),
                        figure.tone,
                        escape_html(figure.value));
  }
  return html + "</dl>\n";
}

std::string format_duration(double hours) {
  const long seconds = std::lround(hours * 3600.0);
  const long minutes = (seconds + 30) / 60;
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (minutes < 120) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string lengths_section(const CorpusStats& stats) {
  const LengthView text{"Text length",
                        "text length",
                        "symbols",
                        "max_text_length",
                        stats.text_length,
                        stats.text_histogram};
  const LengthView mel{"Mel length",
                       "mel length",
                       "frames",
                       "max_mel_frames",
                       stats.mel_length,
                       stats.mel_histogram};

  std::string html = "<section aria-labelledby=\"lengths\">\n<h2 id=\"lengths\">Lengths</h2>\n";
  html +=
      "<p>Text length: symbol ids of the text front end, the model's input. Mel length: frames "
      "after trimming, the model's output. Dashed lines mark percentiles.</p>\n";
  html += fmt::format("<div class=\"grid\"><div>{}</div><div>{}</div></div>\n",
                      histogram_figure(text),
                      histogram_figure(mel));
  html += open_table("Lengths") + "<caption>Lengths of the usable utterances</caption>";
  html += head_cells({"", "min", "mean", "max", "p50", "p90", "p95", "p99"}, 1) + "<tbody>\n";
  html += length_row(text) + length_row(mel);
  html += kCloseTable;
  return html + "</section>\n";
}

std::string limits_section(const CorpusStats& stats) {
  std::string html =
      "<section aria-labelledby=\"limits\">\n<h2 id=\"limits\">Recommended limits</h2>\n"
      "<p>Fixed shapes are as long as their longest utterance, so filtering the few longest "
      "utterances saves padding for all others.</p>\n";
  const LengthView mel{"Mel length",
                       "mel length",
                       "frames",
                       "max_mel_frames",
                       stats.mel_length,
                       stats.mel_histogram};
  html += open_table("Recommended limits") + "<caption>Speech filtered by each limit</caption>";
  html +=
      head_cells({"percentile", "max_text_length", "max_mel_frames", "utterances", "speech"}, 1);
  html += "<tbody>\n";
  for (const LengthLimits& limits : stats.recommendations)
    html += limits_row(limits);
  html += kCloseTable;
  html += "<div class=\"grid\"><div>\n" + kept_figure(mel) +
          "</div><div>\n<h3>Flags for training</h3>\n";
  for (const LengthLimits& limits : stats.recommendations) {
    html += fmt::format(
        "<p class=\"note\">p{}</p>\n<pre><code>{}"
        "</code></pre>\n",
        limits.percent,
        escape_html(flags_of(limits)));
  }
  return html + "</div></div>\n</section>\n";
}

std::string speakers_section(const CorpusStats& stats) {
  if (stats.speakers.size() < 2) return {};
  std::string html = "<section aria-labelledby=\"speakers\">\n<h2 id=\"speakers\">Speakers</h2>\n" +
                     open_table("Speakers") + head_cells({"speaker", "utterances", "speech"}, 1) +
                     "<tbody>\n";
  for (std::size_t i = 0; i < std::min(stats.speakers.size(), kMaxSpeakerRows); ++i) {
    const SpeakerShare& speaker = stats.speakers[i];
    html += fmt::format(
        "<tr><th scope=\"row\"><bdi>{}</bdi></th><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        speaker.name.empty() ? "(no name)" : escape_html(speaker.name),
        speaker.utterances,
        format_duration(speaker.hours));
  }
  html += kCloseTable;
  if (stats.speakers.size() > kMaxSpeakerRows) {
    html +=
        fmt::format("<p class=\"note\">and {} more</p>\n", stats.speakers.size() - kMaxSpeakerRows);
  }
  return html + "</section>\n";
}

std::string problems_list(std::span<const Problem> problems, std::string_view heading) {
  if (problems.empty()) return {};
  std::string html = fmt::format("<h3>{}</h3>\n", escape_html(heading));
  for (const Reason& group : all_reasons()) {
    std::string items;
    std::size_t count = 0;
    for (const Problem& problem : problems) {
      if (problem.reason != group.reason || ++count > kMaxProblemRows) continue;
      items += fmt::format("<li><strong><bdi>{}</bdi></strong>: {}</li>\n",
                           escape_html(problem.id),
                           escape_html(problem.detail));
    }
    if (count == 0) continue;
    html += fmt::format("<p><code>{}</code> ({}): {}</p>\n<ul class=\"note\">\n{}</ul>\n",
                        escape_html(group.reason),
                        count,
                        escape_html(group.suggestion),
                        items);
    if (count > kMaxProblemRows) {
      html += fmt::format(
          "<p class=\"note\">and {} more; <code>myxtts corpus check</code> lists "
          "them all</p>\n",
          count - kMaxProblemRows);
    }
  }
  return html;
}

std::string check_section(std::span<const SplitReport> checked) {
  std::string html = "<section aria-labelledby=\"check\">\n<h2 id=\"check\">Check</h2>\n<ul>\n";
  for (const SplitReport& part : checked) {
    const bool clean = part.report.bad.empty();
    html +=
        fmt::format("<li>{}: {} utterances, <strong class=\"{}\">{}</strong>, {} warnings</li>\n",
                    name_of(part.split),
                    part.report.utterances,
                    clean ? "good" : "warn",
                    clean ? "none unusable" : fmt::format("{} unusable", part.report.bad.size()),
                    part.report.warnings.size());
  }
  html += "</ul>\n";
  for (const SplitReport& part : checked) {
    html += problems_list(part.report.bad, fmt::format("Unusable in {}", name_of(part.split)));
    html += problems_list(part.report.warnings, fmt::format("Warnings in {}", name_of(part.split)));
  }
  return html + "</section>\n";
}

}  // namespace myxtts::corpus
