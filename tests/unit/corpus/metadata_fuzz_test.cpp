// Metadata that was damaged at random. The promise is that nothing throws, crashes or loses a
// line: every line that is not blank is a row, a problem, a header, or part of a quoted record.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"
#include "corpus/metadata.h"
#include "corpus/records.h"
#include "support/scale.h"

namespace xtts::corpus {
namespace {

constexpr std::uint64_t kSeed = 20240517;

struct Sample {
  Layout layout;
  const char* bytes;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = {
      {Layout::kLjspeech, "a1|Hello 5 times|Hello five times\r\na2|caf\xC3\xA9|\na3|Bye now\n"},
      {Layout::kOriginal, "id|text|normalized\na1|one|one\na2|\xD8\xB3\xD9\x84|x\n"},
      {Layout::kPiper, "a.wav|hello\nwavs/b.flac|rms|good bye\nc.MP3|slt|\n"},
      {Layout::kHuggingFaceCsv, "file_name,text\na.wav,\"x, \"\"y\"\"\nz\"\nb.wav,hi\nc.wav,\n"},
      {Layout::kHuggingFaceJsonl,
       "{\"file_name\":\"a.wav\",\"text\":\"hi "
       "\\u0633\"}\n{\"file_name\":\"b.wav\",\"more\":[{}]}\n"},
  };
  return all;
}

// One to eight edits: a byte replaced, inserted, removed, or a piece repeated.
std::string damage(std::string bytes, base::Random& random) {
  constexpr std::string_view kTelling("|,\"\n\r\0\\{}[]:.\xFF\xC3/", 17);
  for (std::uint64_t edits = 1 + random.below(8); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random.below(bytes.size());
    const char byte = random.below(2) == 0 ? kTelling[random.below(kTelling.size())]
                                           : static_cast<char>(random.below(256));
    switch (random.below(4)) {
      case 0:
        bytes[at] = byte;
        break;
      case 1:
        bytes.insert(at, 1, byte);
        break;
      case 2:
        bytes.erase(at, 1 + random.below(4));
        break;
      default:
        bytes.insert(at, bytes.substr(at, random.below(64)));
    }
  }
  return bytes;
}

std::size_t count_lines(std::string_view bytes) {
  LineReader lines(bytes);
  std::size_t count = 0;
  while (lines.next())
    ++count;
  return count;
}

TEST(MetadataFuzz, DamagedBytesGiveRowsAndProblemsAndNothingElse) {
  base::Random random(kSeed);
  for (int i = 0; i < 10'000 * support::test_scale(); ++i) {
    const Sample& sample = samples()[random.below(samples().size())];
    const std::string bytes = damage(sample.bytes, random);
    SCOPED_TRACE(testing::Message() << "seed " << kSeed << ", case " << i);

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
      ASSERT_FALSE(problem.id.empty() || problem.remedy.empty());
      ASSERT_TRUE(base::is_utf8(problem.id) && base::is_utf8(problem.detail));
    }
  }
}

}  // namespace
}  // namespace xtts::corpus
