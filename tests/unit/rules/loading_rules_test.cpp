#include <gtest/gtest.h>

#include "rules/rules.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

Findings loading_of(const Record& record) {
  Findings findings;
  loading_findings(record, findings);
  return findings;
}

// One worker that loads a batch in 1.1 s, 71 % of it for the mel; steps take 0.4 s.
Record one_worker() {
  Record record = support::healthy_record();
  record.settings.num_workers = 1;
  record.loading.stages = {{.name = "mel", .cpu_s = 0.71 * 1.1 / 16},
                           {.name = "read", .cpu_s = 0.29 * 1.1 / 16}};
  support::starve(record, 0.63);
  return record;
}

TEST(OneWorker, SuggestsTheNumberOfWorkers) {
  const Findings findings = loading_of(one_worker());

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(format_finding(findings[0]),
            "CRITICAL: mel takes 71 % of loading on 1 worker; 3 workers would keep the model busy "
            "(computed): --num-workers 3");
}

TEST(OneWorker, IsNotFoundIfTheModelDoesNotWait) {
  Record record = one_worker();

  support::starve(record, 0.049);
  EXPECT_TRUE(loading_of(record).empty());
  support::starve(record, 0.051);
  EXPECT_EQ(loading_of(record).at(0).severity, Severity::kWarning);
}

TEST(OneWorker, IsFoundForOneOrNoWorkerOnly) {
  Record record = one_worker();

  record.settings.num_workers = 2;
  EXPECT_TRUE(loading_of(record).empty());
  record.settings.num_workers = 0;
  EXPECT_TRUE(support::found(loading_of(record), "one_worker"));
  EXPECT_TRUE(support::has(loading_of(record)[0].message, "no worker, between the steps"));
}

TEST(OneWorker, SuggestsNoMoreWorkersThanCores) {
  Record record = one_worker();
  record.machine.usable_cores = 2;

  EXPECT_EQ(loading_of(record).at(0).suggestion, "--num-workers 2");
  EXPECT_TRUE(support::has(loading_of(record).at(0).message, "this process has 2 cores"));
  record.machine.usable_cores = 1;
  EXPECT_TRUE(loading_of(record).empty());
}

TEST(OneWorker, IsNotFoundIfLoadingWaitsForTheDisk) {
  Record record = one_worker();
  record.loading.stages = {{.name = "read", .cpu_s = 0.01, .wall_s = 0.03}};
  EXPECT_TRUE(loading_of(record).empty());
  record.loading.stages = {{.name = "read", .cpu_s = 0.016, .wall_s = 0.03}};
  EXPECT_FALSE(loading_of(record).empty());

  Findings findings = {{.id = "slow_disk", .message = "", .suggestion = ""}};
  loading_findings(record, findings);
  EXPECT_EQ(findings.size(), 1U);
}

Findings starvation_of(const Record& record, Findings before = {}) {
  starvation_findings(record, before);
  return before;
}

// Two workers where three are needed.
Record two_workers() {
  Record record = one_worker();
  record.settings.num_workers = 2;
  return record;
}

TEST(FewWorkers, SuggestsTheNumberOfWorkers) {
  const Findings findings = apply_rules(two_workers());

  ASSERT_EQ(findings.size(), 1U) << support::ids_in(findings);
  EXPECT_EQ(format_finding(findings[0]),
            "CRITICAL: mel takes 71 % of loading on 2 workers; 3 workers would keep the model busy "
            "(computed): --num-workers 3");
  EXPECT_EQ(findings[0].id, "few_workers");
}

TEST(FewWorkers, SuggestsACacheIfThereAreTooFewCores) {
  Record record = two_workers();
  record.machine.usable_cores = 2;
  record.settings.cache = "off";
  record.settings.planned_epochs = 2;

  const Findings findings = starvation_of(record);

  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].suggestion, "--cache disk");
  EXPECT_TRUE(support::has(findings[0].message, "and this process has 2 cores"));
  record.machine.usable_cores = 3;
  EXPECT_EQ(starvation_of(record).at(0).suggestion, "--num-workers 3");
}

