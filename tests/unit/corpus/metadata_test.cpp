#include "corpus/metadata.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "corpus/records.h"
#include "support/scale.h"
#include "unit/corpus/damaged_metadata.h"

namespace myxtts::corpus {
namespace {

using enum Layout;

// Returns "id:reason" of every problem.
std::vector<std::string> problems_of_metadata(const Metadata& metadata) {
  std::vector<std::string> problems;
  for (const Problem& problem : metadata.problems)
    problems.push_back(problem.id + ":" + problem.reason);
  return problems;
}

using Names = std::vector<std::string>;

TEST(DetectLayout, UsesTheFirstLines) {
  EXPECT_EQ(detect_layout("LJ001-0001|Printing, in the only sense|Printing"), kLjspeech);
  EXPECT_EQ(detect_layout("a.wav|hello\n"), kPiper);
  EXPECT_EQ(detect_layout("a.FLAC|rms|hello\r\n"), kPiper);
  EXPECT_EQ(detect_layout("\xEF\xBB\xBF"
                          "file_name,text\na.wav,hi\n"),
            kHuggingFaceCsv);
  EXPECT_EQ(detect_layout("text,\"file_name\"\nhi,a.wav\n"), kHuggingFaceCsv);
  EXPECT_EQ(detect_layout(""), kLjspeech);
}

TEST(DetectLayout, MalformedFirstLineIsIgnored) {
  EXPECT_EQ(detect_layout("garbage\na.wav|one\nb.wav|two\nc|three\n"), kPiper);
  EXPECT_EQ(detect_layout("a.wav|one\nb|two\nc|three\n"), kLjspeech);
}

TEST(DetectLayout, FileNameInATextIsNotAHeader) {
  EXPECT_EQ(detect_layout("x1|the variable file_name is set|\n"), kLjspeech);
}

TEST(AudioSuffix, MatchesInAnyCaseAndOnlyAfterAName) {
  EXPECT_TRUE(has_audio_suffix("a.wav"));
  EXPECT_TRUE(has_audio_suffix("A.Opus"));
  EXPECT_FALSE(has_audio_suffix(".wav"));
  EXPECT_FALSE(has_audio_suffix("a.txt"));
  EXPECT_EQ(without_audio_suffix("dir/a.b.mp3"), "dir/a.b");
}

TEST(ParseMetadata, LjspeechPrefersTheNormalisedText) {
  const Metadata metadata = parse_metadata("a|5 cats|five cats\r\nb|hi|\nc| ho \n", kLjspeech);

  ASSERT_EQ(metadata.rows.size(), 3U);
  EXPECT_EQ(metadata.rows[0].text, "five cats");
  EXPECT_EQ(metadata.rows[1].text, "hi");
  EXPECT_EQ(metadata.rows[2].text, "ho");
  EXPECT_EQ(metadata.rows[2].line, 3);
  EXPECT_TRUE(metadata.problems.empty());
}

TEST(ParseMetadata, PiperHasTheSpeakerInTheMiddle) {
  const Metadata metadata = parse_metadata("a.wav|hello\nb.wav|rms|good bye\n", kPiper);

  ASSERT_EQ(metadata.rows.size(), 2U);
  EXPECT_EQ(metadata.rows[0].speaker, "");
  EXPECT_EQ(metadata.rows[1].speaker, "rms");
  EXPECT_EQ(metadata.rows[1].text, "good bye");
}

TEST(ParseMetadata, PipeSeparatedHeaderNamesTheColumns) {
  const Metadata metadata =
      parse_metadata("audio_file|text|speaker_name\na.wav|hello|rms\n", kPiper);

  ASSERT_EQ(metadata.rows.size(), 1U);
  EXPECT_EQ(metadata.rows[0].text, "hello");
  EXPECT_EQ(metadata.rows[0].speaker, "rms");
}

TEST(ParseMetadata, HuggingFaceCsvAllowsQuotesAndAnyColumnOrder) {
  const Metadata metadata = parse_metadata(
      "speaker_id,transcription,file_name\n7,\"Well, \"\"yes\"\"\nor no\",audio/a.wav\n,ho,b.mp3\n",
      kHuggingFaceCsv);

  ASSERT_EQ(metadata.rows.size(), 2U);
  EXPECT_EQ(metadata.rows[0].name, "audio/a.wav");
  EXPECT_EQ(metadata.rows[0].text, "Well, \"yes\"\nor no");
  EXPECT_EQ(metadata.rows[0].speaker, "7");
  EXPECT_EQ(metadata.rows[1].line, 4);
}

TEST(ParseMetadata, HuggingFaceJsonlHasAnObjectPerLine) {
  const Metadata metadata = parse_metadata(
      "{\"file_name\": \"a.wav\", \"text\": \"hi\", \"speaker_id\": 3}\n"
      "{\"file_name\": \"b.wav\", \"sentence\": \"ho\", \"id\": 9}\n",
      kHuggingFaceJsonl);

  ASSERT_EQ(metadata.rows.size(), 2U);
  EXPECT_EQ(metadata.rows[0].speaker, "3");
  EXPECT_EQ(metadata.rows[1].name, "b.wav");
  EXPECT_EQ(metadata.rows[1].text, "ho");
}

TEST(ParseMetadata, ReportsEveryBadLineOnceAndContinues) {
  std::string bytes = "a|fine\nlonely\nb|c|d|e\n|no id\nf| \ng|bad \xFF byte\nh|";
  bytes += std::string("n\0l", 3) + "\nz|fine\n";

  const Metadata metadata = parse_metadata(bytes, kLjspeech);

  EXPECT_EQ(metadata.rows.size(), 2U);
  EXPECT_EQ(problems_of_metadata(metadata),
            (Names{"lonely:bad_line",
                   "b:bad_line",
                   "line 4:bad_line",
                   "f:empty_text",
                   "g:not_utf8",
                   "h:nul"}));
  EXPECT_EQ(metadata.problems[0].line, 2);
}

TEST(ParseMetadata, LinesAreLimitedTo64KiB) {
  const std::string longest = "a|" + std::string(kMaxLineBytes - 2, 'x');

  EXPECT_EQ(parse_metadata(longest, kLjspeech).rows.size(), 1U);
  EXPECT_EQ(problems_of_metadata(parse_metadata(longest + "x\nb|fine", kLjspeech)),
            (Names{"a:line_too_long"}));
}

TEST(ParseMetadata, UnclosedQuoteCostsOneUtterance) {
  const Metadata metadata = parse_metadata(
      "file_name,text\na.wav,\"never closed\nb.wav,fine\nc.wav,\"too\"far\nd.wav,fine\n",
      kHuggingFaceCsv);

  EXPECT_EQ(problems_of_metadata(metadata), (Names{"a:bad_line", "c:bad_line"}));
  EXPECT_EQ(metadata.rows.size(), 2U);
}

TEST(ParseMetadata, CsvRowsNeedTheColumnsOfTheHeader) {
  const Metadata metadata =
      parse_metadata("file_name,text\na.wav\nb.wav,hi,more\nc.wav,hi\n", kHuggingFaceCsv);

  EXPECT_EQ(problems_of_metadata(metadata), (Names{"a:bad_line", "b:bad_line"}));
  EXPECT_EQ(metadata.rows.size(), 1U);
}

TEST(ParseMetadata, HeaderWithoutTextIsOneProblem) {
  const Metadata metadata = parse_metadata("file_name,length\na.wav,3\nb.wav,4\n", kHuggingFaceCsv);

  EXPECT_EQ(metadata.problems.size(), 1U);
  EXPECT_TRUE(metadata.rows.empty());
}

TEST(ParseMetadata, BadJsonlLinesAreNamedByIdOrLine) {
  const Metadata metadata = parse_metadata(
      "nonsense\n{\"text\": \"hi\"}\n{\"file_name\": \"c.wav\"}\n"
      "{\"file_name\": \"d.wav\", \"text\": \"\"}\n{\"file_name\": \"e.wav\", \"text\": "
      "\"\\u0000\"}\n",
      kHuggingFaceJsonl);

  EXPECT_EQ(problems_of_metadata(metadata),
            (Names{"line 1:bad_line", "line 2:bad_line", "c:bad_line", "d:empty_text", "e:nul"}));
}

TEST(ParseMetadata, LinesPastTheLimitAreOneProblem) {
  const Metadata metadata = parse_metadata("a|1\nb|2\nc|3\nd|4\n", kLjspeech, 2);

  EXPECT_EQ(metadata.rows.size(), 2U);
  EXPECT_EQ(problems_of_metadata(metadata), (Names{"line 3:too_many_lines"}));
}

std::size_t count_lines(std::string_view bytes) {
  LineReader lines(bytes);
  std::size_t count = 0;
  while (lines.next())
    ++count;
  return count;
}

// Every line that is not blank becomes a row, a problem, a header, or part of a quoted record.
TEST(ParseMetadata, FuzzedBytesGiveOnlyRowsAndProblems) {
  constexpr std::uint64_t kRandomSeed = 20240517;
  base::Random random(kRandomSeed);
  for (int i = 0; i < 10'000 * support::test_scale(); ++i) {
    const MetadataSample& sample = metadata_samples()[random.below(metadata_samples().size())];
    const std::string bytes = damage(sample.bytes, random);
    SCOPED_TRACE(testing::Message() << "seed " << kRandomSeed << ", case " << i);

    const Metadata metadata = parse_metadata(bytes, sample.layout);
    detect_layout(bytes);

    const std::size_t num_found = metadata.rows.size() + metadata.problems.size();
    ASSERT_LE(num_found, count_lines(bytes));
    if (sample.layout == Layout::kLjspeech || sample.layout == Layout::kHuggingFaceJsonl) {
      ASSERT_EQ(num_found, count_lines(bytes));  // no header, no quotes
    }
    for (const Row& row : metadata.rows) {
      ASSERT_FALSE(row.name.empty() || row.text.empty());
      ASSERT_TRUE(base::is_utf8(row.name) && base::is_utf8(row.text));
      ASSERT_EQ(row.text.find('\0'), std::string::npos);
    }
    for (const Problem& problem : metadata.problems) {
      ASSERT_FALSE(problem.id.empty() || problem.suggestion.empty());
      ASSERT_TRUE(base::is_utf8(problem.id) && base::is_utf8(problem.detail));
    }
  }
}

TEST(ParseMetadata, UnclosedQuotesCostLinearTime) {
  for (const char* hostile : {"x\",\"y\n", "\"a\n", "a,\"\n", "a,\"\"\"\n"}) {
    std::string bytes = "file_name,text\n";
    for (int i = 0; i < 50'000; ++i)
      bytes += hostile;

    const Metadata metadata = parse_metadata(bytes, Layout::kHuggingFaceCsv);

    EXPECT_LE(metadata.bytes_searched, 3 * bytes.size() + (std::size_t{2} << 20U)) << hostile;
  }
}

TEST(ParseMetadata, UnclosedQuoteDoesNotAffectLaterRecords) {
  std::string bytes = "file_name,text\na.wav,\"open\n";
  for (int i = 0; i < 20; ++i)
    bytes += "b" + std::to_string(i) + ".wav,\"two\nlines\"\n";

  const Metadata metadata = parse_metadata(bytes, Layout::kHuggingFaceCsv);

  EXPECT_EQ(metadata.rows.size(), 20U);
  EXPECT_EQ(metadata.problems.size(), 1U);
}

TEST(DetectLayout, RepeatedShortNamesInColumnTwoAreSpeakers) {
  EXPECT_EQ(detect_layout("1|ann|Good morning.\n2|ann|How are you?\n3|ann|Fine.\n4|ann|Bye.\n"),
            Layout::kPiper);
  EXPECT_EQ(detect_layout("1|yes|yes\n2|yes|yes\n3|yes|yes\n4|yes|yes\n"), Layout::kLjspeech);
  EXPECT_EQ(detect_layout("1|One.|one\n2|Two.|two\n3|Three.|three\n4|Four.|four\n"),
            Layout::kLjspeech);
  EXPECT_EQ(detect_layout("1||one\n2||two\n3||three\n4||four\n"), Layout::kLjspeech);
}

}  // namespace
}  // namespace myxtts::corpus
