#include "corpus/for_each_utterance.h"

#include <future>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::corpus {
namespace {

// Utterance i has the text "a" repeated i % 5 + 1 times.
Corpus corpus_of_short_texts(int count) {
  Corpus corpus;
  for (int i = 0; i < count; ++i) {
    corpus.utterances.push_back({.id = fmt::format("u{}", i),
                                 .audio = "none.wav",
                                 .text = std::string(static_cast<std::size_t>(i % 5 + 1), 'a'),
                                 .speaker = "",
                                 .line = i + 1});
  }
  return corpus;
}

TEST(ForEachUtterance, VisitsEachUtteranceOnceAcrossChunks) {
  text::FrontEnd front_end(text::text_settings_of(grapheme_config()));
  for (const int num_workers : {0, 3}) {
    std::vector<int> visits(600);
    std::vector<std::size_t> sizes(600);
    std::size_t num_done = 0;

    const auto work =
        [&](std::size_t i, const Utterance& utterance, const text::TextStages& stages) {
          EXPECT_EQ(utterance.id, fmt::format("u{}", i));
          return [&, i, size = stages.ids.size()] {
            ++visits[i];
            sizes[i] = size;
          };
        };
    for_each_utterance(corpus_of_short_texts(600),
                       front_end,
                       num_workers,
                       {.work = work,
                        .on_timeout = [](std::size_t i, const Problem&) { ADD_FAILURE() << i; },
                        .on_done = [&](std::size_t count) { num_done += count; }});

    EXPECT_EQ(visits, std::vector<int>(600, 1));
    EXPECT_EQ(num_done, 600U);
    for (std::size_t i = 0; i < 600; ++i)
      EXPECT_EQ(sizes[i], i % 5 + 1);
  }
}

TEST(ForEachUtterance, RethrowsExceptionsOfTheWork) {
  text::FrontEnd front_end(text::text_settings_of(grapheme_config()));
  const auto work = [](std::size_t i, const Utterance&, const text::TextStages&) {
    if (i == 300) throw std::runtime_error("broken");
    return [] {};
  };

  EXPECT_THROW(for_each_utterance(
                   corpus_of_short_texts(400), front_end, 2, {.work = work, .on_timeout = {}}),
               std::runtime_error);
}

// A disk on which some reads block. It outlives the threads that wait for it.
struct BlockingDisk {
  std::set<std::size_t> blocked;
  std::promise<void> release;
  std::shared_future<void> unblocked = release.get_future().share();
};

class UtteranceTimeouts : public testing::Test {
 protected:
  ~UtteranceTimeouts() override { disk_->release.set_value(); }

  void visit_all(int num_utterances, int num_workers) {
    text::FrontEnd front_end(text::text_settings_of(grapheme_config()));
    const auto work = [disk = disk_, this](
                          std::size_t i, const Utterance&, const text::TextStages&) {
      if (disk->blocked.contains(i)) disk->unblocked.wait();
      return [i, this] { visited_.insert(i); };
    };
    for_each_utterance(
        corpus_of_short_texts(num_utterances),
        front_end,
        num_workers,
        {.work = work,
         .on_timeout = [this](std::size_t i,
                              Problem problem) { problems_[i] = std::move(problem); },
         .on_done = [this](std::size_t count) { num_done_ += count; },
         .timeout = std::chrono::milliseconds(100)});
  }

  const std::shared_ptr<BlockingDisk> disk_ = std::make_shared<BlockingDisk>();
  std::set<std::size_t> visited_;
  std::map<std::size_t, Problem> problems_;
  std::size_t num_done_ = 0;
};

TEST_F(UtteranceTimeouts, AreReportedAndTheOthersAreVisited) {
  disk_->blocked = {3, 299, 300, 301};

  visit_all(400, 2);

  EXPECT_EQ(visited_.size(), 396U);
  EXPECT_EQ(num_done_, 400U);
  ASSERT_EQ(problems_.size(), 4U);
  EXPECT_EQ(problems_.at(300).id, "u300");
  EXPECT_EQ(problems_.at(300).reason, "stuck");
  EXPECT_EQ(problems_.at(300).detail, "none.wav: reading it did not end within 0.1 s");
}

TEST_F(UtteranceTimeouts, ConsecutiveTimeoutsAreAnError) {
  for (std::size_t i = 100; i < 300; ++i)
    disk_->blocked.insert(i);
  try {
    visit_all(300, 2);
    FAIL() << "expected a UserError";
  } catch (const UserError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("4 consecutive recordings")) << error.what();
  }
  EXPECT_EQ(visited_.size(), 100U);
  EXPECT_LE(problems_.size(), 3U);
}

}  // namespace
}  // namespace myxtts::corpus
