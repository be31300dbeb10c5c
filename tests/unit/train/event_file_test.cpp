// tests/cli/event_file_test.py checks the files with TensorBoard: it runs WritesFilesForTensorBoard
// with MYXTTS_EVENT_FILES and reads the files that this test writes.
#include "train/event_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "audio/wav.h"
#include "base/crc32c.h"
#include "support/temp_dir.h"
#include "train/alignment_picture.h"

namespace myxtts::train {
namespace {

template <typename Unsigned>
Unsigned number_at(const std::string& bytes, std::size_t offset) {
  Unsigned value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

// Returns the complete events of a file and checks their checksums.
std::vector<std::string> events_in(const std::filesystem::path& path) {
  const std::string bytes = support::contents(path);
  std::vector<std::string> events;
  for (std::size_t offset = 0; offset + 12 <= bytes.size();) {
    const auto length = number_at<std::uint64_t>(bytes, offset);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, offset + 8),
              base::masked_crc32c(bytes.substr(offset, 8)));
    if (offset + 16 + length > bytes.size()) break;
    events.push_back(bytes.substr(offset + 12, length));
    EXPECT_EQ(number_at<std::uint32_t>(bytes, offset + 12 + length),
              base::masked_crc32c(events.back()));
    offset += 16 + length;
  }
  return events;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

TEST(EventFile, StartsWithTheVersionAndHasARecordPerEvent) {
  const support::TempDir folder;
  {
    EventFile file(folder.path(), 0);
    file.scalar(1, "loss", 0.5);
    file.scalar(2, "loss", 0.25);
  }

  const std::vector<std::string> events = events_in(files_in(folder.path()).at(0));

  ASSERT_EQ(events.size(), 3U);
  EXPECT_NE(events[0].find("brain.Event:2"), std::string::npos);
  // After the wall time (9 bytes): step 2, then Summary{Value{tag "loss", simple_value 0.25F}}.
  EXPECT_EQ(events[2].substr(9),
            std::string("\x10\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15\0\0\x80>", 17));
}

TEST(EventFile, AResumedRunWritesItsFirstStep) {
  const support::TempDir folder;
  { const EventFile file(folder.path(), 300); }

  const std::vector<std::string> events = events_in(files_in(folder.path()).at(0));

  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].substr(9), "\x10\xac\x02\x3a\x02\x08\x01");  // step 300, SessionLog{START}
}

TEST(EventFile, LaterFilesSortAfterEarlierOnes) {
  const support::TempDir folder;
  std::vector<std::filesystem::path> files;
  files.push_back(folder.write("events.out.tfevents.4000000000.host.1.0", ""));

  for (int i = 0; i < 12; ++i)
    files.push_back(EventFile(folder.path(), 0).path());

  EXPECT_EQ(files_in(folder.path()), files);
}

TEST(EventFile, AWriteErrorIsLoggedAndDoesNotThrow) {
  testing::internal::CaptureStderr();
  EventFile file("/dev/null/no-folder", 0);
  file.scalar(1, "loss", 0.5);
  file.flush();

  EXPECT_NE(testing::internal::GetCapturedStderr().find("cannot write"), std::string::npos);
}

void write_steps(EventFile& file, int first, int last, double offset) {
  for (int step = first; step <= last; ++step) {
    file.scalar(step, "loss/total", offset + step);
    file.scalar(step, "lr", 1e-3);
  }
}

TEST(EventFile, WritesFilesForTensorBoard) {
  const support::TempDir own;
  const char* wanted = std::getenv("MYXTTS_EVENT_FILES");
  const std::filesystem::path folder = wanted == nullptr ? own.path() : wanted;
  const std::vector<std::int64_t> durations = {3, 0, 5, 12};
  const AlignmentPicture picture =
      alignment_picture({.durations = durations, .num_frames = 20}, "alignment");
  const std::vector<float> samples(2205, 0.25F);

  {
    EventFile file(folder / "plain", 0);
    write_steps(file, 1, 20, 0.0);
    file.image(20, "alignment/0", picture.png, picture.width, picture.height);
    file.audio(20, "sample/0", audio::wav_bytes(samples, 22050), 22050, std::ssize(samples));
  }
  {
    EventFile killed(folder / "resumed", 0);
    write_steps(killed, 1, 20, 0.0);
    killed.flush();
    std::ofstream(killed.path(), std::ios::binary | std::ios::app)
        << std::string_view("\x20\0\0torn", 7);
    EventFile file(folder / "resumed", 11);
    write_steps(file, 11, 30, 1000.0);
  }

  EXPECT_EQ(events_in(files_in(folder / "plain").at(0)).size(), 43U);
  EXPECT_EQ(events_in(files_in(folder / "resumed").at(1)).size(), 42U);
}

}  // namespace
}  // namespace myxtts::train
