#include "checkpoint/tensors_torch.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::checkpoint {
namespace {

TensorFile file_of(const std::vector<TensorView>& views) {
  return parse_safetensors(safetensors_bytes(views, {}), "model.safetensors");
}

template <typename Action>
std::string reason_of(const Action& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// A parameter set with two random parameters.
struct TwoParameters {
  explicit TwoParameters(std::uint64_t seed, std::int64_t width = 3) : parameters(seed) {
    parameters.add("a.weight", {2, width}, 1.0);
    parameters.add("b", {4}, 1.0);
    parameters.flatten();
  }

  model::ParameterSet parameters;
};

TEST(TensorsTorch, RoundTripIsExactForEverySupportedType) {
  const torch::Tensor values = model::random_tensor({3, 5}, 1) * 100.0;
  for (const torch::ScalarType type :
       {torch::kFloat32, torch::kBFloat16, torch::kInt64, torch::kUInt8}) {
    const torch::Tensor tensor = values.abs().to(type);
    const torch::Tensor single = torch::full({}, 7, type);
    const torch::Tensor empty = torch::empty({0, 4}, type);

    const TensorFile file =
        file_of({view_of("x", tensor), view_of("single", single), view_of("empty", empty)});

    EXPECT_TRUE(model::same_bits(tensor_of(file, "x"), tensor)) << c10::toString(type);
    EXPECT_TRUE(model::same_bits(tensor_of(file, "single"), single)) << c10::toString(type);
    EXPECT_EQ(tensor_of(file, "empty").sizes(), empty.sizes()) << c10::toString(type);
  }
}

TEST(TensorsTorch, NamesTheMissingOrMismatchedTensor) {
  const torch::Tensor tensor = model::random_tensor({3, 5}, 1);
  const TensorFile file = file_of({view_of("weight", tensor)});
  const auto copy = [&](const torch::Tensor& target) {
    return reason_of([&] { copy_into(file.at("weight"), target); });
  };

  const std::string shape = copy(torch::zeros({5, 3}));
  EXPECT_NE(shape.find("'weight' is F32 [3, 5]"), std::string::npos) << shape;
  EXPECT_NE(shape.find("[5, 3]"), std::string::npos) << shape;
  EXPECT_NE(copy(torch::zeros({3, 5}, torch::kInt64)).find("'weight'"), std::string::npos);
  const std::string absent = reason_of([&] { tensor_of(file, "wieght"); });
  EXPECT_NE(absent.find("weight"), std::string::npos) << absent;
}

TEST(TensorsTorch, RefusesUnsupportedTypesAndNonContiguousTensors) {
  EXPECT_THROW(view_of("x", torch::zeros({2}, torch::kFloat64)), BugError);
  EXPECT_THROW(view_of("x", torch::zeros({2, 3}).t()), BugError);

  const std::string bytes(8, '\0');
  const TensorView half{
      .name = "half", .dtype = DType::kF16, .shape = {4}, .bytes = std::as_bytes(std::span(bytes))};
  const TensorFile file = file_of({half});
  EXPECT_NE(reason_of([&] { tensor_of(file, "half"); }).find("F16"), std::string::npos);
}

TEST(Weights, TrainedAndEmaWeightsRoundTrip) {
  TwoParameters saved(1);
  const torch::Tensor ema = model::random_tensor({10}, 2);
  const TensorFile file = file_of(weight_views(saved.parameters, saved.parameters.values(), ema));

  TwoParameters trained(3);
  load_weights(file, trained.parameters, /*use_ema=*/false);
  EXPECT_TRUE(model::same_bits(trained.parameters.values(), saved.parameters.values()));
  EXPECT_TRUE(model::same_bits(trained.parameters.tensors()[0], saved.parameters.tensors()[0]));

  TwoParameters with_ema(4);
  load_weights(file, with_ema.parameters, /*use_ema=*/true);
  EXPECT_TRUE(model::same_bits(with_ema.parameters.values(), ema));

  torch::Tensor found = torch::zeros({10});
  load_ema(file, trained.parameters, found);
  EXPECT_TRUE(model::same_bits(found, ema));
}

TEST(Weights, TrainedWeightsReplaceMissingEmaWeights) {
  TwoParameters saved(1);
  const TensorFile file = file_of(weight_views(saved.parameters, saved.parameters.values(), {}));
  ASSERT_EQ(file.tensors.size(), 2U);

  TwoParameters loaded(3);
  load_weights(file, loaded.parameters, /*use_ema=*/true);
  EXPECT_TRUE(model::same_bits(loaded.parameters.values(), saved.parameters.values()));

  torch::Tensor ema = torch::zeros({10});
  const std::string reason = reason_of([&] { load_ema(file, saved.parameters, ema); });
  EXPECT_NE(reason.find("ema.a.weight"), std::string::npos) << reason;
}

TEST(Weights, WeightsOfAnotherModelAreRefused) {
  TwoParameters saved(1);
  const TensorFile file = file_of(weight_views(saved.parameters, saved.parameters.values(), {}));
  TwoParameters wider(1, /*width=*/4);
  EXPECT_NE(reason_of([&] { load_weights(file, wider.parameters, false); }).find("'a.weight'"),
            std::string::npos);

  const TensorFile half = file_of({view_of("a.weight", saved.parameters.tensors()[0])});
  EXPECT_NE(reason_of([&] { load_weights(half, saved.parameters, false); }).find('b'),
            std::string::npos);
}

}  // namespace
}  // namespace myxtts::checkpoint
