#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings machine_of(const Record& record) {
  Findings findings;
  machine_findings(record, findings);
  return findings;
}

TEST(ThreadsOversubscribed, IsFoundIfThreadsExceedCores) {
  Record record = support::healthy_record();

  record.settings.threads = 4;
  EXPECT_TRUE(machine_of(record).empty());
  record.settings.threads = 5;
  ASSERT_EQ(machine_of(record).size(), 1U);
  EXPECT_EQ(machine_of(record)[0].id, "threads_oversubscribed");
  EXPECT_EQ(machine_of(record)[0].severity, Severity::kWarning);
  record.settings.threads = 8;
  EXPECT_EQ(machine_of(record)[0].severity, Severity::kCritical);
  EXPECT_EQ(machine_of(record)[0].suggestion, "--threads 4");
}

TEST(SharedCore, IsFoundIfLanesOverlap) {
  Record record = support::healthy_record();

  record.settings.data_cores = {3};
  const Findings findings = machine_of(record);
  record.settings.loader_is_idle_priority = true;  // may share cores

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "shared_core");
  EXPECT_TRUE(machine_of(record).empty());
}

TEST(SharedCore, IsFoundIfTheProcessMayUseOneOfSeveralCores) {
  Record record = support::healthy_record();
  record.settings.threads = 1;
  record.settings.model_cores = {0};
  record.settings.data_cores = {0};
  record.settings.loader_is_idle_priority = true;

  record.machine.usable_cores = 2;
  EXPECT_TRUE(machine_of(record).empty());
  record.machine.usable_cores = 1;
  ASSERT_EQ(machine_of(record).size(), 1U);
  EXPECT_EQ(machine_of(record)[0].suggestion, "taskset -c 0-3 myxtts train");
  record.settings.num_workers = 0;  // no loader thread shares the core
  EXPECT_TRUE(machine_of(record).empty());
}

TEST(SharedCore, IsFoundOnASingleCoreMachineOnlyIfTheModelWaits) {
  Record record = support::healthy_record();
  record.settings.threads = 1;
  record.settings.loader_is_idle_priority = true;
  record.machine.cores = 1;
  record.machine.usable_cores = 1;

  support::starve(record, 0.04);
  EXPECT_TRUE(machine_of(record).empty());
  support::starve(record, 0.06);
  EXPECT_TRUE(support::found(machine_of(record), "shared_core"));
}

TEST(MemoryNearlyFull, IsFoundIfLittleMemoryIsFree) {
  Record record = support::healthy_record();  // of 16 GB
  record.memory.need_bytes.reset();

  record.machine.free_memory_bytes = 970'000'000;
  EXPECT_FALSE(support::found(machine_of(record), "memory_nearly_full")) << "6 %";
  record.machine.free_memory_bytes = 950'000'000;
  const Findings findings = machine_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(support::has(findings[0].message, "950 MB of 16.0 GB are free"));
  EXPECT_EQ(findings[0].suggestion, "--grad-accum 2");
}

TEST(MemoryNearlyFull, IsFoundIfTheNeedExceedsTheBudget) {
  Record record = support::healthy_record();  // 9 GB free, 3 GB in use by the run
  record.memory.budget_bytes = 2'000'000'000;

  record.memory.need_bytes = 1'890'000'000;
  EXPECT_TRUE(machine_of(record).empty());
  record.memory.need_bytes = 1'910'000'000;
  const Findings findings = machine_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(support::has(findings[0].message, "2.0 GB are available"));
}

TEST(MemoryNearlyFull, IsFoundIfTheNeedExceedsTheFreeMemory) {
  Record record = support::healthy_record();  // 9 GB free, 3 GB in use by the run
  record.settings.cache = "ram";

  record.memory.need_bytes = 11'300'000'000;
  EXPECT_TRUE(machine_of(record).empty());
  record.memory.need_bytes = 11'500'000'000;
  ASSERT_EQ(machine_of(record).size(), 1U);
  EXPECT_EQ(machine_of(record)[0].id, "memory_nearly_full");
  EXPECT_EQ(machine_of(record)[0].suggestion, "--cache disk");
}

}  // namespace
}  // namespace myxtts::rules
