// Prepares the environment of the process for LibTorch.
#pragma once

namespace myxtts::cli {

// Sets how LibTorch's OpenMP threads wait, and the instruction sets of oneDNN, if the command uses
// tensors. libgomp reads its settings when it is loaded, before main(), so the process restarts
// itself with the same arguments, at most once. Keeps variables that are already set. Call first in
// main(), before anything is parsed, read or printed.
void prepare_process(int argc, char** argv);

}  // namespace myxtts::cli
