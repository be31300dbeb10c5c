#include "corpus/demo_plan.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::corpus {
namespace {

DemoRequest request_for(std::size_t utterances, std::vector<std::string> voices = {"rms"}) {
  DemoRequest request;
  request.utterances = utterances;
  request.voices = std::move(voices);
  return request;
}

std::string plan_error(const DemoRequest& request) {
  try {
    plan_demo_corpus(request);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::ptrdiff_t count_validation(const std::vector<DemoUtterance>& plan) {
  return std::ranges::count(plan, true, &DemoUtterance::for_validation);
}

TEST(DemoPlan, HoldsOutATenthWithoutSharedTexts) {
  const std::vector<DemoUtterance> plan = plan_demo_corpus(request_for(600));

  EXPECT_EQ(plan.size(), 600U);
  EXPECT_EQ(count_validation(plan), 60);
  std::set<std::string> texts;
  for (const DemoUtterance& utterance : plan)
    texts.insert(utterance.text);
  EXPECT_EQ(texts.size(), 600U);
}

TEST(DemoPlan, EveryVoiceIsInBothSplits) {
  const std::vector<DemoUtterance> plan =
      plan_demo_corpus(request_for(80, {"rms", "slt", "awb", "kal16"}));

  std::map<std::pair<std::string, bool>, int> counts;
  for (const DemoUtterance& utterance : plan) {
    ++counts[{utterance.voice, utterance.for_validation}];
  }
  EXPECT_EQ(counts.size(), 8U);
  for (const auto& [voice, count] : counts)
    EXPECT_EQ(count, voice.second ? 2 : 18) << voice.first;
}

TEST(DemoPlan, LongerPlanStartsWithTheShorterOne) {
  const std::vector<DemoUtterance> few = plan_demo_corpus(request_for(40));
  const std::vector<DemoUtterance> many = plan_demo_corpus(request_for(90));

  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].audio(), many[i].audio());
    EXPECT_EQ(few[i].text, many[i].text);
  }
}

TEST(DemoPlan, SmallPlansKeepBothSplits) {
  EXPECT_EQ(count_validation(plan_demo_corpus(request_for(2))), 1);
  EXPECT_EQ(count_validation(plan_demo_corpus(request_for(1))), 0);
  DemoRequest all = request_for(6);
  all.val_share = 0.99;
  EXPECT_EQ(count_validation(plan_demo_corpus(all)), 5);
  all.val_share = 0.0;
  EXPECT_EQ(count_validation(plan_demo_corpus(all)), 0);
}

TEST(DemoPlan, RefusesInvalidRequests) {
  EXPECT_THROW(plan_demo_corpus(request_for(0)), UsageError);
  EXPECT_THROW(plan_demo_corpus(request_for(kMaxDemoUtterances + 1)), UsageError);
  EXPECT_THROW(plan_demo_corpus(request_for(10, {"unknown"})), UsageError);
  DemoRequest shared = request_for(10);
  shared.val_share = 1.0;
  EXPECT_THROW(plan_demo_corpus(shared), UsageError);
  shared.val_share = -0.1;
  EXPECT_THROW(plan_demo_corpus(shared), UsageError);
}

TEST(DemoPlan, UsesTheLinesOfATextFile) {
  const support::TempDir dir;
  DemoRequest request;
  request.text_file =
      dir.write("lines.txt", "\xEF\xBB\xBF  One  two.\r\n\n\tThree four five.\nOne two.\nSix.\n");

  const std::vector<DemoUtterance> plan = plan_demo_corpus(request);

  ASSERT_EQ(plan.size(), 3U);
  EXPECT_EQ(plan[0].text, "One two.");
  EXPECT_EQ(plan[1].text, "Three four five.");
  EXPECT_EQ(plan[2].text, "Six.");
  EXPECT_EQ(plan[0].id, "rms_00001");
}

TEST(DemoPlan, SkipsLinesOutsideTheWordRange) {
  const support::TempDir dir;
  DemoRequest request;
  request.text_file = dir.write("lines.txt", "One.\nOne two.\nOne two three.\n");
  request.words = WordRange{2, 2};

  const std::vector<DemoUtterance> plan = plan_demo_corpus(request);

  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan[0].text, "One two.");
}

TEST(DemoPlan, RefusesInvalidTextFilesWithAReason) {
  const support::TempDir dir;
  DemoRequest request = request_for(3);
  request.text_file = dir.path() / "absent.txt";
  EXPECT_NE(plan_error(request).find("absent.txt does not exist;"), std::string::npos)
      << plan_error(request);

  request.text_file = dir.path();
  EXPECT_NE(plan_error(request).find(" is a folder; expected a text file"), std::string::npos)
      << plan_error(request);

  request.text_file = dir.write("latin1.txt", "caf\xE9\n");
  EXPECT_NE(plan_error(request).find("not UTF-8"), std::string::npos);

  request.text_file = dir.write("few.txt", "One.\nTwo.\nTwo.\n");
  EXPECT_NE(plan_error(request).find("2 usable sentences"), std::string::npos);
  EXPECT_NE(plan_error(request).find("1 repeated"), std::string::npos);

  request.text_file = dir.write("bar.txt", "One.\nTwo | three.\nFour.\n");
  EXPECT_NE(plan_error(request).find("bar.txt:2"), std::string::npos);

  request.text_file = dir.write("nul.txt", std::string_view("One.\nTw\0o.\nFour.\n", 16));
  EXPECT_NE(plan_error(request).find("nul.txt:2: control character 0x00"), std::string::npos);

  request.text_file = dir.write("long.txt", std::string(2001, 'a'));
  EXPECT_NE(plan_error(request).find("break the line"), std::string::npos);

  request.utterances.reset();
  request.text_file = dir.write("empty.txt", "\n\n");
  EXPECT_NE(plan_error(request).find("0 usable sentences"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::corpus
