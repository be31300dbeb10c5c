#include "config/layer_reader.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::config {
namespace {

TEST(LayerReader, LaterLayersOverrideEarlierOnes) {
  Resolved resolved;
  std::vector<std::string> problems;
  LayerReader document(resolved, problems);
  LayerReader sets(resolved, problems);
  LayerReader flags(resolved, problems);

  document.read_document(parse_yaml_tree("data: {batch_size: 4, val_split: 0.2}", "x"), "x.yaml");
  sets.read_set("data.batch_size=6");
  flags.read_flag({"data.batch_size", "8"});

  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(resolved.config.data.batch_size, 8);
  EXPECT_EQ(resolved.config.data.val_split, 0.2);
  EXPECT_EQ(resolved.origins.at("data.batch_size"), "flag");
  EXPECT_EQ(resolved.origins.at("data.val_split"), "x.yaml:1");
}

TEST(LayerReader, CollectsProblemsAndReadsTheRest) {
  Resolved resolved;
  std::vector<std::string> problems;
  LayerReader sets(resolved, problems);

  for (const char* assignment : {"data.batch_sise=4", "=1", "data.val_split=x", "model.n_fft=512"})
    sets.read_set(assignment);

  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0], "--set data.batch_sise=4: no such key; did you mean 'data.batch_size'?");
  EXPECT_EQ(problems[2], "--set data.val_split=x: expected number, found 'x'");
  EXPECT_EQ(resolved.config.model.n_fft, 512);
  EXPECT_FALSE(resolved.origins.contains("data.val_split"));
}

TEST(LayerReader, KeyAndAliasMustAgreeOnlyWithinALayer) {
  Resolved resolved;
  std::vector<std::string> problems;
  LayerReader first(resolved, problems);
  LayerReader second(resolved, problems);

  first.read_set("data.sample_rate=16000");
  second.read_set("model.sample_rate=24000");
  EXPECT_TRUE(problems.empty());
  second.read_set("data.sample_rate=22050");

  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("both keys are one setting"), std::string::npos) << problems[0];
}

TEST(LayerReader, InvalidUtf8IsReportedWithoutItsBytes) {
  Resolved resolved;
  std::vector<std::string> problems;

  LayerReader(resolved, problems).read_set("data.dataset_path=\xff");

  EXPECT_EQ(problems,
            std::vector<std::string>{"--set: found bytes that are not UTF-8; expected UTF-8 text"});
}

TEST(LayerReader, StopsAtFiftyProblems) {
  Resolved resolved;
  std::vector<std::string> problems;
  LayerReader sets(resolved, problems);
  for (int i = 0; i < 49; ++i)
    sets.read_set("nonsense");

  try {
    sets.read_set("nonsense");
    FAIL() << "did not stop";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("50 problems")) << message.substr(0, 80);
    EXPECT_TRUE(message.ends_with("reading stopped here; there may be more")) << message;
  }
}

}  // namespace
}  // namespace myxtts::config
