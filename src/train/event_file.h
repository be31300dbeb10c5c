// TensorBoard event files: records with masked CRC32C, six protobuf messages encoded here (LibTorch
// exports protobuf's symbols, so the library itself must not be linked).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "train/append_file.h"

namespace xtts::train {

// One writer per file; a torn last record (kill -9) is all a crash can leave. What cannot be
// written is said once and lost; it never stops a training. Records wait in memory until flush().
class EventFile {
 public:
  // Makes events.out.tfevents.<unix>.<host>.<pid>.<n> in `folder`, behind those that are there.
  // `first_step` > 0 is a resumed run, and the number of the first step that this file will hold
  // (the save's step + 1): a SessionLog.START makes readers drop what older files have from that
  // step on.
  EventFile(const std::filesystem::path& folder, std::int64_t first_step);

  void scalar(std::int64_t step, std::string_view tag, double value);
  // PNG bytes of a picture of width x height pixels, RGB.
  void image(std::int64_t step, std::string_view tag, std::string_view png, int width, int height);
  // WAV bytes, one channel.
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

}  // namespace xtts::train
