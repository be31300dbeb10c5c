// Adds the subcommands of `myxtts diagnose`, defined in command_diagnose_<name>.cpp.
#pragma once

namespace CLI {
class App;
}

namespace myxtts::cli {

void add_diagnose_retracing_command(CLI::App& diagnose);
void add_diagnose_bottleneck_command(CLI::App& diagnose);
void add_diagnose_recommend_command(CLI::App& diagnose);

}  // namespace myxtts::cli
