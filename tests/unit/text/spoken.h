// Test helpers: compare the spoken form of a text with the expected one.
#pragma once

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "text/normalise_english.h"
#include "text/normalise_persian.h"

namespace myxtts::text {

struct SpokenCase {
  std::string written, spoken;
};

inline std::string english(const std::string& written) {
  DroppedCharacters dropped;
  return normalise_english(written, dropped);
}

inline std::string persian(const std::string& written) {
  DroppedCharacters dropped;
  return normalise_persian(written, dropped);
}

inline void expect_english(std::initializer_list<SpokenCase> cases) {
  for (const SpokenCase& one : cases)
    EXPECT_EQ(english(one.written), one.spoken) << one.written;
}

inline void expect_persian(std::initializer_list<SpokenCase> cases) {
  for (const SpokenCase& one : cases)
    EXPECT_EQ(persian(one.written), one.spoken) << one.written;
}

}  // namespace myxtts::text
