// Small metadata files of every layout, and random mutations of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "corpus/metadata.h"

namespace myxtts::corpus {

struct MetadataSample {
  Layout layout;
  const char* bytes;
};

inline const std::vector<MetadataSample>& metadata_samples() {
  static const std::vector<MetadataSample> all = {
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

// Applies one to eight edits: replaces, inserts or removes bytes, or repeats a piece.
inline std::string damage(std::string bytes, base::Random& random) {
  constexpr std::string_view kSpecialBytes("|,\"\n\r\0\\{}[]:.\xFF\xC3/", 17);
  for (std::uint64_t edits = 1 + random.below(8); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = random.below(bytes.size());
    const char byte = random.below(2) == 0 ? kSpecialBytes[random.below(kSpecialBytes.size())]
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

}  // namespace myxtts::corpus
