#include "data/buffer_size.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace myxtts::data {
namespace {

constexpr double kPauseSteps = 16.0;    // pause of the loader that the buffer bridges
constexpr double kMinWaitShare = 0.01;  // of the time
constexpr double kMemoryMargin = 0.75;  // of the batches that fit
constexpr int kSettleObservations = 2;  // a new size must fill first
constexpr int kCalmObservations = 8;
constexpr int kFirstMemoryHold = 8;
constexpr int kLongestMemoryHold = 1024;

std::int64_t batches_that_fit(std::int64_t free_bytes,
                              std::int64_t batch_bytes,
                              const BufferBounds& bounds) {
  const std::int64_t fit =
      buffer_bytes_allowed(free_bytes, bounds) / std::max<std::int64_t>(1, batch_bytes);
  return std::clamp<std::int64_t>(fit, 1, std::max<std::int64_t>(1, bounds.max_batches));
}

// Leaves a margin below the batches that fit into memory, so that slightly less memory later does
// not undo the size.
std::int64_t with_margin(std::int64_t fit, const BufferBounds& bounds) {
  if (fit >= bounds.max_batches) return fit;  // memory is not the limit
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(kMemoryMargin * static_cast<double>(fit)));
}

// Returns the size without bounds; may be infinite.
double batches_wanted(const std::optional<double>& load_over_train) {
  if (!load_over_train || std::isnan(*load_over_train)) {
    return static_cast<double>(kUnmeasuredBuffer);
  }
  const double to_spare = *load_over_train - 1.0;
  if (to_spare <= 0.0) return HUGE_VAL;
  return kPauseSteps * (1.0 + 1.0 / to_spare);
}

double share_of_time(double part, double whole) {
  return whole > 0.0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0;
}

double megabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

}  // namespace

std::int64_t buffer_bytes_allowed(std::int64_t free_bytes, const BufferBounds& bounds) {
  const double allowed = bounds.share_of_free_memory * static_cast<double>(free_bytes);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(allowed), 0, bounds.max_bytes);
}

std::int64_t auto_buffer_size(const BufferNeeds& needs, const BufferBounds& bounds) {
  const std::int64_t most =
      with_margin(batches_that_fit(needs.free_bytes, needs.largest_batch_bytes, bounds), bounds);
  const double wanted = std::ceil(batches_wanted(needs.load_over_train));
  if (wanted >= static_cast<double>(most)) return most;
  return std::min(most, std::max(bounds.min_batches, static_cast<std::int64_t>(wanted)));
}

BufferSizer::BufferSizer(const BufferNeeds& needs, const BufferBounds& bounds)
    : bounds_(bounds),
      batch_bytes_(needs.largest_batch_bytes),
      size_(auto_buffer_size(needs, bounds)) {}

std::int64_t BufferSizer::max_that_fit(std::int64_t free_bytes) const {
  return batches_that_fit(free_bytes, batch_bytes_, bounds_);
}

BufferChange BufferSizer::change_to(std::int64_t size, const std::string& why) {
  const std::int64_t from = std::exchange(size_, size);
  calm_ = 0;
  hold_ = std::max(hold_, kSettleObservations);
  return {.from = from,
          .to = size,
          .line = fmt::format("[pipeline] buffer {} -> {} batches: {}\n", from, size, why)};
}

std::optional<BufferChange> BufferSizer::observe(const BufferObservation& seen) {
  if (hold_ > 0) --hold_;
  const std::int64_t free_bytes =
      seen.free_bytes + seen.buffered_bytes;  // as if the buffer were empty
  const std::int64_t fit = max_that_fit(free_bytes);
  if (fit < size_) {
    memory_hold_ = std::clamp(2 * memory_hold_, kFirstMemoryHold, kLongestMemoryHold);
    hold_ = std::max(hold_, memory_hold_);
    return change_to(with_margin(fit, bounds_),
                     fmt::format("low memory ({:.0f} MB free, {:.0f} MB of it for the buffer)",
                                 megabytes(free_bytes),
                                 megabytes(buffer_bytes_allowed(free_bytes, bounds_))));
  }

  const double waited = share_of_time(seen.waited_s, seen.elapsed_s);
  const bool was_full = seen.max_depth >= size_;
  if (waited > kMinWaitShare) {
    calm_ = 0;
    if (!was_full || hold_ > 0) return std::nullopt;
    too_small_ = std::max(too_small_, size_);
    const std::int64_t larger = std::min(2 * size_, with_margin(fit, bounds_));
    if (larger <= size_) return std::nullopt;
    return change_to(
        larger,
        fmt::format("the model waited {:.1f} % of {:.0f} s although the buffer had been full",
                    100.0 * waited,
                    seen.elapsed_s));
  }

  const std::int64_t half = std::max(size_ / 2, bounds_.min_batches);
  const bool is_untouched = seen.min_depth > half && half < size_;
  const bool is_spare = seen.load_over_train.has_value() &&
                        batches_wanted(seen.load_over_train) <= static_cast<double>(half);
  calm_ = is_untouched && is_spare ? calm_ + 1 : 0;
  if (calm_ < kCalmObservations || half <= too_small_) return std::nullopt;
  return change_to(
      half,
      fmt::format("never below {} recently, and loading is {:.1f} x as fast as training",
                  seen.min_depth,
                  seen.load_over_train.value_or(0.0)));
}

}  // namespace myxtts::data
