// Test helpers: a text that crashes espeak-ng and a fake espeak-ng.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/temp_dir.h"

namespace myxtts::text {

// Returns a text on which Debian's espeak-ng 1.51 aborts ("buffer overflow detected").
inline std::string crashing_piece() {
  std::string piece;
  for (int i = 0; i < 70; ++i)
    piece += "s'";
  return piece;
}

// Replaces espeak-ng by a shell script for the lifetime of the object.
class FakeEspeak {
 public:
  explicit FakeEspeak(const std::string& script) {
    if (const char* path = std::getenv("PATH")) path_ = path;
    const auto file = dir_.write("espeak-ng", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv("PATH", (file.parent_path().string() + ":" + path_).c_str(), 1);
  }
  ~FakeEspeak() { ::setenv("PATH", path_.c_str(), 1); }
  FakeEspeak(const FakeEspeak&) = delete;
  FakeEspeak& operator=(const FakeEspeak&) = delete;

 private:
  support::TempDir dir_;
  std::string path_;
};

}  // namespace myxtts::text
