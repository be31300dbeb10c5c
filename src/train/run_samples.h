#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace xtts::train {

// One file of RUN/samples: "step_00000500_1_alignment.png" is name "1_alignment.png" at step 500.
struct RunSample {
  std::int64_t step = 0;
  std::string name;
  std::filesystem::path path;
};

std::filesystem::path sample_path(const std::filesystem::path& run,
                                  std::int64_t step,
                                  const std::string& name);

// The samples of this name, by step. None if the folder cannot be read.
std::vector<RunSample> samples_of(const std::filesystem::path& run, const std::string& name);

// At most `count` of them, the first and the last among them. A voice changes most in its first
// steps, so the steps between grow by an equal factor as far as there are samples. count >= 2.
std::vector<RunSample> spread_over_time(const std::vector<RunSample>& samples, std::size_t count);

}  // namespace xtts::train
