// Dynamic programming over the groups: the best cut of the first `end` groups into k parts is, for
// some `begin`, the best cut of the first `begin` groups into k - 1 parts and one part of the rest.
// With at most 400 groups that is 80,000 sums per k.

#include "data/length_cuts.h"

#include <algorithm>
#include <limits>
#include <map>

namespace myxtts::data {
namespace {

constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::max();

// Precomputed values of the dynamic programme.
struct Tables {
  std::vector<std::int64_t> counts;  // [groups + 1] utterances in the first `end` groups
  std::vector<std::int64_t> least;   // [groups] minimum utterances of a part that ends here
};

Tables tables_of(std::span<const LengthGroup> groups,
                 const std::function<std::int64_t(std::int64_t mel)>& min_count) {
  Tables tables{.counts = {0}, .least = {}};
  for (const LengthGroup& group : groups) {
    tables.counts.push_back(tables.counts.back() + group.count);
    tables.least.push_back(min_count(group.mel));
  }
  return tables;
}

// One row of the dynamic programme: the best cut of the first `end` groups, for every `end`.
struct Row {
  std::vector<std::int64_t> frames;  // padded frames; kImpossible if there is no such cut
  std::vector<std::size_t> begin;    // begin of the last part
};

Row impossible(std::size_t num_groups) {
  return {std::vector<std::int64_t>(num_groups + 1, kImpossible),
          std::vector<std::size_t>(num_groups + 1)};
}

Row no_parts(std::size_t num_groups) {
  Row row = impossible(num_groups);
  row.frames[0] = 0;
  return row;
}

Row add_part(const Row& before, std::span<const LengthGroup> groups, const Tables& tables) {
  Row row = impossible(groups.size());
  for (std::size_t end = 1; end <= groups.size(); ++end) {
    for (std::size_t begin = 0; begin < end; ++begin) {
      const std::int64_t count = tables.counts[end] - tables.counts[begin];
      if (count < tables.least[end - 1]) break;  // a later begin leaves even fewer
      if (before.frames[begin] == kImpossible) continue;
      const std::int64_t frames = before.frames[begin] + count * groups[end - 1].mel;
      if (frames >= row.frames[end]) continue;
      row.frames[end] = frames;
      row.begin[end] = begin;
    }
  }
  return row;
}

// Returns the M of each part of the best cut.
std::vector<std::int64_t> trace_back(std::span<const LengthGroup> groups,
                                     std::span<const Row> rows) {
  std::vector<std::int64_t> mels;
  std::size_t end = groups.size();
  for (std::size_t k = rows.size(); k > 1; --k) {
    mels.push_back(groups[end - 1].mel);
    end = rows[k - 1].begin[end];
  }
  std::ranges::reverse(mels);
  return mels;
}

}  // namespace

std::int64_t rounded_size(std::int64_t size) {
  const std::int64_t multiples = (size + kSizeMultiple - 1) / kSizeMultiple;
  return std::max<std::int64_t>(1, multiples) * kSizeMultiple;
}

std::vector<LengthGroup> group_by_mel(std::span<const Lengths> lengths, std::size_t max_groups) {
  if (lengths.empty()) return {};
  const auto longest = std::ranges::max_element(lengths, {}, &Lengths::mel);
  const std::int64_t finest = rounded_size(longest->mel) / kSizeMultiple;
  const auto max = static_cast<std::int64_t>(max_groups);
  const std::int64_t step = kSizeMultiple * ((finest + max - 1) / max);

  std::map<std::int64_t, LengthGroup> groups;
  for (const Lengths& one : lengths) {
    LengthGroup& group = groups[std::max<std::int64_t>(0, one.mel - 1) / step];
    group.mel = std::max(group.mel, rounded_size(one.mel));
    ++group.count;
  }
  std::vector<LengthGroup> ascending;
  for (const auto& entry : groups)
    ascending.push_back(entry.second);
  return ascending;
}

std::vector<std::vector<std::int64_t>> best_cuts(
    std::span<const LengthGroup> groups,
    int max_parts,
    const std::function<std::int64_t(std::int64_t mel)>& min_count) {
  if (groups.empty()) return {};
  const Tables tables = tables_of(groups, min_count);
  std::vector<std::vector<std::int64_t>> cuts{{groups.back().mel}};
  std::vector<Row> rows{no_parts(groups.size())};
  rows.push_back(add_part(rows.back(), groups, tables));
  while (std::ssize(cuts) < max_parts) {
    rows.push_back(add_part(rows.back(), groups, tables));
    if (rows.back().frames.back() == kImpossible) break;
    cuts.push_back(trace_back(groups, rows));
  }
  return cuts;
}

}  // namespace myxtts::data
