#include "data/epoch_order.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/random.h"

namespace myxtts::data {
namespace {

// Returns the utterances of each signature, in corpus order.
std::vector<std::vector<std::size_t>> members_of(const ShapePlan& plan,
                                                 std::span<const Lengths> lengths) {
  std::vector<std::vector<std::size_t>> members(plan.signatures.size());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (const auto signature = plan.find_signature(lengths[i])) members[*signature].push_back(i);
  }
  return members;
}

// Cuts into pieces of `size`; the last may be shorter.
std::vector<std::vector<std::size_t>> cut(std::span<const std::size_t> items, std::size_t size) {
  std::vector<std::vector<std::size_t>> pieces;
  for (std::size_t begin = 0; begin < items.size(); begin += size) {
    const auto piece = items.subspan(begin, std::min(size, items.size() - begin));
    pieces.push_back({piece.begin(), piece.end()});
  }
  return pieces;
}

std::size_t num_rows_of(const Signature& signature) {
  invariant(signature.batch >= 1, "every signature of a plan has rows");
  return static_cast<std::size_t>(signature.batch);
}

}  // namespace

std::vector<PlannedBatch> sample_epoch(std::uint64_t seed,
                                       std::int64_t epoch,
                                       const ShapePlan& plan,
                                       int grad_accum,
                                       std::span<const Lengths> lengths) {
  invariant(grad_accum >= 1, "a batch has at least one micro-batch");
  base::Random random(base::mix_seed(seed, "order", static_cast<std::uint64_t>(epoch)));
  const std::vector<std::vector<std::size_t>> members = members_of(plan, lengths);

  std::vector<PlannedBatch> batches;
  std::vector<std::size_t> pool;
  for (std::size_t s = 0; s < members.size(); ++s) {
    // The pool already holds the remainder of the shorter signature. It is shuffled with the rest:
    // at the front it would never be dropped, at the back always.
    pool.insert(pool.end(), members[s].begin(), members[s].end());
    random.shuffle(pool);
    const std::size_t rows = num_rows_of(plan.signatures[s]);
    const std::size_t per_batch = rows * static_cast<std::size_t>(grad_accum);
    const std::size_t used = pool.size() / per_batch * per_batch;
    for (std::size_t begin = 0; begin < used; begin += per_batch) {
      batches.push_back(
          {.signature = s, .micro_batches = cut(std::span(pool).subspan(begin, per_batch), rows)});
    }
    pool.erase(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(used));
  }
  random.shuffle(batches);
  return batches;
}

std::int64_t batches_per_epoch(const ShapePlan& plan,
                               int grad_accum,
                               std::span<const Lengths> lengths) {
  std::vector<std::size_t> members(plan.signatures.size());
  for (const Lengths& one : lengths) {
    if (const auto signature = plan.find_signature(one)) ++members[*signature];
  }
  std::size_t batches = 0;
  std::size_t pool = 0;
  for (std::size_t s = 0; s < members.size(); ++s) {
    const std::size_t per_batch =
        num_rows_of(plan.signatures[s]) * static_cast<std::size_t>(grad_accum);
    pool += members[s];
    batches += pool / per_batch;
    pool %= per_batch;
  }
  return static_cast<std::int64_t>(batches);
}

std::vector<PlannedBatch> validation_order(const ShapePlan& plan,
                                           std::span<const Lengths> lengths) {
  const std::vector<std::vector<std::size_t>> members = members_of(plan, lengths);
  std::vector<PlannedBatch> batches;
  for (std::size_t s = 0; s < members.size(); ++s) {
    for (std::vector<std::size_t>& micro_batch : cut(members[s], num_rows_of(plan.signatures[s]))) {
      batches.push_back({.signature = s, .micro_batches = {std::move(micro_batch)}});
    }
  }
  return batches;
}

}  // namespace myxtts::data
