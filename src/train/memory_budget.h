// Compares the memory of a run with its budget and suggests settings that fit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/signature.h"
#include "step/row_bytes.h"

namespace myxtts::train {

// The memory of a step of one signature.
struct SignatureNeed {
  data::Signature signature;
  step::RowBytes bytes;

  double step_bytes() const { return bytes.at(signature.batch); }
};

// The memory of a run: what the process holds before its first step (program, features, weights,
// optimiser), the prefetched batches, the largest step, and a checkpoint, which is built in memory
// before it is written.
struct MemoryNeed {
  double resident_bytes = 0.0;
  double pending_bytes = 0.0;  // allocated after the estimate
  double buffer_bytes = 0.0;
  double checkpoint_bytes = 0.0;
  std::vector<SignatureNeed> signatures;

  double step_bytes() const;
  double total_bytes() const {
    return resident_bytes + pending_bytes + buffer_bytes + checkpoint_bytes + step_bytes();
  }
  // Returns the total for a batch size of `batch_size` instead of `now`.
  double total_bytes_at(int batch_size, int now) const;
};

// A change of settings (shorter utterances, a smaller model) and the memory the run then needs.
struct Alternative {
  std::string flags;     // "--max-mel-frames 512"
  std::string drawback;  // "filters 3.1 % of the utterances, 8.0 % of the hours"; may be empty
  double total_bytes = 0.0;
};

struct MemoryBudget {
  double bytes = 0.0;  // for the whole process
  std::string source;  // "80 % of the free memory", "--memory-budget"
};

// Returns the budget of the configuration ("auto", "6GB") with `resident` bytes in use and `free`
// bytes available. Throws UsageError for an invalid size.
MemoryBudget memory_budget(const std::string& configured, double resident, double free);

// Returns the largest batch size below `now` that fits, a multiple of `grad_accum`.
std::optional<int> largest_batch_that_fits(const MemoryNeed& need,
                                           double budget,
                                           int now,
                                           int grad_accum);

// Returns the error message: needed memory, budget, and settings that fit. `shorter` and `smaller`
// are tried in order; the first that fits is suggested.
std::string format_memory_refusal(const MemoryNeed& need,
                                  const MemoryBudget& budget,
                                  int batch_size,
                                  int grad_accum,
                                  std::span<const Alternative> shorter,
                                  std::span<const Alternative> smaller);

}  // namespace myxtts::train
