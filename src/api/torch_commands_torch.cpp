// Entry point of libmyxtts.so for the program: the function table of api/torch_commands.h.

#include <string>

#include <ATen/Parallel.h>

#include "api/torch_commands.h"
#include "base/version.h"
#include "train/run_training_torch.h"

const myxtts::api::TorchCommands* myxtts_torch_commands() {
  static const std::string version = myxtts::base::version();
  static const myxtts::api::TorchCommands commands{
      .version = version.c_str(),
      .set_num_threads = at::set_num_threads,
      .bench_mel = myxtts::bench::bench_mel,
      .bench_step = myxtts::bench::bench_step,
      .bench_speak = myxtts::bench::bench_speak,
      .speak = myxtts::synthesis::speak,
      .vocode = myxtts::synthesis::vocode,
      .train = myxtts::train::run_training,
      .preview_training = myxtts::train::preview_training,
  };
  return &commands;
}
