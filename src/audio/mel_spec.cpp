#include "audio/mel_spec.h"

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/sha256.h"
#include "config/config.h"

namespace myxtts::audio {
namespace {

// Version of everything beyond the fields that determines a frame (order of the steps, trimming
// margin, resampler quality). Increment it when that changes, so that fingerprints differ.
constexpr int kSpecVersion = 1;

struct SpecField {
  const char* name;
  std::string value;  // numbers in the shortest form that round-trips
};

std::vector<SpecField> fields_of(const MelSpec& c) {
  const auto text = [](auto value) { return fmt::format("{}", value); };
  return {{"sample_rate", text(c.sample_rate)},
          {"n_fft", text(c.n_fft)},
          {"win_length", text(c.win_length)},
          {"hop_length", text(c.hop_length)},
          {"n_mels", text(c.n_mels)},
          {"mel_fmin", text(c.mel_fmin)},
          {"mel_fmax", text(c.mel_fmax)},
          {"mel_floor", text(c.mel_floor)},
          {"trim_silence", text(c.trim_silence)},
          {"trim_top_db", text(c.trim_top_db)},
          {"normalize_audio", text(c.normalize_audio)},
          {"enable_loudness_normalization", text(c.enable_loudness_normalization)},
          {"target_loudness_lufs", text(c.target_loudness_lufs)}};
}

// Returns one message per invalid field.
std::vector<std::string> faults_of(const MelSpec& c) {
  std::vector<std::string> faults;
  auto expect = [&](bool ok, std::string fault) {
    if (!ok) faults.push_back(std::move(fault));
  };
  expect(c.sample_rate >= 1000 && c.sample_rate <= 384000,
         fmt::format("model.sample_rate is {} Hz, expected 1000 to 384000", c.sample_rate));
  expect(c.n_fft >= 16 && std::has_single_bit(static_cast<unsigned>(c.n_fft)) && c.n_fft <= 65536,
         fmt::format("model.n_fft is {}, expected a power of two from 16 to 65536", c.n_fft));
  expect(
      c.win_length >= 1 && c.win_length <= c.n_fft,
      fmt::format("model.win_length is {}, expected 1 to model.n_fft ({})", c.win_length, c.n_fft));
  expect(c.hop_length >= 1,
         fmt::format("model.hop_length is {}, expected at least 1", c.hop_length));
  expect(c.n_mels >= 1 && c.n_mels <= 1024,
         fmt::format("model.n_mels is {}, expected 1 to 1024", c.n_mels));
  expect(c.mel_fmin >= 0.0 && c.mel_fmin < c.mel_fmax,
         fmt::format("model.mel_fmin is {} Hz, expected 0 to below model.mel_fmax ({} Hz)",
                     c.mel_fmin,
                     c.mel_fmax));
  expect(c.mel_fmax <= c.sample_rate / 2.0,
         fmt::format("model.mel_fmax is {} Hz, above half of model.sample_rate ({} Hz)",
                     c.mel_fmax,
                     c.sample_rate / 2.0));
  expect(c.mel_floor > 0.0 && std::isfinite(c.mel_floor),
         fmt::format("model.mel_floor is {}, expected above 0", c.mel_floor));
  expect(c.trim_top_db > 0.0 && std::isfinite(c.trim_top_db),
         fmt::format("data.trim_top_db is {}, expected above 0", c.trim_top_db));
  expect(c.target_loudness_lufs > -70.0 && c.target_loudness_lufs <= 0.0,
         fmt::format("data.target_loudness_lufs is {}, expected above -70 to 0",
                     c.target_loudness_lufs));
  return faults;
}

}  // namespace

MelSpec mel_spec_of(const config::Config& config) {
  return {
      .sample_rate = config.model.sample_rate,
      .n_fft = config.model.n_fft,
      .win_length = config.model.win_length,
      .hop_length = config.model.hop_length,
      .n_mels = config.model.n_mels,
      .mel_fmin = config.model.mel_fmin,
      .mel_fmax = config.model.mel_fmax,
      .mel_floor = config.model.mel_floor,
      .trim_silence = config.data.trim_silence,
      .trim_top_db = config.data.trim_top_db,
      .normalize_audio = config.data.normalize_audio,
      .enable_loudness_normalization = config.data.enable_loudness_normalization,
      .target_loudness_lufs = config.data.target_loudness_lufs,
  };
}

void validate(const MelSpec& spec) {
  const std::vector<std::string> faults = faults_of(spec);
  require_usage(faults.empty(), "{}", fmt::join(faults, "; "));
}

std::string mel_fingerprint(const MelSpec& spec) {
  // The text is hashed: any change of its wording changes every fingerprint.
  std::string text = fmt::format("mel contract {}\n", kSpecVersion);
  for (const SpecField& field : fields_of(spec))
    text += fmt::format("{} {}\n", field.name, field.value);
  return base::sha256_hex(text);
}

std::string differences_of(const MelSpec& spec, const MelSpec& from) {
  const std::vector<SpecField> here = fields_of(spec);
  const std::vector<SpecField> there = fields_of(from);
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i].value == there[i].value) continue;
    changes.push_back(fmt::format("{} is {}, not {}", here[i].name, here[i].value, there[i].value));
  }
  return fmt::format("{}", fmt::join(changes, "; "));
}

std::int64_t num_frames(const MelSpec& spec, std::size_t num_samples) {
  return 1 + static_cast<std::int64_t>(num_samples) / spec.hop_length;
}

}  // namespace myxtts::audio
