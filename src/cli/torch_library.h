// Loads libmyxtts.so for the commands that need LibTorch.
#pragma once

#include "api/torch_commands.h"

namespace myxtts::cli {

// Returns false in a build without LibTorch.
bool has_torch_commands();

// Loads the library at the first call, and sets the threads of LibTorch. Throws UserError if the
// library is missing or of another build.
const api::TorchCommands& torch_commands(int num_threads);

}  // namespace myxtts::cli
