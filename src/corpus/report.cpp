#include "corpus/report.h"

#include <fmt/format.h>

#include "base/html_page.h"
#include "corpus/report_sections.h"

namespace xtts::corpus {
namespace {

using base::escape_html;

std::vector<Figure> main_figures(const CorpusStats& stats) {
  return {{"utterances", fmt::format("{}", stats.utterances), ""},
          {"speech", spoken_time(stats.hours), ""},
          {"speakers", fmt::format("{}", stats.speakers.size()), ""}};
}

std::string next_section(const std::vector<std::string>& commands) {
  if (commands.empty()) return {};
  std::string html = "<section aria-labelledby=\"next\">\n<h2 id=\"next\">What to try next</h2>\n";
  for (const std::string& command : commands) {
    html += fmt::format("<pre><code>{}</code></pre>\n", escape_html(command));
  }
  return html + "</section>\n";
}

}  // namespace

std::string statistics_page(const CorpusStats& stats,
                            const std::string& title,
                            const std::string& more) {
  std::vector<Figure> figures = main_figures(stats);
  figures.push_back({"bad, left out",
                     fmt::format("{}", stats.skipped.size()),
                     stats.skipped.empty() ? "good" : "warn"});

  base::HtmlPage page;
  page.title = title;
  page.lead = "How long the utterances of this corpus are, and the limits to train with.";
  page.body = figures_list(figures) + lengths_section(stats) + limits_section(stats) + more +
              speakers_section(stats);
  if (!stats.skipped.empty()) {
    page.body += "<section aria-labelledby=\"skipped\">\n<h2 id=\"skipped\">Left out</h2>\n" +
                 problems_list(stats.skipped, "Bad utterances") + "</section>\n";
  }
  page.body += base::page_footer();
  return render(page);
}

std::string demo_page(const DemoReport& report) {
  std::size_t num_bad = 0;
  std::size_t num_held_back = 0;
  for (const CheckedPart& part : report.checked) {
    num_bad += part.report.bad.size();
    if (part.split == Split::kValidation) num_held_back += part.report.utterances;
  }
  std::vector<Figure> figures = main_figures(report.stats);
  figures.front().label = "utterances to train on";
  figures.push_back({"held back to validate", fmt::format("{}", num_held_back), ""});
  if (report.voice_figures.empty())
    figures.push_back({"layout", std::string(name_of(report.layout)), ""});
  figures.push_back({"bad utterances", fmt::format("{}", num_bad), num_bad == 0 ? "good" : "warn"});
  figures.insert(figures.begin(), report.voice_figures.begin(), report.voice_figures.end());

  base::HtmlPage page;
  page.title = report.title;
  page.lead = report.voice_sections.empty()
                  ? fmt::format("A corpus in {}, as a training would see it.", report.corpus_dir)
                  : fmt::format("A voice that was trained on the corpus in {}, and that corpus.",
                                report.corpus_dir);
  page.body = figures_list(figures) + report.voice_sections + check_section(report.checked) +
              lengths_section(report.stats) + limits_section(report.stats) +
              speakers_section(report.stats) + examples_section(report.examples) +
              next_section(report.next_commands) + base::page_footer();
  return render(page);
}

}  // namespace xtts::corpus
