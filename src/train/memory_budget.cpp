#include "train/memory_budget.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/memory.h"

namespace myxtts::train {
namespace {

constexpr double kShareOfFree = 0.8;  // the rest is for other processes and for estimation errors

std::string format_gigabytes(double bytes) {
  return fmt::format("{:.2f} GB", bytes / 1e9);
}

const SignatureNeed& largest(const MemoryNeed& need) {
  return *std::ranges::max_element(need.signatures, {}, &SignatureNeed::step_bytes);
}

std::string format_alternative(std::string_view flags, double bytes, std::string_view drawback) {
  return fmt::format(
      "\n  {:<24} {}{}{}", flags, format_gigabytes(bytes), drawback.empty() ? "" : "; ", drawback);
}

std::string format_first_that_fits(std::span<const Alternative> all,
                                   double budget,
                                   std::string_view otherwise) {
  const auto found =
      std::ranges::find_if(all, [&](const Alternative& one) { return one.total_bytes <= budget; });
  if (found == all.end()) return fmt::format("\n  {}", otherwise);
  return format_alternative(found->flags, found->total_bytes, found->drawback);
}

}  // namespace

double MemoryNeed::step_bytes() const {
  return signatures.empty() ? 0.0 : largest(*this).step_bytes();
}

double MemoryNeed::total_bytes_at(int batch_size, int now) const {
  double largest_need = 0.0;
  for (const SignatureNeed& need : signatures) {
    const double rows = static_cast<double>(need.signature.batch) * batch_size / now;
    largest_need =
        std::max(largest_need, need.bytes.at(std::max<std::int64_t>(1, std::llround(rows))));
  }
  return resident_bytes + pending_bytes + buffer_bytes * batch_size / now + checkpoint_bytes +
         largest_need;
}

MemoryBudget memory_budget(const std::string& configured, double resident, double free) {
  if (configured == "auto") {
    return {.bytes = resident + kShareOfFree * free, .source = "80 % of the free memory"};
  }
  const std::optional<std::int64_t> bytes = base::parse_bytes(configured);
  require_usage(bytes.has_value(),
                "training.memory_budget is '{}', expected auto or a size such as 800MB or 6GB",
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

std::string format_memory_refusal(const MemoryNeed& need,
                                  const MemoryBudget& budget,
                                  int batch_size,
                                  int grad_accum,
                                  std::span<const Alternative> shorter,
                                  std::span<const Alternative> smaller) {
  const SignatureNeed& largest_need = largest(need);
  std::string text = fmt::format(
      "this training needs {} ({} before its first step, {} for the buffer, {} for a step of {}, "
      "{} for a checkpoint), the limit is {} ({}). Settings that fit:",
      format_gigabytes(need.total_bytes()),
      format_gigabytes(need.resident_bytes + need.pending_bytes),
      format_gigabytes(need.buffer_bytes),
      format_gigabytes(largest_need.step_bytes()),
      data::name_of(largest_need.signature),
      format_gigabytes(need.checkpoint_bytes),
      format_gigabytes(budget.bytes),
      budget.source);
  if (const auto batch = largest_batch_that_fits(need, budget.bytes, batch_size, grad_accum)) {
    text += format_alternative(
        fmt::format("--batch-size {}", *batch), need.total_bytes_at(*batch, batch_size), "");
  } else {
    text += "\n  no smaller batch fits";
  }
  text += format_first_that_fits(shorter,
                                 budget.bytes,
                                 largest_need.signature.samples > 0
                                     ? "no shorter crop fits"
                                     : "no shorter utterance limit fits");
  text += format_first_that_fits(smaller, budget.bytes, "no smaller model fits");
  return text;
}

}  // namespace myxtts::train
