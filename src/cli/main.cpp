#include "cli/program.h"

int main(int argc, char** argv) {
  return myxtts::cli::run_program(argc, argv);
}
