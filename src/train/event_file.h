// Writes TensorBoard event files: records with masked CRC32C around six protobuf messages. The
// messages are encoded here, because LibTorch exports protobuf symbols that clash with the library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "train/append_file.h"

namespace myxtts::train {

// One writer per file; a crash leaves at most one truncated record at the end. A write error is
// logged once and never stops the training. Records are buffered until flush().
class EventFile {
 public:
  // Creates events.out.tfevents.<unix>.<host>.<pid>.<n> in `folder`, sorted after existing files.
  // `first_step` > 0 is the first step of a resumed run (the checkpoint's step + 1): a
  // SessionLog.START makes readers drop the data of older files from that step on.
  EventFile(const std::filesystem::path& folder, std::int64_t first_step);

  void scalar(std::int64_t step, std::string_view tag, double value);
  // `png` is an RGB image of width x height pixels.
  void image(std::int64_t step, std::string_view tag, std::string_view png, int width, int height);
  // `wav` has one channel.
  void audio(std::int64_t step,
             std::string_view tag,
             std::string_view wav,
             int sample_rate,
             std::int64_t num_samples);
  void flush() { file_.flush(); }

  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void write(std::int64_t step, int field, std::string_view message);

  AppendFile file_;
};

}  // namespace myxtts::train
