// Splits metadata bytes into lines, fields and CSV records.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::corpus {

// A line, or a quoted CSV record of several lines.
struct RawLine {
  std::string_view bytes;  // without line end ("\n" or "\r\n"); points into the input
  int line = 0;            // from 1
};

// Splits bytes into lines, skipping a UTF-8 byte order mark and blank lines. Does not copy the
// bytes, which must outlive the reader.
class LineReader {
 public:
  explicit LineReader(std::string_view bytes);

  std::optional<RawLine> next();

  // Returns all bytes from the start of the last line on.
  std::string_view since_last() const { return bytes_.substr(last_); }
  // Continues after the line that contains the first `count` bytes of since_last().
  void skip_to(std::size_t count);

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;
  int line_ = 0;
  int last_line_ = 0;
};

// Splits a line into fields without trimming. Quotes have no meaning (LJSpeech, Piper).
std::vector<std::string_view> split_fields(std::string_view line, char separator);

struct CsvRecord {
  std::vector<std::string> fields;
  std::size_t size = 0;  // bytes of the record without its line end
  std::string fault;     // why the bytes are not a record; empty if they are
};

// Parses the first RFC 4180 record of `bytes`: comma-separated fields, quoted if they contain a
// comma, a quote (doubled) or a line end. Reads at most `max_bytes`.
CsvRecord parse_csv_record(std::string_view bytes, std::size_t max_bytes);

// Removes spaces, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

}  // namespace myxtts::corpus
