#include "step/thread_pool_torch.h"

#include <ATen/Parallel.h>
#include <omp.h>

#include "base/threads.h"

namespace myxtts::step {

void pin_pool(std::span<const int> cores) {
  if (std::ssize(cores) != at::get_num_threads() || cores.size() < 2) return;
#pragma omp parallel num_threads(static_cast <int>(cores.size()))
  { base::pin_to_cores(cores.subspan(static_cast<std::size_t>(omp_get_thread_num()), 1)); }
}

}  // namespace myxtts::step
