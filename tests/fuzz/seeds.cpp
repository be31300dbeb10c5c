#include "fuzz/seeds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <sndfile.h>

#include "checkpoint/manifest.h"
#include "checkpoint/safetensors.h"

namespace myxtts::fuzz {
namespace {

// An in-memory file for libsndfile.
struct Memory {
  std::string bytes;
  sf_count_t at = 0;
};

SF_VIRTUAL_IO memory_calls() {
  SF_VIRTUAL_IO calls{};
  calls.get_filelen = [](void* user) {
    return static_cast<sf_count_t>(static_cast<Memory*>(user)->bytes.size());
  };
  calls.seek = [](sf_count_t offset, int whence, void* user) {
    auto* memory = static_cast<Memory*>(user);
    const auto size = static_cast<sf_count_t>(memory->bytes.size());
    const sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory->at : size;
    return memory->at = from + offset;
  };
  calls.read = [](void* to, sf_count_t count, void* user) {
    auto* memory = static_cast<Memory*>(user);
    const auto size = static_cast<sf_count_t>(memory->bytes.size());
    const sf_count_t got = std::clamp<sf_count_t>(size - memory->at, 0, count);
    std::memcpy(to, memory->bytes.data() + memory->at, static_cast<std::size_t>(got));
    memory->at += got;
    return got;
  };
  calls.write = [](const void* from, sf_count_t count, void* user) {
    auto* memory = static_cast<Memory*>(user);
    const auto end = static_cast<std::size_t>(memory->at + count);
    if (memory->bytes.size() < end) memory->bytes.resize(end);
    std::memcpy(memory->bytes.data() + memory->at, from, static_cast<std::size_t>(count));
    memory->at += count;
    return count;
  };
  calls.tell = [](void* user) { return static_cast<Memory*>(user)->at; };
  return calls;
}

std::string encode(int format, int sample_rate, int channels) {
  Memory memory;
  SF_VIRTUAL_IO calls = memory_calls();
  SF_INFO info{};
  info.samplerate = sample_rate;
  info.channels = channels;
  info.format = format;
  SNDFILE* file = sf_open_virtual(&calls, SFM_WRITE, &info, &memory);
  if (file == nullptr)
    throw std::runtime_error(fmt::format("cannot encode a seed of format {:#x}", format));

  const int num_frames = sample_rate / 5;
  std::vector<float> samples;
  for (int i = 0; i < num_frames; ++i) {
    for (int c = 0; c < channels; ++c)
      samples.push_back(0.4F * std::sin(0.05F * static_cast<float>(i * (c + 1))));
  }
  sf_writef_float(file, samples.data(), num_frames);
  sf_close(file);
  return memory.bytes;
}

}  // namespace

std::vector<std::string> audio_seeds() {
  return {
      encode(SF_FORMAT_WAV | SF_FORMAT_PCM_16, 22050, 1),
      encode(SF_FORMAT_WAV | SF_FORMAT_PCM_U8, 8000, 1),
      encode(SF_FORMAT_WAV | SF_FORMAT_PCM_24, 44100, 2),
      encode(SF_FORMAT_WAV | SF_FORMAT_FLOAT, 16000, 1),
      encode(SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, 48000, 3),
      encode(SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM, 22050, 1),
      encode(SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22050, 1),
      encode(SF_FORMAT_OGG | SF_FORMAT_VORBIS, 22050, 1),
      encode(SF_FORMAT_OGG | SF_FORMAT_OPUS, 48000, 1),
      encode(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 22050, 1),
  };
}

std::vector<std::string> metadata_seeds() {
  return {
      "LJ001-0001|Printing, in 1455|Printing, in fourteen fifty-five\nLJ001-0002|in being|in "
      "being\n",
      "\xEF\xBB\xBFwavs/a.wav|Hello there.\r\nwavs/b.flac|Good evening.\r\n",
      "a.wav|speaker one|How are you?\nb.wav|speaker two|\u0633\u0644\u0627\u0645\n",
      "file_name,text,speaker\n\"a,1.wav\",\"She said \"\"yes\"\",\nthen "
      "left.\",one\nb.wav,No.,two\n",
      "{\"file_name\": \"a.wav\", \"text\": \"One \\u00e9 two\", \"speaker\": "
      "\"x\"}\n{\"file_name\": \"b.mp3\", \"transcription\": \"Three.\"}\n",
      "file_name,text\nx\",\"y\nx\",\"y\nx\",\"y\nx\",\"y\n",
      "../outside.wav|nothing\n/etc/passwd|nothing\nid||\n|||\n",
  };
}

std::vector<std::string> yaml_seeds() {
  return {
      "data:\n  language: en\n  batch_size: 16\n  text_cleaners: [english_cleaners]\n",
      "model: {n_mels: 80, n_fft: 1024, mel_fmax: 8000.0}\ntraining: {learning_rate: 2e-3, epochs: "
      "3}\n",
      "# comment\ndata:\n  dataset_path: \"a path\"\n  val_split: 0.1\n  add_blank: false\n",
      "data: &anchor {language: en}\nmodel: *anchor\n",
      "data:\n  text_cleaners: [a, \"b\\n\", 'c']\n  p: |\n    x\n"
      "model: {n_fft: 1024, ? y : z, w: >-\n  f}\n--- !t &a *a\n%YAML 1.2\n...\n",
      "[[[[{a: [{b: [[[]]]}]}]]]]\n",
  };
}

std::vector<std::string> checkpoint_seeds() {
  using checkpoint::DType;
  const std::string bytes(64, 'x');
  const auto first = [&](std::size_t count) {
    return std::as_bytes(std::span(bytes)).first(count);
  };
  const std::vector<checkpoint::TensorView> tensors = {
      {"encoder.weight", DType::kF32, {4, 3}, first(48)},
      {"scale", DType::kBf16, {}, first(2)},
      {"count", DType::kI64, {2}, first(16)},
      {"empty", DType::kU8, {3, 0}, first(0)}};
  const checkpoint::Manifest manifest = {
      7, "0.1.0", {{"model.safetensors", 360, std::string(64, 'a'), {{"encoder.weight", 1}}}}};
  return {checkpoint::safetensors_bytes(tensors, {{"format", "pt"}, {"key", "\"value\""}}),
          checkpoint::safetensors_bytes(std::span(tensors).first(1), {}),
          checkpoint::manifest_text(manifest)};
}

std::vector<std::string> text_seeds() {
  return {
      "Dr. Smith paid $1,234.56 on May 3, 1998 at 10:30 pm, i.e. 1/2 of 25%.",
      "Henry VIII, NASA and the FBI: 5 km, 3rd, 1980s, 1-800-555-0199 & 22 \u00b0C \u2014 "
      "\u201cwell\u201d\u2026",
      "\u062f\u0631 \u0633\u0627\u0644 \u06f1\u06f3\u06f7\u06f9\u060c \u06f2\u06f5 "
      "\u062f\u0631\u0635\u062f \u0645\u06cc\u200c\u062e\u0648\u0627\u0646\u0645\u061f",
      "s's's's's's's's's's's's's's's's's's's's's's's's's",
      "99999999999999999999999999999999 0.000000000001 12/31/9999 25:99 $. #@!%",
  };
}

}  // namespace myxtts::fuzz
