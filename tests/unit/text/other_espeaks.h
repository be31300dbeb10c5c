// An espeak-ng that dies, and others in its place.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/temp_dir.h"

namespace xtts::text {

// Debian's espeak-ng 1.51 aborts on this ("buffer overflow detected"); later ones survive it.
inline std::string killing_piece() {
  std::string piece;
  for (int i = 0; i < 70; ++i)
    piece += "s'";
  return piece;
}

// Puts a shell script in the place of espeak-ng for the life of this object.
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

}  // namespace xtts::text
