// A corpus folder with every kind of fault among good utterances, and the expected problems.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "corpus/reader.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::corpus {

inline void put(std::string& bytes, std::size_t at, std::string_view what) {
  bytes.replace(at, what.size(), what);
}

// A mono WAV of 32-bit floats, for samples that PCM cannot hold.
inline std::string float_wav(std::vector<float> samples) {
  std::string bytes = audio::wav_bytes(std::vector<float>(samples.size() * 2), 22050);
  put(bytes, 20, std::string_view("\x03\x00", 2));          // kind: float
  put(bytes, 32, std::string_view("\x04\x00\x20\x00", 4));  // bytes per frame, bits
  std::memcpy(bytes.data() + 44, samples.data(), samples.size() * sizeof(float));
  return bytes;
}

inline std::string float_wav_with(float sample) {
  std::vector<float> samples = hum(0.5);
  samples[1000] = sample;
  return float_wav(std::move(samples));
}

inline std::string changed(std::string bytes, std::size_t at, std::string_view what) {
  put(bytes, at, what);
  return bytes;
}

// A WAV file with `channels` equal channels.
inline std::string channels_wav(std::uint8_t channels) {
  std::vector<float> samples;
  for (const float sample : hum(1.0))
    samples.insert(samples.end(), channels, sample);
  std::string bytes = audio::wav_bytes(samples, 22050);
  bytes[22] = static_cast<char>(channels);
  bytes[32] = static_cast<char>(2 * channels);
  return bytes;
}

inline void make_socket(const std::filesystem::path& path) {
  // Socket paths are limited to 108 bytes, so bind a relative path.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path.parent_path());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.filename().c_str(), sizeof(address.sun_path) - 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0) throw std::runtime_error("socket() failed");
  EXPECT_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  ::close(descriptor);
  std::filesystem::current_path(before);
}

// Builds a corrupt corpus. An empty reason marks a good utterance.
class CorruptFolder {
 public:
  CorruptFolder() {
    std::filesystem::create_directories(wavs());
    outside_.write("secret.wav", hum_wav(1.0));
  }

  std::filesystem::path wavs() const { return dir_.path() / "wavs"; }
  const std::filesystem::path& outside() const { return outside_.path(); }

  // Adds a metadata line with its expected reason.
  void add_line(const std::string& id, const std::string& line, const std::string& reason) {
    lines_ += line + "\n";
    if (reason.empty()) {
      ++num_good_;
    } else {
      expected_.push_back(id + ":" + reason);
    }
  }
  void add_recording(const std::string& id, const std::string& bytes, const std::string& reason) {
    dir_.write("wavs/" + id + ".wav", bytes);
    add_line(id, id + "|hello there", reason);
  }
  void add_file(const std::string& id,
                const std::string& reason,
                const std::function<void(const std::filesystem::path&)>& make) {
    make(wavs() / (id + ".wav"));
    add_line(id, id + "|hello there", reason);
  }
  // Adds a good recording with a bad text.
  void add_text(const std::string& id, const std::string& text, const std::string& reason) {
    dir_.write("wavs/" + id + ".wav", hum_wav(1.0));
    add_line(id, id + "|" + text, reason);
  }

  Corpus read() const {
    dir_.write("metadata.csv", lines_);
    return read_corpus(dir_.path(), {});
  }

  const std::vector<std::string>& expected() const { return expected_; }
  std::size_t num_good() const { return num_good_; }

 private:
  support::TempDir outside_;
  support::TempDir dir_;
  std::string lines_;
  std::vector<std::string> expected_;
  std::size_t num_good_ = 0;
};

