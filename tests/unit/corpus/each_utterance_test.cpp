#include "corpus/each_utterance.h"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/corpus/corpus_folder.h"

namespace xtts::corpus {
namespace {

// Utterance i says "a" i % 5 + 1 times.
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

TEST(ForEachUtterance, VisitsEachOnceWithItsTextAcrossTurns) {
  text::FrontEnd front_end(text::text_settings_of(grapheme_config()));
  for (const int num_workers : {0, 3}) {
    std::vector<int> visits(600);
    std::vector<std::size_t> sizes(600);
    std::size_t num_done = 0;

    for_each_utterance(
        corpus_of_short_texts(600),
        front_end,
        num_workers,
        [&](std::size_t i, const text::TextStages& stages) {
          ++visits[i];
          sizes[i] = stages.ids.size();
        },
        [&](std::size_t count) { num_done += count; });

    EXPECT_EQ(visits, std::vector<int>(600, 1));
    EXPECT_EQ(num_done, 600U);
    for (std::size_t i = 0; i < 600; ++i)
      EXPECT_EQ(sizes[i], i % 5 + 1);
  }
}

TEST(ForEachUtterance, RethrowsWhatTheWorkThrows) {
  text::FrontEnd front_end(text::text_settings_of(grapheme_config()));
  const auto work = [](std::size_t i, const text::TextStages&) {
    if (i == 300) throw std::runtime_error("broken");
  };

  EXPECT_THROW(for_each_utterance(corpus_of_short_texts(400), front_end, 2, work),
               std::runtime_error);
}

}  // namespace
}  // namespace xtts::corpus
