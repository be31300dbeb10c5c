#include "text/dates_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(DatesEnglish, ReadsDates) {
  expect_english({
      {"May 3, 1998", "May third, nineteen ninety-eight"},
      {"on May 3rd, 1998", "on May third, nineteen ninety-eight"},
      {"Jan. 5, 2024", "January fifth, twenty twenty-four"},
      {"Sept. 11", "September eleventh"},
      {"December 25", "December twenty-fifth"},
      {"3 May 1998", "the third of May nineteen ninety-eight"},
      {"21 Dec. 2005", "the twenty-first of December two thousand five"},
      {"May 1998", "May nineteen ninety-eight"},
      {"1998-05-03", "May third, nineteen ninety-eight"},
      {"05/03/1998", "May third, nineteen ninety-eight"},
      {"25/12/2020", "December twenty-fifth, twenty twenty"},
      {"May 32", "May thirty-two"},
      {"May 3-5", "May three to five"},
      {"He may 3 times", "He may three times"},
  });
}

TEST(DatesEnglish, ReadsYearsAndDecades) {
  expect_english({
      {"1998", "nineteen ninety-eight"},
      {"1900", "nineteen hundred"},
      {"2005", "two thousand five"},
      {"2024", "twenty twenty-four"},
      {"1066", "one thousand sixty-six"},
      {"the 1980s", "the nineteen eighties"},
      {"the 1900s", "the nineteen hundreds"},
      {"the 80s", "the eighties"},
      {"the '90s", "the nineties"},
      {"back in '98", "back in ninety-eight"},
      {"1998-2005", "nineteen ninety-eight to two thousand five"},
  });
}

TEST(DatesEnglish, ReadsDatesWithSlashesButNotFractions) {
  expect_english({
      {"2020/12/25", "December twenty-fifth, twenty twenty"},
      {"2020/1/5", "January fifth, twenty twenty"},
      {"12/25", "December twenty-fifth"},
      {"on 5/6", "on May sixth"},
      {"by 3/15", "by March fifteenth"},
      {"until 04/01", "until April first"},
      {"by 1/2", "by one half"},
      {"9/11", "nine eleven"},
      {"11/12 of it", "eleven twelfths of it"},
      {"2 11/32", "two and eleven thirty-seconds"},
  });
}

TEST(DatesEnglish, ReadsRangesOfTimes) {
  expect_english({
      {"1:30-2:30", "one thirty to two thirty"},
      {"9:00-17:00", "nine o'clock to seventeen hundred"},
      {"3pm-5pm", "three P M to five P M"},
      {"3-5 pm", "three to five P M"},
      {"00:00", "midnight"},
      {"1:30-x", "one thirty-x"},
  });
}

TEST(DatesEnglish, ReadsTimes) {
  expect_english({
      {"3:05", "three oh five"},
      {"10:30 pm", "ten thirty P M"},
      {"10:30 p.m. sharp", "ten thirty P M sharp"},
      {"at 10:30 a.m.", "at ten thirty A M."},
      {"12:00", "twelve o'clock"},
      {"12:00 pm", "twelve P M"},
      {"15:00", "fifteen hundred"},
      {"00:15", "zero fifteen"},
      {"3pm", "three P M"},
      {"at 3 PM.", "at three P M."},
      {"1:02:03", "one hour, two minutes and three seconds"},
      {"I am 3 am I", "I am three A M I"},
      {"won 3:2", "won three to two"},
  });
}

}  // namespace
}  // namespace myxtts::text
