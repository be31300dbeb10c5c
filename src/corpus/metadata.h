#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/utterance.h"

namespace xtts::corpus {

enum class Layout { kLjspeech, kOriginal, kPiper, kHuggingFaceCsv, kHuggingFaceJsonl };

// "LJSpeech", "MyXTTS", "Piper", "Hugging Face audiofolder (CSV)", ...
std::string_view name_of(Layout layout);

// Limits on what comes from outside. A longer line is one problem; lines past the last allowed one
// are a single problem together.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxMetadataBytes = std::size_t{512} << 20;
inline constexpr std::size_t kMaxMetadataLines = 1'000'000;

// One line of metadata, cut into its columns but not yet looked up on the disk.
struct Row {
  std::string name;     // column 1: an id, or a file name with suffix; not blank
  std::string text;     // trimmed, not blank
  std::string speaker;  // "" when there is no such column
  int line = 0;         // from 1; the first one of a quoted record that spans several
};

struct Metadata {
  std::vector<Row> rows;
  std::vector<Problem> problems;  // in the order of their lines
  // Bytes looked at in search of the end of quotes, some of them more than once: at most three
  // times the input and 2 MiB, whatever is in it.
  std::size_t bytes_searched = 0;
};

// Guesses the layout from the first bytes of a metadata file that is not JSONL: a header with the
// column `file_name` is Hugging Face; else it is LJSpeech, or Piper if most of the first lines
// have an audio suffix in column 1, or column 2 of three repeats few short names (id|speaker|text).
Layout detect_layout(std::string_view bytes);

// ".wav", ".flac", ".ogg", ".opus", ".mp3": in the order in which a recording is looked for.
std::span<const std::string_view> audio_suffixes();

// A suffix counts in any case, and only behind a name.
bool has_audio_suffix(std::string_view name);
std::string_view without_audio_suffix(std::string_view name);

// Cuts the bytes of a metadata file into rows. CRLF, a byte order mark, blank lines and a header
// line are tolerated. Never throws for what is in the bytes: a bad line becomes a problem. Memory
// is bounded by 4 x the input plus 512 bytes for each of at most `max_lines` lines.
Metadata parse_metadata(std::string_view bytes,
                        Layout layout,
                        std::size_t max_lines = kMaxMetadataLines);

}  // namespace xtts::corpus
