// myxtts top: a running training, live in the terminal.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/screen.h"
#include "base/terminal.h"
#include "cli/commands.h"
#include "cli/top_frame.h"
#include "cli/top_view.h"

namespace xtts::cli {
namespace {

constexpr const char* kTopExamples = R"(
Reads what the run writes (metrics.jsonl, once per training.log_step steps) and never touches it.
q or Ctrl-C ends the view, not the training; it ends by itself when the training does. Where
standard output is not a terminal it prints one page and ends, as with --once. What each line means,
and what to do about it: docs/en/diagnose.md.

Examples:
  myxtts top runs/voice
  myxtts top runs/voice --interval 0.5
  myxtts top runs/voice --once
  myxtts top runs/voice --json | jq .limit)";

struct TopArgs {
  std::string run;
  bool once = false;
  bool json = false;
  double interval_s = 1.0;
};

void print_page(const TopView& view) {
  base::ScreenSize size = base::screen_size();
  size.rows = 0;  // it may be scrolled
  for (const std::string& line :
       top_frame(view, {.size = size, .unicode = base::speaks_utf8(), .is_live = false}))
    fmt::print("{}\n", line);
}

// Draws until the training or its watcher ends; returns what was seen last.
TopView watch(RunFollower& run, const TopArgs& args) {
  const std::chrono::milliseconds interval(std::lround(args.interval_s * 1e3));
  base::Screen screen;
  while (true) {
    TopView view = run.look();
    screen.draw(top_frame(
        view, {.size = base::screen_size(), .unicode = base::speaks_utf8(), .is_live = true}));
    if (view.status != RunStatus::kRunning || screen.wait_for_end(interval)) return view;
  }
}

void run_top(const TopArgs& args) {
  RunFollower run(args.run);
  TopView view = run.look();
  if (args.json) {
    fmt::print("{}\n",
               to_json(view).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  const bool is_live =
      !args.once && base::stdout_is_terminal() && view.status == RunStatus::kRunning;
  if (is_live) view = watch(run, args);
  print_page(view);  // stays when the screen is back
}

}  // namespace

void add_top_command(CLI::App& app) {
  auto args = std::make_shared<TopArgs>();
  CLI::App* command = app.add_subcommand("top", "Watch a running training, and what limits it");
  command->footer(kTopExamples);
  command->add_option("RUN", args->run, "A run folder: the --checkpoint-dir of the training")
      ->required();
  command->add_option("--interval", args->interval_s, "Seconds from one page to the next")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  command->add_flag("--once", args->once, "Print one page and end");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_top(*args); });
}

}  // namespace xtts::cli
