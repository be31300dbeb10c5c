#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace myxtts::train {

// Names and lists the sample files of a run.

// One file of RUN/samples: "step_00000500_1_alignment.png" is name "1_alignment.png" at step 500.
struct RunSample {
  std::int64_t step = 0;
  std::string name;
  std::filesystem::path path;
};

std::filesystem::path sample_path(const std::filesystem::path& run,
                                  std::int64_t step,
                                  const std::string& name);

// Returns the samples of this name, sorted by step. Empty if the folder cannot be read.
std::vector<RunSample> samples_of(const std::filesystem::path& run, const std::string& name);

// Returns at most `count` samples including the first and the last, at steps that grow
// geometrically, because a voice changes most in its first steps. Requires count >= 2.
std::vector<RunSample> select_over_time(const std::vector<RunSample>& samples, std::size_t count);

}  // namespace myxtts::train
