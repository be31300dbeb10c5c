// Tensor shapes in the model depend on the input signature and not on lengths.
#include <cstddef>
#include <vector>

#include <c10/core/CPUAllocator.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/acoustic_model_torch.h"
#include "unit/model/small_model_torch.h"

namespace myxtts::model {
namespace {

// Wraps LibTorch's allocator during its lifetime and records the size of every allocation.
class RecordedAllocations : public c10::Allocator {
 public:
  RecordedAllocations() : wrapped_(c10::GetCPUAllocator()) { c10::SetCPUAllocator(this); }
  ~RecordedAllocations() override { c10::SetCPUAllocator(wrapped_); }
  RecordedAllocations(const RecordedAllocations&) = delete;
  RecordedAllocations& operator=(const RecordedAllocations&) = delete;

  c10::DataPtr allocate(std::size_t bytes) override {
    sizes.push_back(bytes);
    return wrapped_->allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return wrapped_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    wrapped_->copy_data(to, from, bytes);
  }

  std::vector<std::size_t> sizes;

 private:
  c10::Allocator* wrapped_;
};

std::vector<Row> rows_of_length(std::size_t count, std::size_t symbols, std::int64_t frames_each) {
  std::vector<Row> rows = random_rows(count, symbols);
  for (Row& row : rows) {
    row.text.assign(symbols, 3);
    row.durations.assign(symbols, frames_each);
    row.mel = random_values(row.num_frames() * kChannels, symbols);
  }
  return rows;
}

// Returns the sizes of all tensors of a forward and backward pass with alignment search.
std::vector<std::size_t> allocations_of(AcousticModel& model,
                                        const std::vector<Row>& rows,
                                        const data::Signature& signature,
                                        torch::ScalarType type) {
  const ThreadsGuard one_thread(1);  // the order of allocations matters
  data::MicroBatch batch = batch_of(rows, signature);
  RecordedAllocations recorded;
  {
    const ForwardResult result =
        model.forward(inputs_of(batch), {.type = type, .diagonal = 1.0, .training = true});
    torch::Tensor loss = result.sums.mel + result.sums.prior + result.sums.duration;
    if (result.sums.energy.defined()) loss = loss + result.sums.energy;
    loss.backward();
  }
  return recorded.sizes;
}

TEST(AcousticModelAllocations, DependOnTheSignatureAndNotOnLengths) {
  const data::Signature signature{.batch = 3, .text = 10, .mel = 40};
  const data::Signature longer{.batch = 3, .text = 10, .mel = 41};
  for (const int crop : {0, 16}) {
    for (const bool energy : {false, true}) {
      for (const torch::ScalarType type : {torch::kFloat32, torch::kBFloat16}) {
        SCOPED_TRACE(fmt::format("crop {}, energy {}, {}", crop, energy, c10::toString(type)));
        config::ModelConfig config = small_config();
        config.decoder_crop_frames = crop;
        config.use_energy_predictor = energy;
        config.decoder = energy ? "flow" : "regression";
        config.dropout_rate = 0.1;
        AcousticModel model(config, kNumSymbols, 1);
        // Warm-up for one-time allocations of LibTorch.
        allocations_of(model, rows_of_length(3, 5, 2), signature, type);

        const auto full = allocations_of(model, rows_of_length(3, 10, 4), signature, type);
        const auto short_rows = allocations_of(model, rows_of_length(3, 2, 1), signature, type);
        const auto few_rows = allocations_of(model, rows_of_length(1, 7, 3), signature, type);
        const auto other = allocations_of(model, rows_of_length(3, 10, 4), longer, type);

        EXPECT_GT(full.size(), 200U);
        EXPECT_EQ(short_rows, full);
        EXPECT_EQ(few_rows, full);
        EXPECT_NE(other, full);
      }
    }
  }
}

}  // namespace
}  // namespace myxtts::model
