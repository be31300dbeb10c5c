#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::corpus {

// A line or, with quotes, a record of several lines.
struct RawLine {
  std::string_view bytes;  // without its end ("\n" or "\r\n"); points into the input
  int line = 0;            // from 1
};

// Cuts bytes into lines, skipping a UTF-8 byte order mark and blank lines. The bytes must outlive
// it. Holds no copy, so a file of any size costs nothing here.
class LineReader {
 public:
  explicit LineReader(std::string_view bytes);

  std::optional<RawLine> next();

  // Everything from the start of the line that next() gave last.
  std::string_view since_last() const { return bytes_.substr(last_); }
  // Goes on behind the first `count` bytes of since_last() and the end of that line.
  void skip_to(std::size_t count);

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;
  int line_ = 0;
  int last_line_ = 0;
};

// Fields between separators, not trimmed. No quoting: LJSpeech and Piper have none.
std::vector<std::string_view> split_fields(std::string_view line, char separator);

struct CsvRecord {
  std::vector<std::string> fields;
  std::size_t size = 0;  // bytes of the record, without its line end
  std::string fault;     // why these bytes are no record; empty when they are
};

// The first RFC 4180 record of `bytes`: fields between commas, quotes around those that hold a
// comma, a quote (doubled) or a line end. Looks at no more than `max_bytes`.
CsvRecord parse_csv_record(std::string_view bytes, std::size_t max_bytes);

// Without spaces, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

}  // namespace xtts::corpus
