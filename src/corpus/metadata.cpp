// Lines are checked for length, zero bytes, UTF-8, form and text, in this order. Only the first
// fault is reported, so that every bad line is listed once.

#include "corpus/metadata.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "corpus/columns.h"
#include "corpus/json_row.h"
#include "corpus/reasons.h"
#include "corpus/records.h"

namespace myxtts::corpus {
namespace {

constexpr std::array<std::string_view, 5> kAudioSuffixes = {
    ".wav", ".flac", ".ogg", ".opus", ".mp3"};

bool ends_with_ignoring_case(std::string_view text, std::string_view end) {
  if (text.size() < end.size()) return false;
  return std::ranges::equal(text.substr(text.size() - end.size()),
                            end,
                            [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
}

// Distinguishes id|speaker|text from id|text|normalized: speakers are few short names that repeat
// beside more different texts.
class SecondColumn {
 public:
  void add(const std::vector<std::string_view>& fields) {
    constexpr std::size_t kMaxSpeakerBytes = 40;
    ++num_lines_;
    const std::string_view name = fields.size() == 3 ? trim(fields[1]) : std::string_view();
    if (name.empty() || name.size() > kMaxSpeakerBytes || std::ranges::count(name, ' ') > 1) {
      only_names_ = false;
      return;
    }
    names_.insert(name);
    texts_.insert(trim(fields[2]));
  }

  bool holds_speakers() const {
    constexpr std::size_t kMinLines = 4;
    return only_names_ && num_lines_ >= kMinLines && 3 * names_.size() <= num_lines_ &&
           texts_.size() > names_.size();
  }

 private:
  std::size_t num_lines_ = 0;
  bool only_names_ = true;
  std::set<std::string_view> names_;
  std::set<std::string_view> texts_;
};

// Parses the lines of one layout.
class Parser {
 public:
  Parser(Layout layout, std::size_t max_lines) : layout_(layout), max_lines_(max_lines) {}

  Metadata parse(std::string_view bytes) {
    LineReader lines(bytes);
    std::size_t count = 0;
    for (auto line = lines.next(); line; line = lines.next()) {
      if (++count > max_lines_) {
        add_problem(*line, "too_many_lines", fmt::format("more than {} lines", max_lines_));
        break;
      }
      if (layout_ == Layout::kHuggingFaceCsv) {
        read_csv(lines, *line);
      } else if (is_valid_text(*line)) {
        layout_ == Layout::kHuggingFaceJsonl ? read_json(*line) : read_pipes(*line);
      }
    }
    return std::move(metadata_);
  }

 private:
  // Checks length, zero bytes and UTF-8. Adds a problem if one fails.
  bool is_valid_text(const RawLine& line) {
    if (line.bytes.size() > kMaxLineBytes) {
      add_problem(line, "line_too_long", fmt::format("{} bytes", line.bytes.size()));
    } else if (line.bytes.find('\0') != std::string_view::npos) {
      add_problem(line, "nul", fmt::format("byte {} is zero", line.bytes.find('\0') + 1));
    } else if (!base::is_utf8(line.bytes)) {
      add_problem(line, "not_utf8", fmt::format("\"{}\"", printable(line.bytes)));
    } else {
      return true;
    }
    return false;
  }

  void read_pipes(const RawLine& line) {
    const std::vector<std::string_view> fields = split_fields(line.bytes, '|');
    if (std::exchange(at_first_, false)) {
      const Columns titles = columns_of(fields);
      if (titles.usable() && titles.num_known == fields.size()) {
        header_ = titles;
        return;
      }
    }
    if (fields.size() < 2 || fields.size() > 3) {
      return add_problem(line,
                         "bad_line",
                         fmt::format("{} column{} between '|', expected {}",
                                     fields.size(),
                                     fields.size() == 1 ? "" : "s",
                                     layout_ == Layout::kPiper ? "file|text or file|speaker|text"
                                                               : "id|text or id|text|normalized"));
    }
    read_fields(line, fields, header_ ? *header_ : columns_without_header(fields.size()));
  }

  Columns columns_without_header(std::size_t num_fields) const {
    if (num_fields == 2) return {.name = 0, .text = 1};
    if (layout_ == Layout::kPiper) return {.name = 0, .text = 2, .speaker = 1};
    return {.name = 0, .text = 1, .normalised = 2};
  }

  // Returns the record that begins with this line. Searching the end of an unclosed quote is
  // limited by a budget that grows with the file; beyond it, records end with their line. Otherwise
  // an untrusted file would cost 64 KiB of work per line.
  CsvRecord csv_record(const LineReader& lines, const RawLine& first) {
    constexpr std::size_t kBudgetBytes = 16 * kMaxLineBytes;
    const bool in_budget = bytes_wasted_ <= bytes_in_lines_ + kBudgetBytes;
    CsvRecord record =
        parse_csv_record(in_budget ? lines.since_last() : first.bytes, kMaxLineBytes);
    metadata_.bytes_searched += record.size;
    bytes_in_lines_ += first.bytes.size();
    if (!record.fault.empty()) bytes_wasted_ += record.size;
    return record;
  }

  void read_csv(LineReader& lines, const RawLine& first) {
    const CsvRecord record = csv_record(lines, first);
    const bool quoted = record.fault.empty() && record.size > first.bytes.size() + 1;
    const RawLine line{lines.since_last().substr(0, quoted ? record.size : first.bytes.size()),
                       first.line};
    if (quoted) lines.skip_to(record.size);
    if (!is_valid_text(line)) return;
    if (!record.fault.empty()) return add_problem(line, "bad_line", record.fault);

    const std::vector<std::string_view> fields(record.fields.begin(), record.fields.end());
    if (std::exchange(at_first_, false)) {
      header_ = columns_of(fields);
      num_columns_ = fields.size();
      if (!header_->usable()) {
        add_problem(line, "bad_line", "the header needs the columns file_name and text");
      }
      return;
    }
    if (!header_->usable()) return;
    if (fields.size() != num_columns_) {
      const std::string found =
          fmt::format("{} columns, the header has {}", fields.size(), num_columns_);
      return add_problem(line, "bad_line", found);
    }
    read_fields(line, fields, *header_);
  }

  void read_json(const RawLine& line) {
    const JsonRow row = parse_json_row(line.bytes);
    if (!row.fault.empty()) return add_problem(line, "bad_line", row.fault);
    std::vector<std::string_view> titles;
    std::vector<std::string_view> values;
    for (const auto& member : row.members) {
      titles.push_back(member.first);
      values.push_back(member.second);
    }
    const Columns columns = columns_of(titles);
    if (!columns.name) return add_problem(line, "bad_line", "no member \"file_name\"");
    if (!columns.usable()) {
      return add_problem(values[*columns.name], line.line, "bad_line", "no member \"text\"");
    }
    read_fields(line, values, columns);
  }

  void read_fields(const RawLine& line,
                   const std::vector<std::string_view>& fields,
                   const Columns& columns) {
    const auto field = [&](const std::optional<std::size_t>& column) {
      return column && *column < fields.size() ? trim(fields[*column]) : std::string_view();
    };
    const std::string_view name = field(columns.name);
    const std::string_view normalised = field(columns.normalised);
    const std::string_view text = normalised.empty() ? field(columns.text) : normalised;
    const std::string_view speaker = field(columns.speaker);
    if (name.empty()) return add_problem(line, "bad_line", "the first column is empty");
    for (const std::string_view part : {name, text, speaker}) {
      if (part.find('\0') == std::string_view::npos) continue;  // JSON may contain it as \u0000
      return add_problem(name, line.line, "nul", fmt::format("\"{}\"", printable(part)));
    }
    if (text.empty()) return add_problem(name, line.line, "empty_text", "the text is empty");
    metadata_.rows.push_back({.name = std::string(name),
                              .text = std::string(text),
                              .speaker = std::string(speaker),
                              .line = line.line});
  }

  // Adds a problem of a line that cannot be split into fields. Its id is the first column, if that
  // is not empty.
  void add_problem(const RawLine& line, std::string_view reason, std::string detail) {
    const bool has_name = layout_ != Layout::kHuggingFaceJsonl && reason != "too_many_lines";
    const char separator = layout_ == Layout::kHuggingFaceCsv ? ',' : '|';
    const std::string_view name = line.bytes.substr(0, line.bytes.find(separator));
    add_problem(has_name ? trim(name) : "", line.line, reason, std::move(detail));
  }

  void add_problem(std::string_view name, int line, std::string_view reason, std::string detail) {
    std::string id =
        name.empty() ? fmt::format("line {}", line) : printable(without_audio_suffix(name));
    metadata_.problems.push_back(make_problem(std::move(id), reason, std::move(detail), line));
  }

  Layout layout_;
  std::size_t max_lines_;
  bool at_first_ = true;
  std::optional<Columns> header_;
  std::size_t num_columns_ = 0;
  std::size_t bytes_in_lines_ = 0;
  std::size_t bytes_wasted_ = 0;  // searched for quotes that never close
  Metadata metadata_;
};

}  // namespace

std::string_view name_of(Layout layout) {
  switch (layout) {
    case Layout::kLjspeech:
      return "LJSpeech";
    case Layout::kOriginal:
      return "MyXTTS";
    case Layout::kPiper:
      return "Piper";
    case Layout::kHuggingFaceCsv:
      return "Hugging Face audiofolder (CSV)";
    case Layout::kHuggingFaceJsonl:
      return "Hugging Face audiofolder (JSONL)";
  }
  return "unknown";
}

std::span<const std::string_view> audio_suffixes() {
  return kAudioSuffixes;
}

std::string_view without_audio_suffix(std::string_view name) {
  for (const std::string_view suffix : kAudioSuffixes) {
    if (name.size() > suffix.size() && ends_with_ignoring_case(name, suffix)) {
      return name.substr(0, name.size() - suffix.size());
    }
  }
  return name;
}

bool has_audio_suffix(std::string_view name) {
  return without_audio_suffix(name).size() < name.size();
}

Layout detect_layout(std::string_view bytes) {
  constexpr int kMaxLines = 100;
  LineReader lines(bytes);
  auto line = lines.next();
  if (!line) return Layout::kLjspeech;
  const CsvRecord header = parse_csv_record(line->bytes, kMaxLineBytes);
  for (const std::string& title : header.fields) {
    if (trim(title) == "file_name") return Layout::kHuggingFaceCsv;
  }
  int num_with_suffix = 0;
  int num_lines = 0;
  SecondColumn second;
  for (int i = 0; line && i < kMaxLines; ++i, line = lines.next()) {
    const std::size_t end = line->bytes.find('|');
    if (end == std::string_view::npos) continue;
    ++num_lines;
    second.add(split_fields(line->bytes, '|'));
    if (has_audio_suffix(trim(line->bytes.substr(0, end)))) ++num_with_suffix;
  }
  const bool piper = 2 * num_with_suffix > num_lines || second.holds_speakers();
  return piper ? Layout::kPiper : Layout::kLjspeech;
}

Metadata parse_metadata(std::string_view bytes, Layout layout, std::size_t max_lines) {
  return Parser(layout, max_lines).parse(bytes);
}

}  // namespace myxtts::corpus
