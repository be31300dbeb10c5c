// myxtts top: shows a training run live in the terminal.

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

namespace myxtts::cli {
namespace {

constexpr const char* kTopExamples = R"(
Reads metrics.jsonl of the run (written every training.log_step steps) and never modifies the run.
q or Ctrl-C closes the view, not the training; the view closes when the training ends. If standard
output is not a terminal, prints one page and exits, as with --once. docs/en/diagnose.md explains
each line.

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

void print_frame(const TopView& view) {
  base::ScreenSize size = base::screen_size();
  size.rows = 0;  // no row limit
  for (const std::string& line :
       top_frame(view, {.size = size, .unicode = base::locale_is_utf8(), .is_live = false}))
    fmt::print("{}\n", line);
}

// Draws until the training ends or the view is closed. Returns the last view.
TopView watch(RunFollower& follower, const TopArgs& args) {
  const std::chrono::milliseconds interval(std::lround(args.interval_s * 1e3));
  base::Screen screen;
  while (true) {
    TopView view = follower.snapshot();
    screen.draw(top_frame(
        view, {.size = base::screen_size(), .unicode = base::locale_is_utf8(), .is_live = true}));
    if (view.status != RunStatus::kRunning || screen.wait_for_quit(interval)) return view;
  }
}

void run_top(const TopArgs& args) {
  RunFollower follower(args.run);
  TopView view = follower.snapshot();
  if (args.json) {
    fmt::print("{}\n",
               to_json(view).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  const bool is_live =
      !args.once && base::stdout_is_terminal() && view.status == RunStatus::kRunning;
  if (is_live) view = watch(follower, args);
  print_frame(view);  // remains visible after the live view closes
}

}  // namespace

void add_top_command(CLI::App& app) {
  auto args = std::make_shared<TopArgs>();
  CLI::App* command = app.add_subcommand("top", "Monitor a training run in the terminal");
  command->footer(kTopExamples);
  command->add_option("RUN", args->run, "Run folder (--checkpoint-dir of train)")
      ->type_name("")
      ->required();
  command->add_option("--interval", args->interval_s, "Refresh interval in seconds")
      ->check(CLI::Range(0.1, 3600.0).description("0.1 to 3600"))
      ->capture_default_str();
  command->add_flag("--once", args->once, "Print one page and exit");
  command->add_flag("--json", args->json, "Print one JSON object instead of text");
  command->callback([args] { run_top(*args); });
}

}  // namespace myxtts::cli
