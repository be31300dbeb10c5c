// Reads loss curves from metrics.jsonl, downsampled for plots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace myxtts::train {

using Curve = std::vector<std::pair<double, double>>;  // step, value; steps ascending, all finite

// Downsamples a curve to a limited number of points; each is the mean of equally many consecutive
// values (the last one of fewer).
class ThinnedCurve {
 public:
  explicit ThinnedCurve(std::size_t max_points) : max_points_(max_points) {}

  void add(double x, double y);  // ignores values that are not finite
  Curve points() const;          // at most max_points

 private:
  struct Bin {
    double sum_x = 0.0;
    double sum_y = 0.0;
    std::size_t count = 0;
  };

  void merge_neighbours();

  std::size_t max_points_;  // >= 2
  std::size_t per_bin_ = 1;
  std::vector<Bin> bins_;
};

// A loss over the steps of a run, on training and validation data.
struct LossCurve {
  std::string name;  // "total" or the name of a loss part (step/loss_parts_torch.h)
  Curve training;
  Curve validation;
};

// Reads the losses from metrics.jsonl (train/metrics_log.h), the total first. Ignores other lines;
// a missing file has no curves.
std::vector<LossCurve> read_loss_curves(const std::filesystem::path& metrics,
                                        std::size_t max_points);

}  // namespace myxtts::train
