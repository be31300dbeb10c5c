#include "rules/apply_rules.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/limit_line.h"
#include "rules/loading_need.h"
#include "rules/record_json.h"
#include "support/healthy_record.h"
#include "support/scale.h"
#include "support/temp_dir.h"

namespace myxtts::rules {
namespace {

std::filesystem::path records_folder() {
  return std::filesystem::path(MYXTTS_SOURCE_DIR) / "tests/rules/records";
}

// Returns the ids of all rules except symptoms and remaining causes (20 faults), and "healthy".
std::set<std::string> injected_names() {
  std::set<std::string> names(rule_ids().begin(), rule_ids().end());
  for (const char* id :
       {"retraces", "few_workers", "cyclic_variation", "high_variation", "machine_busy"})
    names.erase(id);
  EXPECT_EQ(names.size(), 20U);
  names.insert("healthy");
  return names;
}

TEST(ApplyRules, FindsNothingInAHealthyRecord) {
  EXPECT_EQ(support::ids_in(apply_rules(support::healthy_record())), "");
}

TEST(ApplyRules, FindsNothingInHealthyRecordsWithNoise) {
  const int count = 200 * support::test_scale();

  for (int seed = 1; seed <= count; ++seed) {
    const Record record = support::noisy_healthy_record(static_cast<std::uint64_t>(seed));
    EXPECT_EQ(support::ids_in(apply_rules(record)), "") << "seed " << seed;
  }
}

TEST(ApplyRules, FindsNothingInMeasuredHealthyRunsWithNoise) {
  const int count = 100 * support::test_scale();

  for (const char* name : {"healthy.cached.json", "healthy.fixed.json"}) {
    const Record measured = record_of(support::contents(records_folder() / name));
    for (int seed = 1; seed <= count; ++seed) {
      const Record record = support::noisy_record(measured, static_cast<std::uint64_t>(seed));
      EXPECT_EQ(support::ids_in(apply_rules(record)), "") << name << ", seed " << seed;
    }
  }
}

// Checks the strength of the noise: some of these runs wait for data nearly as long as allowed.
TEST(ApplyRules, NoisyHealthyRecordsComeCloseToTheThresholds) {
  int num_close = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const double waited =
        loading_need_of(support::noisy_healthy_record(seed)).wait_share.value_or(0.0);
    EXPECT_LT(waited, 0.045);
    num_close += waited > 0.02 ? 1 : 0;
  }
  EXPECT_GT(num_close, 20);
}

TEST(ApplyRules, FindsNothingInAnEmptyRecord) {
  EXPECT_TRUE(apply_rules({}).empty());
}

// Removes each measurement in turn from a record with several faults.
TEST(ApplyRules, AcceptsRecordsWithoutAnySingleMeasurement) {
  Record record = support::noisy_healthy_record(5);
  record.settings.shape_mode = "dynamic";
  record.settings.num_workers = 1;
  record.corpus.bad_share = 0.03;
  support::starve(record, 0.5);
  const nlohmann::ordered_json whole = to_json(record);

  for (const auto& [section, fields] : whole.items()) {
    if (!fields.is_object()) continue;
    for (const auto& field : fields.items()) {
      nlohmann::ordered_json without = whole;
      without[section].erase(field.key());
      EXPECT_NO_THROW(apply_rules(record_of(without.dump()))) << section << "." << field.key();
    }
  }
}

// A run whose limit line names loading must have a finding with a suggestion.
TEST(ApplyRules, RunLimitedByLoadingIsNotHealthy) {
  int limited = 0;
  for (int seed = 1; seed <= 200 * support::test_scale(); ++seed) {
    Record record = support::noisy_healthy_record(static_cast<std::uint64_t>(seed));
    base::Random random(static_cast<std::uint64_t>(seed));
    support::starve(record, 0.9 * random.unit());
    record.settings.num_workers = static_cast<std::int64_t>(random.below(9));
    record.settings.buffer = static_cast<std::int64_t>(1 + random.below(60));
    record.machine.load_by_others =
        random.unit() * static_cast<double>(*record.machine.usable_cores);
    for (Stage& stage : record.loading.stages)
      stage.cpu_s = 0.2 * random.unit() * random.unit();
    if (random.below(3) == 0) record.loading = {};
    if (random.below(4) == 0) record.machine = {};
    if (random.below(4) == 0) record.settings.num_workers.reset();
    if (random.below(4) == 0) record.settings.cache.reset();
    if (limit_name(record) != "loading") continue;

    ++limited;
    ASSERT_FALSE(is_healthy(apply_rules(record)))
        << "seed " << seed << ": " << limit_line(record) << "\n"
        << to_json(record).dump();
  }
  EXPECT_GT(limited, 100);
}

TEST(ApplyRules, MostSevereFindingComesFirst) {
  Record record = support::healthy_record();
  record.corpus.bad_share = 0.02;          // a warning
  record.machine.load_by_others = 3.0;     // a note
  record.settings.shape_mode = "dynamic";  // critical

  const Findings findings = apply_rules(record);

  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].id, "dynamic_shapes");
  EXPECT_EQ(findings[1].id, "bad_files");
  EXPECT_EQ(findings[2].id, "machine_busy");
}

TEST(RuleIds, AreUnique) {
  const std::set<std::string> ids(rule_ids().begin(), rule_ids().end());

  EXPECT_EQ(ids.size(), rule_ids().size());
}

TEST(RuleIds, EachIdHasARowInTheDocumentation) {
  const std::string page =
      support::contents(std::filesystem::path(MYXTTS_SOURCE_DIR) / "docs/en/diagnose.md");

  for (const std::string& id : rule_ids())
    EXPECT_NE(page.find("| `" + id + "` |"), std::string::npos) << id;
}

// tests/rules/records holds measured runs with injected faults. The file name up to the first dot
// is the id of the expected first finding; "healthy" expects no finding.
TEST(ApplyRules, InjectedFaultIsTheFirstFinding) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(records_folder())) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().filename().string();
    const std::string injected = name.substr(0, name.find('.'));
    names.insert(injected);
    const Findings findings = apply_rules(record_of(support::contents(entry.path())));
    const std::string first = findings.empty() ? "healthy" : findings.front().id;
    EXPECT_EQ(first, injected) << name << "\n" << support::ids_in(findings);
  }
  EXPECT_EQ(names, injected_names());
}

}  // namespace
}  // namespace myxtts::rules