inline void add_bad_lines(CorruptFolder& folder) {
  folder.add_line("lonely", "lonely", "bad_line");
  folder.add_line("four", "four|a|b|c", "bad_line");
  folder.add_line("line 3", "|no id", "bad_line");
  folder.add_text("blank", " \t ", "empty_text");
  folder.add_text("nothing", "", "empty_text");
  folder.add_text("both", "|", "empty_text");
  folder.add_text("latin", "caf\xE9", "not_utf8");
  folder.add_text("overlong", "a\xC0\xAF", "not_utf8");
  folder.add_text("surrogate", "a\xED\xA0\x80", "not_utf8");
  folder.add_text("cut", "a\xE2\x82", "not_utf8");
  folder.add_text("zero", std::string("a\0b", 3), "nul");
  folder.add_line("z\\x00o", std::string("z\0o|hi", 6), "nul");
  folder.add_text("endless", std::string(70'000, 'x'), "line_too_long");
  folder.add_text("marks", "... ?!", "unspeakable_text");
  folder.add_text("novel", std::string(5'000, 'x'), "unspeakable_text");
  folder.add_text("twice", "hello", "");
  folder.add_line("twice", "twice|hello again", "duplicate_id");
}

inline void add_bad_files(CorruptFolder& folder) {
  const std::filesystem::path outside = folder.outside();
  folder.add_line("../up", "../up|hi", "outside_folder");
  folder.add_line("/etc/passwd", "/etc/passwd|hi", "outside_folder");
  folder.add_line("a/../../b", "a/../../b|hi", "outside_folder");
  folder.add_file("leak", "outside_folder", [&](const std::filesystem::path& path) {
    std::filesystem::create_symlink(outside / "secret.wav", path);
  });
  std::filesystem::create_directory_symlink(outside, folder.wavs() / "door");
  folder.add_line("door/secret", "door/secret|hi", "outside_folder");
  folder.add_line("gone", "gone|hi", "missing");
  folder.add_file("dangling", "missing", [](const std::filesystem::path& path) {
    std::filesystem::create_symlink("nowhere.wav", path);
  });
  const std::string long_name(300, 'n');
  folder.add_line(long_name, long_name + "|hi", "missing");
  folder.add_line("twice.wav/x", "twice.wav/x|hi", "missing");
  folder.add_file("folder", "directory", [](const std::filesystem::path& path) {
    std::filesystem::create_directory(path);
  });
  folder.add_file(
      "pipe", "fifo", [](const std::filesystem::path& path) { ::mkfifo(path.c_str(), 0644); });
  folder.add_file("socket", "not_regular", make_socket);
  folder.add_file("self", "link_loop", [](const std::filesystem::path& path) {
    std::filesystem::create_symlink(path.filename(), path);
  });
  folder.add_file("ring", "link_loop", [](const std::filesystem::path& path) {
    std::filesystem::create_symlink("ring2.wav", path);
    std::filesystem::create_symlink("ring.wav", path.parent_path() / "ring2.wav");
  });
}

inline void add_bad_recordings(CorruptFolder& folder) {
  const std::string good = hum_wav(1.0);
  folder.add_recording("empty", "", "empty");
  folder.add_recording("words", "this is not a recording", "not_audio");
  folder.add_recording("page", "<!DOCTYPE html><html><body>404</body></html>", "not_audio");
  folder.add_recording("zeros", std::string(4'000, '\0'), "not_audio");
  folder.add_recording("half", good.substr(0, good.size() / 2), "truncated");
  folder.add_recording("header", good.substr(0, 44), "truncated");
  folder.add_recording("stump", good.substr(0, 30), "truncated");
  folder.add_recording("silent", audio::wav_bytes({}, 22050), "no_frames");
  folder.add_recording(
      "nan", float_wav_with(std::numeric_limits<float>::quiet_NaN()), "nan_samples");
  folder.add_recording(
      "inf", float_wav_with(std::numeric_limits<float>::infinity()), "nan_samples");
  folder.add_recording("mute", changed(good, 22, std::string_view("\0\0", 2)), "not_audio");
  folder.add_recording("rate", changed(good, 24, std::string_view("\0\0\0\0", 4)), "not_audio");
  folder.add_recording("kind", changed(good, 20, std::string_view("\x55\0", 2)), "not_audio");
  folder.add_recording("blip", hum_wav(0.05), "too_short");
  folder.add_recording("long", hum_wav(31.0, 0.3F, 8000), "too_long");
  folder.add_text("crowded", std::string(100, 'a'), "more_symbols_than_frames");
}

inline void add_good_utterances(CorruptFolder& folder, const std::string& prefix) {
  folder.add_recording(prefix + "plain", hum_wav(1.0), "");
  folder.add_recording(prefix + "telephone", hum_wav(1.0, 0.3F, 8000), "");
  folder.add_recording(prefix + "studio", hum_wav(1.0, 0.3F, 96000), "");
  folder.add_recording(prefix + "three", channels_wav(3), "");
  folder.add_recording(prefix + "floats", float_wav(hum(1.0)), "");
  folder.add_text(prefix + "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85", "hello", "");
}

// Drops root privileges while it exists, because root can read every file.
class UnprivilegedUser {
 public:
  UnprivilegedUser() : was_root_(::geteuid() == 0) {
    if (was_root_) set_user(65534);
  }
  ~UnprivilegedUser() {
    if (was_root_) set_user(0);
  }
  UnprivilegedUser(const UnprivilegedUser&) = delete;
  UnprivilegedUser& operator=(const UnprivilegedUser&) = delete;

 private:
  static void set_user(uid_t user) { EXPECT_EQ(::seteuid(user), 0); }

  bool was_root_;
};

}  // namespace myxtts::corpus
