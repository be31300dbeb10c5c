// Parses metadata files of a corpus in the layouts LJSpeech, MyXTTS, Piper and Hugging Face.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/utterance.h"

namespace myxtts::corpus {

enum class Layout { kLjspeech, kOriginal, kPiper, kHuggingFaceCsv, kHuggingFaceJsonl };

// "LJSpeech", "MyXTTS", "Piper", "Hugging Face audiofolder (CSV)", ...
std::string_view name_of(Layout layout);

// Limits on untrusted input. Each longer line is one problem; all lines beyond the limit are a
// single problem.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxMetadataBytes = std::size_t{512} << 20;
inline constexpr std::size_t kMaxMetadataLines = 1'000'000;

// A line of metadata, split into columns. Its recording has not been searched.
struct Row {
  std::string name;     // an id, or a file name with suffix; not blank
  std::string text;     // trimmed, not blank
  std::string speaker;  // "" without such a column
  int line = 0;         // from 1; the first line of a quoted record
};

struct Metadata {
  std::vector<Row> rows;
  std::vector<Problem> problems;  // in the order of their lines
  // Bytes scanned for the ends of quotes, some repeatedly: at most three times the input plus 2 MiB
  // for any input.
  std::size_t bytes_searched = 0;
};

// Guesses the layout from the first bytes of a metadata file that is not JSONL: a header with the
// column `file_name` is Hugging Face; else LJSpeech, or Piper if most of the first lines
// have an audio suffix in column 1, or column 2 of three repeats few short names (id|speaker|text).
Layout detect_layout(std::string_view bytes);

// Returns ".wav", ".flac", ".ogg", ".opus", ".mp3", in search order.
std::span<const std::string_view> audio_suffixes();

// Suffixes match in any case, and only after a nonempty name.
bool has_audio_suffix(std::string_view name);
std::string_view without_audio_suffix(std::string_view name);

// Parses a metadata file into rows. Accepts CRLF, a byte order mark, blank lines and a header line.
// Never throws because of the content: a bad line becomes a problem. Memory is bounded by 4 x the
// input plus 512 bytes for each of at most `max_lines` lines.
Metadata parse_metadata(std::string_view bytes,
                        Layout layout,
                        std::size_t max_lines = kMaxMetadataLines);

}  // namespace myxtts::corpus
