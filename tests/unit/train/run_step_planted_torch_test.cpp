// Batches whose rows differ cannot come out of our loader, so they are planted here: real steps of
// a small model over them, measured as a run measures its own. With MYXTTS_WRITE_RECORDS=FOLDER the
// records are written there (tests/rules/records/README.md).
#include <chrono>
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "rules/apply_rules.h"
#include "rules/record_json.h"
#include "unit/train/small_run_torch.h"

namespace xtts::train {
namespace {

constexpr int kPlantedEpochs = 3;
constexpr int kUpdatesPerEpoch = 12;

// `rows(update)`: of the update of an epoch, from 0.
template <typename Rows>
rules::Record record_of_steps(const Rows& rows) {
  SmallRun run({});  // no plan, so that every shape passes
  rules::Record record;
  record.settings.shape_mode = "fixed";
  record.settings.batch_size = kShort.batch;
  for (int i = 0; i < kPlantedEpochs * kUpdatesPerEpoch; ++i) {
    Signature signature = kShort;
    signature.batch = rows(i % kUpdatesPerEpoch);
    const pipeline::Batch update = update_of(signature, static_cast<std::uint64_t>(i));
    const auto start = std::chrono::steady_clock::now();
    run.run(update);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    record.steps.push_back({.step_s = taken.count(),
                            .wait_s = 0.0,
                            .epoch = i / kUpdatesPerEpoch,
                            .signature = pipeline::name_of(signature),
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

std::string first_of(const rules::Record& record) {
  const rules::Findings findings = rules::apply_rules(record);
  return findings.empty() ? "healthy" : findings.front().id;
}

TEST(PlantedBatches, ARemainderAtTheEndOfEveryEpoch) {
  const rules::Record record =
      record_of_steps([](int update) { return update + 1 == kUpdatesPerEpoch ? 2 : 4; });

  EXPECT_EQ(first_of(record), "remainder_batch");
  EXPECT_EQ(record.steps[kUpdatesPerEpoch - 1].retraces, 1) << "a shape that nobody prepared";
  write_record(record, "remainder_batch");
}

TEST(PlantedBatches, ABatchSizeThatIsNotFixed) {
  const rules::Record record = record_of_steps([](int update) { return 2 + update % 3; });

  EXPECT_EQ(first_of(record), "batch_size_not_fixed");
  write_record(record, "batch_size_not_fixed");
}

// The first update is a shape that nobody prepared, whatever the rows.
TEST(PlantedBatches, EqualRowsAreNeither) {
  const std::string first = first_of(record_of_steps([](int) { return 4; }));

  EXPECT_NE(first, "remainder_batch");
  EXPECT_NE(first, "batch_size_not_fixed");
}

}  // namespace
}  // namespace xtts::train
