#include "corpus/records.h"

#include <algorithm>
#include <utility>

namespace myxtts::corpus {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Parses one CSV record.
class CsvScanner {
 public:
  CsvScanner(std::string_view bytes, std::size_t max_bytes)
      : bytes_(bytes.substr(0, std::min(bytes.size(), max_bytes))),
        is_cut_(bytes.size() > max_bytes) {}

  CsvRecord scan() {
    while (record_.fault.empty()) {
      read_field();
      if (at_end() || here() == '\n') break;
      ++position_;  // the comma
    }
    if (at_end() && is_cut_) record_.fault = "the record is too long";
    record_.size = position_;
    return std::move(record_);
  }

 private:
  bool at_end() const { return position_ >= bytes_.size(); }
  char here() const { return bytes_[position_]; }

  void read_field() {
    if (!at_end() && here() == '"') return read_quoted();
    const std::size_t end = std::min(bytes_.find_first_of(",\n", position_), bytes_.size());
    std::string_view field = bytes_.substr(position_, end - position_);
    if (field.ends_with('\r')) field.remove_suffix(1);
    record_.fields.emplace_back(field);
    position_ = end;
  }

  void read_quoted() {
    std::string field;
    bool closed = false;
    for (++position_; !at_end() && !closed; ++position_) {
      const bool quote = here() == '"';
      const bool doubled = quote && bytes_.substr(position_ + 1).starts_with('"');
      closed = quote && !doubled;
      if (doubled) ++position_;
      if (!closed) field += here();
    }
    if (!at_end() && here() == '\r') ++position_;
    if (!closed) {
      record_.fault = "unclosed quote";
    } else if (!at_end() && here() != ',' && here() != '\n') {
      record_.fault = "text after a closing quote; double the quotes inside a quoted field";
    }
    record_.fields.push_back(std::move(field));
  }

  std::string_view bytes_;
  bool is_cut_;
  std::size_t position_ = 0;
  CsvRecord record_;
};

}  // namespace

LineReader::LineReader(std::string_view bytes) : bytes_(bytes) {
  if (bytes_.starts_with(kByteOrderMark)) bytes_.remove_prefix(kByteOrderMark.size());
}

std::optional<RawLine> LineReader::next() {
  while (position_ < bytes_.size()) {
    last_ = position_;
    last_line_ = ++line_;
    const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
    position_ = end + 1;
    std::string_view line = bytes_.substr(last_, end - last_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!trim(line).empty()) return RawLine{line, line_};
  }
  return std::nullopt;
}

void LineReader::skip_to(std::size_t count) {
  const std::string_view skipped = bytes_.substr(last_, count);
  line_ = last_line_ + static_cast<int>(std::ranges::count(skipped, '\n'));
  const std::size_t end = std::min(bytes_.find('\n', last_ + skipped.size()), bytes_.size());
  position_ = end + 1;
}

std::vector<std::string_view> split_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = line.find(separator);
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

CsvRecord parse_csv_record(std::string_view bytes, std::size_t max_bytes) {
  return CsvScanner(bytes, max_bytes).scan();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace myxtts::corpus
