#include "rules/record_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/has.h"
#include "support/healthy_record.h"

namespace myxtts::rules {
namespace {

std::string error_of(const std::string& json) {
  try {
    record_of(json);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(RecordJson, RoundTripIsExact) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string written = to_json(support::noisy_healthy_record(seed)).dump();

    ASSERT_EQ(to_json(record_of(written)).dump(), written);
  }
}

TEST(RecordJson, HasAVersionAndOmitsAbsentValues) {
  Record record;
  record.settings.num_workers = 1;

  EXPECT_EQ(to_json(record).dump(), R"({"version":1,"settings":{"num_workers":1}})");
}

TEST(RecordJson, IgnoresUnknownFields) {
  const Record record =
      record_of(R"({"version":1,"weather":"fine","settings":{"num_workers":3,"colour":{"a":[1]}},)"
                R"("steps":[{"step_s":0.5,"mood":2}]})");

  EXPECT_EQ(record.settings.num_workers, 3);
  ASSERT_EQ(record.steps.size(), 1U);
  EXPECT_EQ(record.steps[0].step_s, 0.5);
}

TEST(RecordJson, NullMeansNotMeasured) {
  const Record record = record_of(R"({"version":1,"settings":{"threads":null},"cache":null})");

  EXPECT_FALSE(record.settings.threads.has_value());
  EXPECT_FALSE(record.cache.hits.has_value());
}

TEST(RecordJson, ZeroIsAMeasuredValue) {
  EXPECT_EQ(record_of(R"({"version":1,"cache":{"hits":0}})").cache.hits, 0);
}

TEST(RecordJson, ErrorNamesTheFieldWithTheWrongType) {
  EXPECT_TRUE(
      support::has(error_of(R"({"version":1,"settings":{"threads":"many"}})"), "settings.threads"));
  EXPECT_TRUE(
      support::has(error_of(R"({"version":1,"settings":{"threads":1.5}})"), "settings.threads"));
  EXPECT_TRUE(support::has(error_of(R"({"version":1,"steps":{}})"), "steps"));
  EXPECT_TRUE(support::has(error_of(R"({"version":1,"steps":[3]})"), "steps"));
  EXPECT_TRUE(support::has(error_of(R"({"version":1,"machine":[]})"), "machine"));
}

TEST(RecordJson, RejectsInvalidRecords) {
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("[]"), "");
  EXPECT_NE(error_of("{\"version\":1"), "");
  EXPECT_TRUE(support::has(error_of("{}"), "no integer \"version\""));
  EXPECT_TRUE(support::has(error_of(R"({"version":2})"), "version 2"));
}

}  // namespace
}  // namespace myxtts::rules
