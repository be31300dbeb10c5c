#include "corpus/report.h"

#include <fmt/format.h>

#include "base/html_page.h"
#include "corpus/report_sections.h"

namespace myxtts::corpus {
namespace {

using base::escape_html;

std::vector<Figure> main_figures(const CorpusStats& stats) {
  return {{"utterances", fmt::format("{}", stats.utterances), ""},
          {"speech", format_duration(stats.hours), ""},
          {"speakers", fmt::format("{}", stats.speakers.size()), ""}};
}

std::string next_steps_section(const std::vector<std::string>& commands) {
  if (commands.empty()) return {};
  std::string html = "<section aria-labelledby=\"next\">\n<h2 id=\"next\">Next steps</h2>\n";
  for (const std::string& command : commands) {
    html += fmt::format("<pre><code>{}</code></pre>\n", escape_html(command));
  }
  return html + "</section>\n";
}

}  // namespace

std::string statistics_page(const CorpusStats& stats,
                            const std::string& title,
                            const std::string& extra_html) {
  std::vector<Figure> figures = main_figures(stats);
  figures.push_back({"skipped",
                     fmt::format("{}", stats.skipped.size()),
                     stats.skipped.empty() ? "good" : "warn"});

  base::HtmlPage page;
  page.title = title;
  page.lead = "Utterance lengths of the corpus, and recommended limits for training.";
  page.body = figures_list(figures) + lengths_section(stats) + limits_section(stats) + extra_html +
              speakers_section(stats);
  if (!stats.skipped.empty()) {
    page.body +=
        "<section aria-labelledby=\"skipped\">\n<h2 id=\"skipped\">Skipped utterances</h2>\n" +
        problems_list(stats.skipped, "Unusable utterances") + "</section>\n";
  }
  page.body += base::page_footer();
  return render(page);
}

std::string demo_page(const DemoReport& report) {
  std::size_t num_bad = 0;
  std::size_t num_validation = 0;
  for (const SplitReport& part : report.checked) {
    num_bad += part.report.bad.size();
    if (part.split == Split::kValidation) num_validation += part.report.utterances;
  }
  std::vector<Figure> figures = main_figures(report.stats);
  figures.front().label = "training utterances";
  figures.push_back({"validation utterances", fmt::format("{}", num_validation), ""});
  if (report.voice_figures.empty())
    figures.push_back({"layout", std::string(name_of(report.layout)), ""});
  figures.push_back(
      {"unusable utterances", fmt::format("{}", num_bad), num_bad == 0 ? "good" : "warn"});
  figures.insert(figures.begin(), report.voice_figures.begin(), report.voice_figures.end());

  base::HtmlPage page;
  page.title = report.title;
  page.lead =
      report.voice_sections.empty()
          ? fmt::format("The corpus in {} as training uses it.", report.corpus_dir)
          : fmt::format("A voice trained on the corpus in {}, and statistics of that corpus.",
                        report.corpus_dir);
  page.body = figures_list(figures) + report.voice_sections + check_section(report.checked) +
              lengths_section(report.stats) + limits_section(report.stats) +
              speakers_section(report.stats) + examples_section(report.examples) +
              next_steps_section(report.next_commands) + base::page_footer();
  return render(page);
}

}  // namespace myxtts::corpus
