#include "base/cpu_features.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

// Returns the features that /proc/cpuinfo lists for the first processor.
std::set<std::string> features_by_kernel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream flags(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(flags), {}};
  }
  return {};
}

TEST(CpuFeatures, AgreesWithTheKernel) {
  if (architecture() != "x86_64")
    GTEST_SKIP() << "the kernel uses other names on this architecture";
  const std::set<std::string> expected = features_by_kernel();
  const std::vector<std::string> found = cpu_features();

  for (const char* name : {"sse4_2", "avx2", "fma", "avx512f", "avx512_bf16", "avx512_fp16"}) {
    EXPECT_EQ(std::ranges::count(found, name), expected.contains(name) ? 1 : 0) << name;
  }
}

TEST(CpuFeatures, AmxIsListedOnlyWithATilePalette) {
  if (architecture() != "x86_64") GTEST_SKIP() << "tiles exist on x86 only";
  const std::set<std::string> reported = features_by_kernel();
  const bool is_listed = std::ranges::count(cpu_features(), "amx_bf16") == 1;

  EXPECT_EQ(is_listed, reported.contains("amx_bf16") && !has_unlisted_tiles());
  EXPECT_TRUE(reported.contains("amx_tile") || !has_unlisted_tiles());
  EXPECT_TRUE(reported.contains("amx_tile") || !has_refused_tiles());
}

TEST(HasBf16, KnowsTheFeatureNamesOfAllArchitectures) {
  for (const char* name : {"avx512_bf16", "amx_bf16", "bf16"})
    EXPECT_TRUE(has_bf16(std::vector<std::string>{"avx2", name})) << name;
  EXPECT_FALSE(has_bf16(std::vector<std::string>{"avx2", "avx512f", "avx512_fp16", "neon", "sve"}));
  EXPECT_FALSE(has_bf16({}));
}

}  // namespace
}  // namespace myxtts::base
