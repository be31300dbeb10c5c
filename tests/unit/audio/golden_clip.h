// Reads the golden clips that tools/golden/make_mel.py wrote.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "audio/decode.h"
#include "base/files.h"

namespace myxtts::audio {

inline constexpr std::size_t kMaxGoldenBytes = 1 << 20;

inline std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(MYXTTS_SOURCE_DIR) / "tests" / "golden" / "mel" / name;
}

inline std::vector<float> golden_clip(const std::string& name) {
  const DecodeResult decoded =
      decode(base::read_file_or_throw(golden(name), kMaxGoldenBytes), 60.0);
  EXPECT_TRUE(decoded.ok()) << decoded.detail;
  return decoded.clip.samples;
}

}  // namespace myxtts::audio
