// Adds the subcommands of `myxtts corpus`, defined in command_corpus_<name>.cpp.
#pragma once

namespace CLI {
class App;
}

namespace myxtts::cli {

void add_corpus_check_command(CLI::App& corpus);
void add_corpus_demo_command(CLI::App& corpus);

}  // namespace myxtts::cli
