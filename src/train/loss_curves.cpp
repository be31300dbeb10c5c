#include "train/loss_curves.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace myxtts::train {
namespace {

constexpr std::string_view kTotal = "total";

struct NamedCurves {
  std::string name;
  ThinnedCurve training;
  ThinnedCurve validation;
};

// Returns "total" for the key `whole`, "mel" for a key such as "loss_mel" with prefix "loss_".
std::optional<std::string> name_after(std::string_view key,
                                      std::string_view whole,
                                      std::string_view prefix) {
  if (key == whole) return std::string(kTotal);
  if (!key.starts_with(prefix)) return std::nullopt;
  return std::string(key.substr(prefix.size()));
}

class Collector {
 public:
  explicit Collector(std::size_t max_points) : max_points_(max_points) {}

  void add(const nlohmann::ordered_json& line) {
    const double step = line["step"].get<double>();
    for (const auto& [key, value] : line.items()) {
      if (!value.is_number()) continue;
      if (const auto validated = name_after(key, "validation_loss", "validation_")) {
        curve(*validated).validation.add(step, value.get<double>());
      } else if (const auto trained = name_after(key, "loss", "loss_")) {
        curve(*trained).training.add(step, value.get<double>());
      }
    }
  }

  std::vector<LossCurve> curves() const {
    std::vector<LossCurve> curves;
    for (const NamedCurves& one : collected_)
      curves.push_back({one.name, one.training.points(), one.validation.points()});
    std::ranges::stable_partition(curves, [](const LossCurve& one) { return one.name == kTotal; });
    return curves;
  }

 private:
  NamedCurves& curve(const std::string& name) {
    const auto found = std::ranges::find(collected_, name, &NamedCurves::name);
    if (found != collected_.end()) return *found;
    collected_.push_back({name, ThinnedCurve(max_points_), ThinnedCurve(max_points_)});
    return collected_.back();
  }

  std::size_t max_points_;
  std::vector<NamedCurves> collected_;
};

}  // namespace

void ThinnedCurve::add(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  if (bins_.size() == max_points_ && bins_.back().count == per_bin_) merge_neighbours();
  if (bins_.empty() || bins_.back().count == per_bin_) bins_.push_back({});
  bins_.back().sum_x += x;
  bins_.back().sum_y += y;
  ++bins_.back().count;
}

// Halves the number of bins; each then holds twice as many values.
void ThinnedCurve::merge_neighbours() {
  std::vector<Bin> merged((bins_.size() + 1) / 2);
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    Bin& bin = merged[i / 2];
    bin.sum_x += bins_[i].sum_x;
    bin.sum_y += bins_[i].sum_y;
    bin.count += bins_[i].count;
  }
  bins_ = std::move(merged);
  per_bin_ *= 2;
}

Curve ThinnedCurve::points() const {
  Curve points;
  for (const Bin& bin : bins_) {
    const auto count = static_cast<double>(bin.count);
    points.emplace_back(bin.sum_x / count, bin.sum_y / count);
  }
  return points;
}

std::vector<LossCurve> read_loss_curves(const std::filesystem::path& metrics,
                                        std::size_t max_points) {
  Collector collector(max_points);
  std::ifstream file(metrics, std::ios::binary);
  std::string line;
  while (std::getline(file, line)) {
    // ordered_json keeps the order of the file.
    const nlohmann::ordered_json read =
        nlohmann::ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    const bool is_metrics_line =
        read.is_object() && read.contains("step") && read["step"].is_number();
    if (is_metrics_line) collector.add(read);
  }
  return collector.curves();
}

}  // namespace myxtts::train
