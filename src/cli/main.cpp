#include "cli/prepare_process.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  myxtts::cli::prepare_process(argc, argv);
  return myxtts::cli::run_program(argc, argv);
}
