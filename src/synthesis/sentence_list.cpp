#include "synthesis/sentence_list.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/nearest.h"

namespace myxtts::synthesis {
namespace {

constexpr std::string_view kLineBlanks = " \t\r\v\f";

std::string_view trimmed_line(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kLineBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kLineBlanks) + 1 - first);
}

}  // namespace

std::vector<ListedSentence> parse_sentence_list(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::vector<ListedSentence> sentences;
  std::size_t line_number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = trimmed_line(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++line_number;
    if (!line.empty()) sentences.push_back({.text = std::string(line), .line = line_number});
  }
  return sentences;
}

std::string read_sentence_file(const std::string& name, std::string_view flag) {
  const std::filesystem::path file(name);
  base::ReadResult read = base::read_regular_file(file, kMaxListBytes);
  require_usage(read.fault != base::FileFault::kMissing,
                "{} {}: no such file{}",
                flag,
                name,
                base::did_you_mean(file.filename().string(), base::sibling_names(file)));
  require_usage(read.fault != base::FileFault::kDirectory,
                "{} {} is a folder; expected a file with one text per line",
                flag,
                name);
  require(read.fault == base::FileFault::kNone,
          "{} {} {}; expected a file with one text per line",
          flag,
          name,
          base::format_fault(read));
  return std::move(read.bytes);
}

}  // namespace myxtts::synthesis
