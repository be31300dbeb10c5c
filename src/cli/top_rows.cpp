#include "cli/top_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/bar_rows.h"
#include "corpus/reasons.h"
#include "rules/format.h"
#include "rules/time_split.h"

namespace xtts::cli {
namespace {

constexpr std::size_t kPartsShown = 4;
constexpr std::size_t kUpdatesPerBar = 8;
constexpr double kBehindWait = 0.05;  // of the model's time
constexpr std::size_t kLongestName = 60;

using Reading = std::function<double(const train::TailedUpdate&)>;

std::string loss_text(double loss) {
  return std::isfinite(loss) ? fmt::format("{:.4f}", loss) : "not finite";
}

std::size_t columns_of(const FrameStyle& style) {
  return static_cast<std::size_t>(style.size.columns);
}

// Of the updates that a row shows: as many as its bars can stand for without becoming a blur.
std::vector<double> values_of(const Reading& reading,
                              const TopView& view,
                              const FrameStyle& style) {
  const std::size_t bars = std::max<std::size_t>(bar_columns(columns_of(style)), 1);
  const std::size_t shown = std::min(view.updates.size(), kUpdatesPerBar * bars);
  std::vector<double> values;
  for (std::size_t i = view.updates.size() - shown; i < view.updates.size(); ++i)
    values.push_back(reading(view.updates[i]));
  return values;
}

std::string row_text(const BarRow& row, const FrameStyle& style) {
  return text_of(row, columns_of(style), style.unicode);
}

double whole_s(const train::TailedUpdate& update) {
  return update.times.step_s + update.times.wait_s.value_or(0.0) +
         update.times.host_s.value_or(0.0);
}

}  // namespace

std::string plain_word(const std::string& word) {
  return corpus::printable(word, kLongestName);
}

void add_losses(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const train::TailedUpdate& last = view.updates.back();
  const auto add = [&](int rank, std::string label, double value, const Reading& reading) {
    lines.push_back({rank,
                     row_text({.label = std::move(label),
                               .value = loss_text(value),
                               .values = values_of(reading, view, style),
                               .words = loss_text},
                              style)});
  };
  add(1, "loss", last.loss, [](const auto& update) { return update.loss; });
  for (std::size_t i = 0; i < std::min(last.parts.size(), kPartsShown); ++i) {
    const std::string name = fitted(plain_word(last.parts[i].first), kLabelColumns - 3);
    add(6, "  " + name, last.parts[i].second, [i](const auto& update) {
      return i < update.parts.size() ? update.parts[i].second : std::nan("");
    });
  }
  if (!view.validation) return;
  lines.push_back(
      {3,
       row_text({.label = "validation", .value = loss_text(view.validation->loss)}, style) +
           fmt::format("at step {}", view.validation->step)});
}

// One scale for an update and its parts, so that they can be compared.
void add_times(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const rules::TimeSplit split = rules::split_of(view.record.steps);
  const double high = range_of(values_of(whole_s, view, style)).high;
  const auto add = [&](int rank, const char* label, const std::string& value, const Reading& part) {
    lines.push_back({rank,
                     row_text({.label = label,
                               .value = value,
                               .values = values_of(part, view, style),
                               .words = rules::seconds_text,
                               .low = 0.0,
                               .high = high},
                              style)});
  };
  const auto share = [&split](double part_s) { return rules::percent(split.share_of(part_s)); };
  add(2, "update", rules::seconds_text(view.update_s()), whole_s);
  add(4, "  compute", share(split.compute_s), [](const auto& update) {
    return update.times.step_s - update.times.copy_s.value_or(0.0);
  });
  add(4, "  wait", share(split.wait_s), [](const auto& update) {
    return update.times.wait_s.value_or(std::nan(""));
  });
  if (split.copy_s > 0.0) {
    add(5, "  copy", share(split.copy_s), [](const auto& update) {
      return update.times.copy_s.value_or(std::nan(""));
    });
  }
  if (split.has_host) {
    add(4, "  host", share(split.host_s), [](const auto& update) {
      return update.times.host_s.value_or(std::nan(""));
    });
  }
}

// What each lane is at: the model's by its times, the data's by what it has ready.
void add_lanes(const TopView& view, FrameLines& lines) {
  const rules::TimeSplit split = rules::split_of(view.record.steps);
  const std::optional<std::int64_t> depth = view.updates.back().times.buffer_depth;
  const double starved = split.share_of_wanted(rules::starved_s(view.record.steps));
  std::string data = starved > kBehindWait ? "behind" : "ahead";
  if (depth) data += fmt::format(", {} ready", *depth);
  lines.push_back({3,
                   fmt::format("{:<{}}model: busy {}   data: {}",
                               "lanes",
                               kLabelColumns,
                               rules::percent(split.share_of(split.compute_s)),
                               data)});
}

void add_buffer(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const std::optional<std::int64_t> depth = view.updates.back().times.buffer_depth;
  if (!depth) return;
  const auto reading = [](const train::TailedUpdate& update) {
    const std::optional<std::int64_t> ready = update.times.buffer_depth;
    return ready ? static_cast<double>(*ready) : std::nan("");
  };
  lines.push_back({2,
                   row_text({.label = "buffer",
                             .value = std::to_string(*depth),
                             .values = values_of(reading, view, style),
                             .words = [](double value) { return fmt::format("{:.0f}", value); },
                             .low = 0.0},
                            style)});
}

void add_counts(const TopView& view, const FrameStyle& style, FrameLines& lines) {
  const train::TailedUpdate& last = view.updates.back();
  const std::int64_t recent = rules::num_retraces(view.record.steps);
  lines.push_back({3,
                   fmt::format("{:<{}}{} in the last {}, {} in all",
                               "retraces",
                               kLabelColumns,
                               recent,
                               rules::counted(std::ssize(view.record.steps), "step"),
                               last.retraces)});
  const std::vector<std::string> pieces = {
      fmt::format("{:<{}}lr {:.1e}", "last step", kLabelColumns, last.lr),
      fmt::format("grad norm {:.3g}", last.grad_norm),
      fmt::format("signature {}", plain_word(last.times.signature))};
  for (const std::string& line : flowed(pieces, columns_of(style), "   "))
    lines.push_back({7, line});
  const auto skipped = std::ranges::count(view.updates, true, &train::TailedUpdate::skipped);
  if (skipped > 0) {
    lines.push_back({1,
                     fmt::format("{:<{}}{} of the last {} refused: their loss was not finite",
                                 "skipped",
                                 kLabelColumns,
                                 skipped,
                                 rules::counted(std::ssize(view.updates), "update"))});
  }
}

}  // namespace xtts::cli
