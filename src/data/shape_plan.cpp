// The cuts come from length_cuts; this file chooses T and B of each part and the number of parts.
// Text and mel lengths correlate only roughly, so T is chosen after the cut: an utterance with an
// unusually long text moves to a longer signature instead of widening its own.

#include "data/shape_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.h"
#include "data/length_cuts.h"

namespace myxtts::data {
namespace {

constexpr std::int64_t kMinBatches = 4;      // of each signature per epoch
constexpr double kKeptTexts = 0.995;         // share of texts that must fit T
constexpr double kWorthOneSignature = 0.01;  // share of frames that one more signature must save

// Inputs of the planning, with derived values.
struct PlanProblem {
  std::span<const Lengths> lengths;
  PlanSettings settings;
  std::int64_t frames = 0;  // total of all utterances

  std::int64_t count() const { return std::ssize(lengths); }
  std::int64_t micro_batch() const { return settings.batch_size / settings.grad_accum; }
  double mean_mel() const { return static_cast<double>(frames) / static_cast<double>(count()); }

  // B of one of several signatures: all batches cost about the same.
  std::int64_t rows_at(std::int64_t mel) const {
    const double rows = static_cast<double>(micro_batch()) * mean_mel() / static_cast<double>(mel);
    return std::max<std::int64_t>(1, std::llround(rows));
  }
  // B of the only signature.
  std::int64_t rows_alone() const { return rows_of_one_signature(count(), settings); }
  // Minimum utterances of a signature, whose B may be halved to fill its batches.
  std::int64_t min_count_at(std::int64_t mel) const {
    return kMinBatches * settings.grad_accum * ((rows_at(mel) + 1) / 2);
  }
  std::int64_t rows_for(std::int64_t mel, std::int64_t members) const {
    return std::min(rows_at(mel), members / (kMinBatches * settings.grad_accum));
  }
  // As many signatures as fill their batches without a reduced B, on average.
  int max_signatures() const {
    const std::int64_t filled = count() / (kMinBatches * settings.batch_size);
    const int most = settings.max_signatures.value_or(kMaxSignatures);
    return static_cast<int>(std::clamp<std::int64_t>(filled, 1, most));
  }
};

void require_divisible(int batch_size, int grad_accum) {
  require_usage(batch_size >= 1, "batch_size is {}, must be 1 or more", batch_size);
  require_usage(grad_accum >= 1, "grad_accum is {}, must be 1 or more", grad_accum);
  if (batch_size % grad_accum == 0) return;
  int below = std::min(grad_accum, batch_size);
  while (batch_size % below != 0)
    --below;
  int above = grad_accum;
  while (above < batch_size && batch_size % above != 0)
    ++above;
  const std::string nearest =
      above > batch_size ? fmt::to_string(below) : fmt::format("{} or {}", below, above);
  require_usage(false,
                "grad_accum {} does not divide batch_size {}; use grad_accum {}, or batch_size {}",
                grad_accum,
                batch_size,
                nearest,
                (batch_size / grad_accum + 1) * grad_accum);
}

std::int64_t kept_text(std::vector<std::int64_t> texts) {
  if (texts.empty()) return 0;
  std::ranges::sort(texts);
  const double rank = std::ceil(kKeptTexts * static_cast<double>(texts.size()));
  return texts[static_cast<std::size_t>(rank) - 1];
}

// Returns signatures with these M and the B of a single signature. T ascends with M, so that each
// signature also fits whatever the one before fits.
std::vector<Signature> signatures_of(const std::vector<std::int64_t>& mels,
                                     const PlanProblem& task) {
  std::vector<std::vector<std::int64_t>> texts(mels.size());
  std::int64_t longest_text = task.settings.must_hold.text;
  for (const Lengths& one : task.lengths) {
    const auto part = std::ranges::lower_bound(mels, one.mel) - mels.begin();
    texts[static_cast<std::size_t>(part)].push_back(one.text);
    longest_text = std::max(longest_text, one.text);
  }
  std::vector<Signature> signatures;
  std::int64_t text = 0;
  for (std::size_t i = 0; i < mels.size(); ++i) {
    const bool last = i + 1 == mels.size();
    text = std::max(text, rounded_size(last ? longest_text : kept_text(std::move(texts[i]))));
    signatures.push_back({.batch = task.rows_alone(), .text = text, .mel = mels[i]});
  }
  return signatures;
}

std::vector<std::int64_t> count_members(const ShapePlan& plan, std::span<const Lengths> lengths) {
  std::vector<std::int64_t> members(plan.signatures.size());
  for (const Lengths& one : lengths) {
    if (const auto signature = plan.find_signature(one)) ++members[*signature];
  }
  return members;
}

// Returns the plan with these M, without signatures that have too few utterances left after long
// texts moved up. The longest signature only gains utterances.
ShapePlan drop_sparse_signatures(std::vector<std::int64_t> mels, const PlanProblem& task) {
  while (true) {
    ShapePlan plan{.signatures = signatures_of(mels, task), .notes = {}};
    const std::vector<std::int64_t> members = count_members(plan, task.lengths);
    std::size_t i = 0;
    while (i + 1 < mels.size() && members[i] >= task.min_count_at(mels[i]))
      ++i;
    if (i + 1 < mels.size()) {
      mels.erase(mels.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    for (std::size_t s = 0; mels.size() > 1 && s < mels.size(); ++s)
      plan.signatures[s].batch = task.rows_for(mels[s], members[s]);
    return plan;
  }
}

std::int64_t padded_frames(const ShapePlan& plan, std::span<const Lengths> lengths) {
  std::int64_t frames = 0;
  for (const Lengths& one : lengths) {
    if (const auto signature = plan.find_signature(one)) frames += plan.signatures[*signature].mel;
  }
  return frames;
}

// Chooses among the plans for 1, 2, ... parts: the last that saves enough frames, or the best if
// the number of signatures is given.
ShapePlan choose(const PlanProblem& task) {
  const std::optional<int>& wanted = task.settings.max_signatures;
  std::vector<LengthGroup> groups = group_by_mel(task.lengths);
  groups.back().mel = std::max(groups.back().mel, rounded_size(task.settings.must_hold.mel));
  const auto cuts = best_cuts(
      groups, task.max_signatures(), [&](std::int64_t mel) { return task.min_count_at(mel); });
  const std::int64_t must_save =
      wanted ? 1 : std::llround(std::ceil(kWorthOneSignature * static_cast<double>(task.frames)));
  ShapePlan chosen = drop_sparse_signatures(cuts.front(), task);
  std::int64_t frames = padded_frames(chosen, task.lengths);
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    ShapePlan next = drop_sparse_signatures(cuts[i], task);
    const std::int64_t next_frames = padded_frames(next, task.lengths);
    if (next_frames + must_save > frames) {
      if (wanted) continue;
      break;
    }
    chosen = std::move(next);
    frames = next_frames;
  }
  return chosen;
}

std::vector<std::string> notes_of(const ShapePlan& plan, const PlanProblem& task) {
  std::vector<std::string> notes;
  if (auto note = small_batches_note(task.count(), plan.signatures.front().batch, task.settings))
    notes.push_back(*std::move(note));
  if (plan.signatures.size() > 1) {
    const ShapePlan one{.signatures = {plan.signatures.back()}, .notes = {}};
    notes.push_back(fmt::format("with one signature {:.1f} % of the mel frames would be padding",
                                100.0 * padding_of(one, task.lengths)));
  }
  return notes;
}

void require_plannable(std::int64_t count, const PlanSettings& settings) {
  require_divisible(settings.batch_size, settings.grad_accum);
  require_usage(
      count > 0,
      "no utterance to plan for: the corpus has no usable utterance; run: myxtts corpus check");
  require_usage(count >= settings.grad_accum,
                "{} utterances cannot fill {} micro-batches: use grad_accum 1, or a larger corpus",
                count,
                settings.grad_accum);
}

// In random order the longest of B among n utterances is the i-th shortest with probability
// C(i - 1, B - 1) / C(n, B), so that no order is drawn.
double padding_of_random_batches(std::vector<std::int64_t> mels, std::int64_t rows) {
  const std::int64_t count = std::ssize(mels);
  if (rows <= 1 || count < rows) return 0.0;
  std::ranges::sort(mels);
  double probability = static_cast<double>(rows) / static_cast<double>(count);
  double longest = 0.0;
  double sum = 0.0;
  for (std::int64_t i = count; i >= 1; --i) {
    const auto mel = static_cast<double>(mels[static_cast<std::size_t>(i - 1)]);
    sum += mel;
    longest += probability * mel;
    if (i > 1) probability *= static_cast<double>(i - rows) / static_cast<double>(i - 1);
  }
  return longest > 0.0 ? 1.0 - sum / static_cast<double>(count) / longest : 0.0;
}

}  // namespace

std::string_view name_of(ShapeMode mode) {
  switch (mode) {
    case ShapeMode::kFixed:
      return "fixed";
    case ShapeMode::kBuckets:
      return "buckets";
    case ShapeMode::kDynamic:
      return "dynamic";
  }
  return "";
}

std::vector<Signature> ShapePlan::known_shapes() const {
  return is_dynamic() ? std::vector<Signature>{} : signatures;
}

std::optional<std::size_t> ShapePlan::find_signature(const Lengths& lengths) const {
  if (!within(limits, lengths)) return std::nullopt;
  for (std::size_t i = 0; i < signatures.size(); ++i) {
    if (holds(signatures[i], lengths)) return i;
  }
  return std::nullopt;
}

ShapePlan make_shape_plan(std::span<const Lengths> lengths, const PlanSettings& settings) {
  require_plannable(std::ssize(lengths), settings);
  require_usage(settings.max_signatures.value_or(1) >= 1,
                "shape_buckets is {}, must be 1 or more",
                settings.max_signatures.value_or(1));
  PlanProblem task{.lengths = lengths, .settings = settings};
  for (const Lengths& one : lengths)
    task.frames += one.mel;
  ShapePlan plan = choose(task);
  plan.notes = notes_of(plan, task);
  return plan;
}

ShapePlan fixed_shape_plan(const Signature& signature) {
  return {.signatures = {signature},
          .notes = {},
          .mode = ShapeMode::kFixed,
          .limits = {signature.text, signature.mel}};
}

std::int64_t rows_of_one_signature(std::int64_t count, const PlanSettings& settings) {
  require_plannable(count, settings);
  const std::int64_t most = count / (kMinBatches * settings.grad_accum);
  return std::clamp<std::int64_t>(most, 1, settings.batch_size / settings.grad_accum);
}

std::optional<std::string> small_batches_note(std::int64_t count,
                                              std::int64_t rows,
                                              const PlanSettings& settings) {
  if (count >= kMinBatches * settings.batch_size) return std::nullopt;
  return fmt::format("{} utterances fill fewer than {} batches of {}; the batch size is {}",
                     count,
                     kMinBatches,
                     settings.batch_size,
                     rows * settings.grad_accum);
}

double padding_of(const ShapePlan& plan, std::span<const Lengths> lengths) {
  std::vector<std::int64_t> mels;
  for (const Lengths& one : lengths) {
    if (plan.find_signature(one)) mels.push_back(one.mel);
  }
  if (plan.is_dynamic()) return padding_of_random_batches(mels, plan.signatures.front().batch);
  const std::int64_t frames = std::accumulate(mels.begin(), mels.end(), std::int64_t{0});
  const std::int64_t padded = padded_frames(plan, lengths);
  return padded == 0 ? 0.0 : 1.0 - static_cast<double>(frames) / static_cast<double>(padded);
}

}  // namespace myxtts::data
