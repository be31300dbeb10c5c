// Injects batches with varying rows, which the loader never creates, into real steps of a small
// model and applies the rules to the measurements. MYXTTS_WRITE_RECORDS=FOLDER writes the records
// to that folder (tests/rules/records/README.md).
#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "rules/apply_rules.h"
#include "rules/record_json.h"
#include "unit/train/small_run_torch.h"

namespace myxtts::train {
namespace {

constexpr int kInjectedEpochs = 3;
constexpr int kStepsPerEpoch = 12;

// `rows(i)` returns the rows of step i of an epoch, from 0.
template <typename Rows>
rules::Record record_of_steps(const Rows& rows) {
  SmallRun run({});  // no plan: accepts every shape
  rules::Record record;
  record.settings.shape_mode = "fixed";
  record.settings.batch_size = kShort.batch;
  for (int i = 0; i < kInjectedEpochs * kStepsPerEpoch; ++i) {
    Signature signature = kShort;
    signature.batch = rows(i % kStepsPerEpoch);
    const data::Batch batch = random_batch(signature, static_cast<std::uint64_t>(i));
    const auto start = std::chrono::steady_clock::now();
    run.run(batch);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    record.steps.push_back({.step_s = elapsed.count(),
                            .wait_s = 0.0,
                            .epoch = i / kStepsPerEpoch,
                            .signature = data::name_of(signature),
                            .retraces = std::ssize(run.step.take_retraces())});
  }
  return record;
}

void write_record(const rules::Record& record, const std::string& name) {
  const char* folder = std::getenv("MYXTTS_WRITE_RECORDS");
  if (folder == nullptr) return;
  base::write_file_atomically(std::filesystem::path(folder) / (name + ".json"),
                              rules::to_json(record).dump(1) + "\n");
}

std::string first_finding(const rules::Record& record) {
  const rules::Findings findings = rules::apply_rules(record);
  return findings.empty() ? "healthy" : findings.front().id;
}

TEST(InjectedBatches, RemainderAtTheEndOfEveryEpochIsFound) {
  const rules::Record record =
      record_of_steps([](int step) { return step + 1 == kStepsPerEpoch ? 2 : 4; });

  EXPECT_EQ(first_finding(record), "remainder_batch");
  EXPECT_EQ(record.steps[kStepsPerEpoch - 1].retraces, 1) << "a shape without a prepared step";
  write_record(record, "remainder_batch");
}

TEST(InjectedBatches, VaryingBatchSizeIsFound) {
  const rules::Record record = record_of_steps([](int step) { return 2 + step % 3; });

  EXPECT_EQ(first_finding(record), "batch_size_not_fixed");
  write_record(record, "batch_size_not_fixed");
}

// The first step is always a retrace, because no step was prepared.
TEST(InjectedBatches, EqualRowsAreNotFound) {
  const std::string first = first_finding(record_of_steps([](int) { return 4; }));

  EXPECT_NE(first, "remainder_batch");
  EXPECT_NE(first, "batch_size_not_fixed");
}

}  // namespace
}  // namespace myxtts::train
