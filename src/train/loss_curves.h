#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace xtts::train {

using Curve = std::vector<std::pair<double, double>>;  // step, value; steps ascending, all finite

// A curve of any length in few points: each is the mean of equally many values that follow each
// other (the last one of fewer).
class ThinnedCurve {
 public:
  explicit ThinnedCurve(std::size_t max_points) : max_points_(max_points) {}

  void add(double x, double y);  // what is not finite is left out
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

// One loss over the steps of a run, on what was learned and on what was held back.
struct LossCurve {
  std::string name;  // "total", or that of a part (step/loss_parts_torch.h)
  Curve training;
  Curve validation;
};

// The losses that metrics.jsonl has (train/metrics_log.h), the total first. Lines that are not of
// ours are passed over; a file that is not there gives none.
std::vector<LossCurve> read_loss_curves(const std::filesystem::path& metrics,
                                        std::size_t max_points);

}  // namespace xtts::train
