#include "checkpoint/manifest.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/sha256.h"
#include "checkpoint/json_walk.h"

namespace myxtts::checkpoint {
namespace {

using Kind = JsonEvent::Kind;

constexpr std::size_t kMaxManifestDepth = 8;
constexpr std::string_view kChecksumStart = "  \"manifest_sha256\": \"";
constexpr std::string_view kChecksumEnd = "\"\n}\n";

std::string with_checksum(std::string text) {
  const std::string checksum = base::sha256_hex(text);
  text += kChecksumStart;
  text += checksum;
  text += kChecksumEnd;
  return text;
}

// Compares the text with with_checksum() of its own beginning.
bool has_valid_checksum(std::string_view text) {
  const std::size_t start = text.rfind(kChecksumStart);
  return start != std::string_view::npos &&
         text == with_checksum(std::string(text.substr(0, start)));
}

std::string file_text(const FileRecord& file) {
  std::string text = fmt::format("    {}: {{\n      \"bytes\": {},\n      \"sha256\": \"{}\"",
                                 json_string(file.name),
                                 file.bytes,
                                 file.sha256);
  if (!file.tensors.empty()) {
    text += ",\n      \"crc32c\": {\n";
    for (const auto& [name, crc] : file.tensors)
      text += fmt::format("        {}: \"{:08x}\",\n", json_string(name), crc);
    text.erase(text.size() - 2, 1);
    text += "      }";
  }
  return text + "\n    }";
}

std::optional<std::uint32_t> crc_of(std::string_view digits) {
  std::uint32_t crc = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), crc, 16);
  if (digits.size() != 8 || parsed.ptr != digits.data() + digits.size()) return std::nullopt;
  return crc;
}

// Reads only the version: a newer format may define the other fields differently.
void require_known_version(std::string_view text, const std::string& source) {
  std::optional<std::uint64_t> version;
  walk_json(text, kMaxManifestDepth, source, [&](const JsonEvent& event) {
    if (event.path.size() == 1 && event.path[0] == "format_version" && event.kind == Kind::kCount)
      version = event.count;
  });
  require(version.has_value(), "{}: no format_version", source);
  require(*version <= kCheckpointFormatVersion,
          "{}: format version {}, this program reads up to {}; use a newer myxtts",
          source,
          *version,
          kCheckpointFormatVersion);
}

class ManifestReader {
 public:
  explicit ManifestReader(const std::string& source) : source_(source) {}

  void on_event(const JsonEvent& event) {
    if (event.path.size() == 1) read_top(event);
    if (event.path.size() >= 2 && event.path[0] == "files") read_file_record(event);
  }

  Manifest finish() {
    require(had_step_, "{}: no step", source_);
    return std::move(manifest_);
  }

 private:
  void read_top(const JsonEvent& event) {
    if (event.path[0] == "step" && event.kind == Kind::kCount) {
      require(event.count <= std::numeric_limits<std::int64_t>::max(),
              "{}: step is too large",
              source_);
      manifest_.step = static_cast<std::int64_t>(event.count);
      had_step_ = true;
    }
    if (event.path[0] == "program_version") manifest_.program_version = event.text;
  }

  void read_file_record(const JsonEvent& event) {
    if (event.path.size() == 2) {
      manifest_.files.emplace_back();
      manifest_.files.back().name = event.path[1];
      return;
    }
    FileRecord& file = manifest_.files.back();
    const std::string& field = event.path[2];
    if (event.path.size() == 3 && field == "bytes") file.bytes = event.count;
    if (event.path.size() == 3 && field == "sha256") file.sha256 = event.text;
    if (event.path.size() == 4 && field == "crc32c") {
      const std::optional<std::uint32_t> crc = crc_of(event.text);
      require(
          crc.has_value(), "{}: invalid CRC32C of tensor {}", source_, quoted_start(event.path[3]));
      file.tensors.emplace(event.path[3], *crc);
    }
  }

  const std::string& source_;
  Manifest manifest_;
  bool had_step_ = false;
};

}  // namespace

const FileRecord* Manifest::find(std::string_view name) const {
  const auto found = std::ranges::find(files, name, &FileRecord::name);
  return found == files.end() ? nullptr : &*found;
}

std::string manifest_text(const Manifest& manifest) {
  std::vector<std::string> files;
  for (const FileRecord& file : manifest.files)
    files.push_back(file_text(file));
  return with_checksum(
      fmt::format("{{\n  \"format_version\": {},\n  \"program_version\": {},\n  \"step\": {},\n"
                  "  \"files\": {{\n{}\n  }},\n",
                  kCheckpointFormatVersion,
                  json_string(manifest.program_version),
                  manifest.step,
                  fmt::join(files, ",\n")));
}

Manifest parse_manifest(std::string_view text, const std::string& source) {
  require_known_version(text, source);
  require(has_valid_checksum(text),
          "{}: SHA-256 does not match: the file changed after it was written",
          source);
  ManifestReader reader(source);
  walk_json(
      text, kMaxManifestDepth, source, [&](const JsonEvent& event) { reader.on_event(event); });
  return reader.finish();
}

}  // namespace myxtts::checkpoint
