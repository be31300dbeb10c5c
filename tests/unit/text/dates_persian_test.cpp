#include "text/dates_persian.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(DatesPersian, ReadsDatesOfBothCalendars) {
  expect_persian({
      {"۱۴۰۲/۵/۳", "سوم مرداد هزار و چهارصد و دو"},
      {"۱۴۰۲-۰۵-۰۳", "سوم مرداد هزار و چهارصد و دو"},
      {"۳/۵/۱۴۰۲", "سوم مرداد هزار و چهارصد و دو"},
      {"2020-12-25", "بیست و پنجم دسامبر دو هزار و بیست"},
      {"25/12/2020", "بیست و پنجم دسامبر دو هزار و بیست"},
  });
  EXPECT_FALSE(read_date_persian(U"1402/13/01", 0));
  EXPECT_FALSE(read_date_persian(U"1600/12/01", 0));
  EXPECT_FALSE(read_date_persian(U"1402/12", 0));
}

TEST(DatesPersian, ReadsTimesAndTimeRanges) {
  expect_persian({
      {"۱۰:۳۰:۰۵", "ده و سی دقیقه و پنج ثانیه"},
      {"۸:۰۰-۱۶:۳۰", "هشت تا شانزده و سی دقیقه"},
      {"۸:۰۰", "هشت"},
  });
  EXPECT_FALSE(read_time_persian(U"25:00", 0));
  EXPECT_FALSE(read_time_persian(U"10:3", 0));
}

TEST(DatesPersian, ReadsTelephoneNumbersDigitByDigit) {
  expect_persian({
      {"۰۹۱۲-۳۴۵-۶۷۸۹", "صفر نُه یک دو، سه چهار پنج، شش هفت هشت نُه"},
      {"۰۲۱ ۱۲۳۴۵۶۷۸", "صفر دو یک، یک دو سه چهار پنج شش هفت هشت"},
      {"+98 912 345 6789", "مثبت نُه هشت، نُه یک دو، سه چهار پنج، شش هفت هشت نُه"},
  });
  EXPECT_FALSE(read_telephone_persian(U"0912-345", 0));
  EXPECT_FALSE(read_telephone_persian(U"10912-345-678", 0));
}

}  // namespace
}  // namespace myxtts::text
