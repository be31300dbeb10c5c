#include "text/acronyms_english.h"

#include "unit/text/spoken.h"

namespace myxtts::text {
namespace {

TEST(AcronymsEnglish, SpellsUnlessPronounceableOrEmphasised) {
  expect_english({
      {"the FBI knew", "the F B I knew"},
      {"the FBI's man", "the F B I's man"},
      {"two CDs", "two C D's"},
      {"from NASA and NATO", "from NASA and NATO"},
      {"do NOT go", "do not go"},
      {"the COVID-19 year", "the COVID nineteen year"},
      {"an MP3 file", "an M P three file"},
      {"so B2B works", "so B two B works"},
      {"in 4K now", "in four K now"},
      {"an IMPORTANT note", "an important note"},
      {"AT&T is", "A T and T is"},
  });
}

TEST(AcronymsEnglish, LowerCasesAnAllCapsSentence) {
  expect_english({
      {"THIS IS A HEADLINE", "this is a headline"},
      {"BREAKING NEWS", "breaking news"},
      {"FBI", "F B I"},
      {"STOP THE CAR", "stop the car"},
      {"NASA AND NATO", "NASA and NATO"},
  });
}

TEST(AcronymsEnglish, SpellsAListOfShortCapitals) {
  expect_english({
      {"SQL, JSON, XML, API, CPU", "S Q L, JSON, X M L, A P I, C P U"},
      {"HTTP HTML", "H T T P H T M L"},
      {"in WWII", "in World War two"},
      {"WWI's end", "World War one's end"},
      {"a MIX of both", "a mix of both"},
  });
}

TEST(AcronymsEnglish, ReadsRomanNumeralsAfterNames) {
  expect_english({
      {"Henry VIII of England", "Henry the eighth of England"},
      {"Louis XIV.", "Louis the fourteenth."},
      {"Louis XVI's head", "Louis the sixteenth's head"},
      {"Henry V was king", "Henry the fifth was king"},
      {"World War II", "World War two"},
      {"Chapter IV", "Chapter four"},
      {"John I of Portugal", "John the first of Portugal"},
      {"Then I saw", "Then I saw"},
      {"John I think", "John I think"},
      {"the vitamin C", "the vitamin C"},
  });
}

}  // namespace
}  // namespace myxtts::text
