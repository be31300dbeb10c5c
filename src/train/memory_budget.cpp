#include "train/memory_budget.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/memory.h"

namespace xtts::train {
namespace {

constexpr double kShareOfFree = 0.8;  // the rest is for others, and for what was not foreseen

std::string gigabytes(double bytes) {
  return fmt::format("{:.2f} GB", bytes / 1e9);
}

const SignatureNeed& largest(const MemoryNeed& need) {
  return *std::ranges::max_element(need.signatures, {}, &SignatureNeed::step_bytes);
}

std::string suggestion(std::string_view flags, double bytes, std::string_view price) {
  return fmt::format(
      "\n  {:<24} {}{}{}", flags, gigabytes(bytes), price.empty() ? "" : "; ", price);
}

std::string first_that_fits(std::span<const Alternative> all,
                            double budget,
                            std::string_view otherwise) {
  const auto found =
      std::ranges::find_if(all, [&](const Alternative& one) { return one.total_bytes <= budget; });
  if (found == all.end()) return fmt::format("\n  {}", otherwise);
  return suggestion(found->flags, found->total_bytes, found->price);
}

}  // namespace

double MemoryNeed::step_bytes() const {
  return signatures.empty() ? 0.0 : largest(*this).step_bytes();
}

double MemoryNeed::total_bytes_at(int batch_size, int now) const {
  double most = 0.0;
  for (const SignatureNeed& need : signatures) {
    const double rows = static_cast<double>(need.signature.batch) * batch_size / now;
    most = std::max(most, need.bytes.at(std::max<std::int64_t>(1, std::llround(rows))));
  }
  return resident_bytes + coming_bytes + buffer_bytes * batch_size / now + checkpoint_bytes + most;
}

MemoryBudget memory_budget(const std::string& configured, double resident, double free) {
  if (configured == "auto") {
    return {.bytes = resident + kShareOfFree * free, .source = "80 % of the memory that is free"};
  }
  const std::optional<std::int64_t> bytes = base::parse_bytes(configured);
  require_usage(bytes.has_value(),
                "training.memory_budget is '{}', must be auto or a size such as 800MB or 6GB",
                configured);
  return {.bytes = static_cast<double>(*bytes), .source = "--memory-budget"};
}

std::optional<int> largest_batch_that_fits(const MemoryNeed& need,
                                           double budget,
                                           int now,
                                           int grad_accum) {
  for (int batch = now - grad_accum; batch >= grad_accum; batch -= grad_accum) {
    if (need.total_bytes_at(batch, now) <= budget) return batch;
  }
  return std::nullopt;
}

std::string memory_refusal(const MemoryNeed& need,
                           const MemoryBudget& budget,
                           int batch_size,
                           int grad_accum,
                           std::span<const Alternative> shorter,
                           std::span<const Alternative> smaller) {
  const SignatureNeed& most = largest(need);
  std::string text = fmt::format(
      "this training needs {} ({} before its first step, {} for the buffer, {} for a step of {}, "
      "{} "
      "for a save), and {} may be used ({}). What fits:",
      gigabytes(need.total_bytes()),
      gigabytes(need.resident_bytes + need.coming_bytes),
      gigabytes(need.buffer_bytes),
      gigabytes(most.step_bytes()),
      pipeline::name_of(most.signature),
      gigabytes(need.checkpoint_bytes),
      gigabytes(budget.bytes),
      budget.source);
  if (const auto batch = largest_batch_that_fits(need, budget.bytes, batch_size, grad_accum)) {
    text += suggestion(
        fmt::format("--batch-size {}", *batch), need.total_bytes_at(*batch, batch_size), "");
  } else {
    text += "\n  no smaller batch is enough";
  }
  text += first_that_fits(shorter,
                          budget.bytes,
                          most.signature.samples > 0 ? "no shorter crop is enough"
                                                     : "leaving out long utterances is not enough");
  text += first_that_fits(smaller, budget.bytes, "no smaller model is enough");
  return text;
}

}  // namespace xtts::train
