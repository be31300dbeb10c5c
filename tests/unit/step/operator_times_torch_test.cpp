#include "step/operator_times_torch.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <torch/types.h>

namespace myxtts::step {
namespace {

std::int64_t calls_of(const OperatorTimes& times, const std::string& name) {
  const std::vector<OperatorTimes::Entry> all = times.entries();
  const auto found = std::ranges::find(all, name, &OperatorTimes::Entry::name);
  return found == all.end() ? 0 : found->calls;
}

TEST(OperatorTimes, CountsCallsDuringItsLifetime) {
  const torch::Tensor a = torch::ones({8, 8});
  (void)at::mm(a, a);
  const OperatorTimes times;
  (void)at::mm(a, a);
  (void)at::mm(a, a);

  EXPECT_EQ(calls_of(times, "aten::mm"), 2);
}

TEST(OperatorTimes, MeasuresSelfTimeWithoutNestedOperators) {
  const torch::Tensor a = torch::ones({300, 300});
  const OperatorTimes times;
  {
    RECORD_FUNCTION("around", std::vector<c10::IValue>());
    for (int i = 0; i < 20; ++i)
      (void)at::mm(a, a);
  }

  const std::vector<OperatorTimes::Entry> all = times.entries();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().name, "aten::mm");
  EXPECT_EQ(calls_of(times, "around"), 1);
  EXPECT_TRUE(std::ranges::is_sorted(all, std::ranges::greater{}, &OperatorTimes::Entry::seconds));
}

TEST(OperatorTimes, IncludesTheBackwardPass) {
  const torch::Tensor a = torch::ones({8, 8}).set_requires_grad(true);
  const OperatorTimes times;
  at::mm(a, a).sum().backward();

  EXPECT_EQ(calls_of(times, "aten::mm"), 3);
}

}  // namespace
}  // namespace myxtts::step
