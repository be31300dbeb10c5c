#include "text/abbreviations_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(AbbreviationsEnglish, ExpandsTitlesAndNames) {
  expect_english({
      {"Mr. Smith", "mister Smith"},
      {"Mr Smith", "mister Smith"},
      {"Mrs. Jones met Dr. Who.", "missus Jones met doctor Who."},
      {"Prof. Lee", "professor Lee"},
      {"Gen. Grant", "general Grant"},
      {"Acme Co. Ltd. grew", "Acme company limited grew"},
      {"Acme Inc.", "Acme incorporated."},
      {"Sammy Davis Jr. sang", "Sammy Davis junior sang"},
      {"J. R. R. Tolkien", "J R R Tolkien"},
      {"met Dr. J. Smith", "met doctor J Smith"},
      {"Mt. Everest", "mount Everest"},
      {"Ft. Worth", "fort Worth"},
  });
}

TEST(AbbreviationsEnglish, DistinguishesSaintsFromStreets) {
  expect_english({
      {"St. Louis", "saint Louis"},
      {"in St. Louis", "in saint Louis"},
      {"In St. Louis", "In saint Louis"},
      {"Main St.", "Main street."},
      {"on 5th St. today", "on fifth street today"},
      {"42 Elm Dr.", "forty-two Elm drive."},
  });
}

TEST(AbbreviationsEnglish, ExpandsLatinAbbreviationsAndReferences) {
  expect_english({
      {"e.g. this", "for example this"},
      {"i.e. that", "that is that"},
      {"apples, pears, etc.", "apples, pears, et cetera."},
      {"etc. The next", "et cetera. The next"},
      {"one vs. two", "one versus two"},
      {"No. 5", "number five"},
      {"He said no.", "He said no."},
      {"vol. 3, p. 12", "volume three, page twelve"},
      {"approx. ten", "approximately ten"},
  });
}

TEST(AbbreviationsEnglish, SpellsDottedLetters) {
  expect_english({
      {"the U.S. army", "the U S army"},
      {"made in the U.S.A.", "made in the U S A."},
      {"a p.m. talk", "a P M talk"},
  });
}

TEST(AbbreviationsEnglish, PointBeforeANameEndsNoSentence) {
  expect_english({
      {"J.R.R. Tolkien", "J R R Tolkien"},
      {"The U.S. Army won.", "The U S Army won."},
      {"made in the U.S. The rest", "made in the U S. The rest"},
      {"Martin Luther King Jr. Day", "Martin Luther King junior Day"},
      {"by Sammy Davis Jr. He sang", "by Sammy Davis junior. He sang"},
      {"a Ph.D. thesis", "a P H D thesis"},
      {"She has a Ph.D.", "She has a P H D."},
      {"Ph.D. Students", "P H D Students"},
      {"P.S. I love you", "P S I love you"},
      {"at 10 p.m. Tuesday", "at ten P M Tuesday"},
      {"at \"10 p.m.\" The end", "at \"ten P M.\" The end"},
  });
}

}  // namespace
}  // namespace myxtts::text
