#include "cli/program.h"

int main(int argc, char** argv) {
  return xtts::cli::run_program(argc, argv);
}