TEST(FewWorkers, IsNotFoundIfTheModelDoesNotWait) {
  Record record = two_workers();

  support::starve(record, 0.049);
  EXPECT_TRUE(starvation_of(record).empty());
  support::starve(record, 0.051);
  EXPECT_EQ(starvation_of(record).at(0).severity, Severity::kWarning);
  record.settings.planned_steps = 10;  // reading takes most of the run, but the model does not wait
  support::starve(record, 0.0);
  EXPECT_TRUE(starvation_of(record).empty());
}

TEST(FewWorkers, IsNotFoundIfAnotherCauseIsKnown) {
  for (const char* cause : {"slow_text", "resampling_every_file", "tiny_buffer", "cache_off"})
    EXPECT_EQ(starvation_of(two_workers(), {{.id = cause, .message = "", .suggestion = ""}}).size(),
              1U);
  EXPECT_EQ(
      starvation_of(two_workers(), {{.id = "bad_files", .message = "", .suggestion = ""}}).size(),
      2U);
}

TEST(FewWorkers, SuggestsDiagnoseBottleneckIfTheCauseIsUnknown) {
  Record record = two_workers();
  record.loading = {};
  EXPECT_EQ(format_finding(starvation_of(record).at(0)),
            "CRITICAL: the model waited 63 % of its time for data on 2 workers: "
            "myxtts diagnose bottleneck");
  record.loading.batch_cpu_s = 0.01;
  EXPECT_TRUE(support::has(starvation_of(record).at(0).message, "although 1 would be enough"));
  record.settings.cache = "off";
  EXPECT_EQ(starvation_of(record).at(0).suggestion, "--cache disk");
}

TEST(FewWorkers, IsNotFoundIfOtherProgramsUseTheCores) {
  Record record = two_workers();
  record.machine.load_by_others = 3.5;
  EXPECT_TRUE(support::found(apply_rules(record), "few_workers"))
      << "three workers are needed even on a free machine";

  record.loading.stages = {{.name = "mel", .cpu_s = 0.001}};
  const Findings findings = apply_rules(record);
  EXPECT_FALSE(support::found(findings, "few_workers"));
  ASSERT_TRUE(support::found(findings, "machine_busy"));
  EXPECT_FALSE(is_healthy(findings));
}

TEST(TinyBuffer, IsFoundIfTheModelWaitsForAFastLoader) {
  Record record = support::healthy_record();
  support::starve(record, 0.031);

  record.settings.buffer = 4;
  EXPECT_TRUE(loading_of(record).empty());
  record.settings.buffer = 1;
  ASSERT_EQ(loading_of(record).size(), 1U);
  EXPECT_EQ(loading_of(record)[0].id, "tiny_buffer");
  EXPECT_TRUE(support::has(loading_of(record)[0].message, "3.1 % of its time"));
  EXPECT_EQ(loading_of(record)[0].suggestion, "--buffer-size auto");
  support::starve(record, 0.029);
  EXPECT_TRUE(loading_of(record).empty());
}

TEST(TinyBuffer, IsNotFoundIfTheLoaderIsSlow) {
  Record record = one_worker();
  record.settings.buffer = 1;
  EXPECT_EQ(loading_of(record).at(0).id, "one_worker");

  // 0.95 of 0.4 s.
  record.loading.stages = {{.name = "mel", .cpu_s = 0.379 / 16}};
  EXPECT_EQ(loading_of(record).at(0).id, "tiny_buffer");
  record.loading.stages = {{.name = "mel", .cpu_s = 0.381 / 16}};
  EXPECT_EQ(loading_of(record).at(0).id, "one_worker");
}

TEST(TinyBuffer, FullBufferShowsThatTheLoaderIsFastEnough) {
  Record record = support::healthy_record();
  record.loading = {};
  record.settings.buffer = 2;
  support::starve(record, 0.1);
  EXPECT_TRUE(loading_of(record).empty());

  record.steps[7].buffer_depth = 2;
  EXPECT_EQ(loading_of(record).at(0).id, "tiny_buffer");
}

}  // namespace
}  // namespace myxtts::rules
