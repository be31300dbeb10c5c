#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/signature.h"
#include "step/row_bytes.h"

namespace xtts::train {

// What a signature of the plan needs in a step.
struct SignatureNeed {
  pipeline::Signature signature;
  step::RowBytes bytes;

  double step_bytes() const { return bytes.at(signature.batch); }
};

// What a run needs: what the process has before its first step (program, features, weights,
// optimiser), the updates that are held ready, the largest step, and a save, which is put together
// in memory before it is written.
struct MemoryNeed {
  double resident_bytes = 0.0;
  double coming_bytes = 0.0;  // that the process does not have yet when this is worked out
  double buffer_bytes = 0.0;
  double checkpoint_bytes = 0.0;
  std::vector<SignatureNeed> signatures;

  double step_bytes() const;
  double total_bytes() const {
    return resident_bytes + coming_bytes + buffer_bytes + checkpoint_bytes + step_bytes();
  }
  // With updates of `batch_size` instead of `now` utterances.
  double total_bytes_at(int batch_size, int now) const;
};

// Shorter utterances, or a smaller model, and what the run would need then.
struct Alternative {
  std::string flags;  // "--max-mel-frames 512"
  std::string price;  // "leaves out 3.1 % of the utterances, 8.0 % of the hours"; may be empty
  double total_bytes = 0.0;
};

struct MemoryBudget {
  double bytes = 0.0;  // for the whole process
  std::string source;  // "80 % of the memory that is free", "--memory-budget"
};

// That of the configuration ("auto", "6GB"), with `resident` bytes taken and `free` to be had.
// Throws UsageError if it is no size.
MemoryBudget memory_budget(const std::string& configured, double resident, double free);

// The largest batch size below `now` whose updates fit, a multiple of `grad_accum`.
std::optional<int> largest_batch_that_fits(const MemoryNeed& need,
                                           double budget,
                                           int now,
                                           int grad_accum);

// The words of the refusal: what is needed, what there is, and what would fit. `shorter` and
// `smaller` are tried in their order; the first that fits is named.
std::string memory_refusal(const MemoryNeed& need,
                           const MemoryBudget& budget,
                           int batch_size,
                           int grad_accum,
                           std::span<const Alternative> shorter,
                           std::span<const Alternative> smaller);

}  // namespace xtts::train
