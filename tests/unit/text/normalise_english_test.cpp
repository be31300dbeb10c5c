#include "text/normalise_english.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/utf8.h"
#include "support/scale.h"
#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(NormaliseEnglish, KeepsPlainProse) {
  const std::string prose =
      "Therefore, let us keep our minds on two or three simple, well-known facts; don't you agree?";

  EXPECT_EQ(english(prose), prose);
}

TEST(NormaliseEnglish, UnifiesTypography) {
  expect_english({
      {"“Quoted” and ‘single’", "\"Quoted\" and single"},
      {"it’s", "it's"},
      {"the dogs’ bowls", "the dogs' bowls"},
      {"'tis", "'tis"},
      {"Wait… what", "Wait… what"},
      {"Wait... what", "Wait… what"},
      {"yes -- no", "yes — no"},
      {"yes – no", "yes — no"},
      {"yes - no", "yes — no"},
      {"What?!?", "What?"},
      {"Stop!!!", "Stop!"},
      {"a ,b", "a,b"},
      {"  two\t spaces\n", "two spaces"},
      {"ﬁne ｆｕｌｌ", "fine full"},
      {"[note]", "(note)"},
      {"zero\u200bwidth\u00adhere\x01", "zerowidthhere"},
  });
}

TEST(NormaliseEnglish, ReadsSymbols) {
  expect_english({
      {"salt & pepper", "salt and pepper"},
      {"a@b.com", "a at b dot com"},
      {"#1", "number one"},
      {"#fun", "hashtag fun"},
      {"1+1=2", "one plus one equals two"},
      {"a < b", "a less than b"},
      {"<b>bold</b>", "b bold b"},
      {"5 × 3", "five times three"},
      {"and/or", "and slash or"},
      {"~10", "about ten"},
      {"snake_case", "snake case"},
      {"π is 3", "pi is three"},
      {"End.Next", "End. Next"},
      {"foo...bar", "foo… bar"},
      {"+/-5", "plus or minus five"},
      {"±5", "plus or minus five"},
      {"5−3", "five minus three"},
      {"№ 5", "number five"},
      {"5‰", "five per mille"},
  });
}

TEST(NormaliseEnglish, ReportsCharactersWithoutSpokenForm) {
  DroppedCharacters dropped;

  const std::string spoken = normalise_english("Hi 😀 there 中文 😀 café", dropped);

  EXPECT_EQ(spoken, "Hi there café");
  EXPECT_EQ(dropped.list(), (std::vector<std::string>{"😀", "中", "文"}));
}

// Returns random text from fragments that the readers look for and from all of Unicode.
std::string random_text(base::Random& random) {
  static const std::vector<std::string> fragments = {
      "$",      "1",   "00",  ",",     ".",   "/",     "-",      ":",  "'",  "s'", " ",
      "St.",    "Dr.", "No.", "p.m.",  "%",   "th",    "XV",     "é",  "\"", "((", "U.S",
      "@",      "£9",  "½",   "1,000", "999", "Jan. ", "\u0301", "°C", "۵",  "م",  "می‌",
      "\u200c", "٫",   "ها",  "FBI",   "A",   "²",     "ﷺ",      "\t", "--", "’",  "#"};
  std::string text;
  const std::uint64_t length = 1 + random.below(60);
  for (std::uint64_t i = 0; i < length; ++i) {
    if (random.below(4) > 0) {
      text += fragments[random.below(fragments.size())];
      continue;
    }
    auto c = static_cast<char32_t>(1 + random.below(0x10FFFF));
    if (c >= 0xD800 && c <= 0xDFFF) c = U'x';
    text += base::encode_utf8(std::u32string_view(&c, 1));
  }
  return text;
}

TEST(NormaliseEnglish, NeverThrowsAndBoundsItsOutputInBothLanguages) {
  constexpr std::uint64_t kSeed = 20240611;
  RecordProperty("seed", std::to_string(kSeed));
  base::Random random(kSeed);
  for (int i = 0; i < 2000 * support::test_scale(); ++i) {
    const std::string text = random_text(random);
    for (const std::string& spoken : {english(text), persian(text)}) {
      ASSERT_TRUE(base::is_utf8(spoken)) << "seed " << kSeed << ": " << text;
      ASSERT_LE(spoken.size(), 64 * text.size()) << "seed " << kSeed << ": " << text;
      ASSERT_EQ(spoken.find_first_of("0123456789\n\t"), std::string::npos)
          << "seed " << kSeed << ": " << text << " -> " << spoken;
    }
  }
}

// Returns the CPU time of this thread, the minimum of three runs.
double cpu_seconds_of(const std::string& text) {
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const auto now = [] {
      timespec time{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    english(text);
    persian(text);
    fastest = std::min(fastest, now() - start);
  }
  return fastest;
}

TEST(NormaliseEnglish, RunsInLinearTime) {
  const std::vector<std::string> repeated = {
      "1", "1,", "1-", "1.", "s'", "'", "A", "X", "a.", "St.", "$1", "(", "5 "};
  const auto repeat = [](const std::string& part, std::size_t length) {
    std::string text;
    while (text.size() < length)
      text += part;
    return text + "aa";  // makes the lookahead of a reader fail at the end
  };
  for (const std::string& part : repeated) {
    const double once = cpu_seconds_of(repeat(part, 4000));
    const double four_times = cpu_seconds_of(repeat(part, 16000));
    EXPECT_LT(four_times, 10.0 * once) << part;  // linear is 4, quadratic 16
  }
}

}  // namespace
}  // namespace myxtts::text
