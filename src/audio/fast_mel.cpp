#include "audio/fast_mel.h"

#include <algorithm>
#include <cstdint>
#include <new>

#include "audio/fast_mel_kernel.h"
#include "audio/fast_mel_plan.h"
#include "audio/stft.h"
#include "base/error.h"

namespace myxtts::audio {
namespace {

constexpr std::align_val_t kVectorAlignment{64};

// The rows of a group of frames, as read by the kernel.
struct GroupRows {
  const float* first = nullptr;
  std::size_t stride = 0;
};

// Copies samples[begin ..] of the endlessly mirrored signal; no samples give silence.
void copy_mirrored(std::span<const float> samples, std::int64_t begin, std::span<float> to) {
  const std::int64_t size = std::ssize(samples);
  if (size == 0) {
    std::ranges::fill(to, 0.0F);
    return;
  }
  const std::int64_t inside = std::clamp<std::int64_t>(-begin, 0, std::ssize(to));
  const std::int64_t beyond = std::clamp<std::int64_t>(size - begin, inside, std::ssize(to));
  const auto mirror = [&](std::int64_t from, std::int64_t end) {
    for (std::int64_t i = from; i < end; ++i)
      to[static_cast<std::size_t>(i)] = samples[mirrored(begin + i, size)];
  };
  mirror(0, inside);
  if (beyond > inside) {
    std::copy_n(samples.data() + begin + inside, beyond - inside, to.data() + inside);
  }
  mirror(beyond, std::ssize(to));
}

// Returns the signal itself if everything the kernel reads lies inside it. Otherwise assembles the
// rows in `rows`; rows that no frame needs are zero.
GroupRows rows_of_group(const FastMelPlan& plan,
                        std::span<const float> samples,
                        std::int64_t first_frame,
                        std::int64_t frames_left,
                        std::span<float> rows) {
  const auto hop = static_cast<std::int64_t>(plan.hop);
  const std::size_t num_rows = plan.num_rows(frames_at_once());
  const std::size_t num_columns = plan.padded_columns;
  const std::int64_t begin = first_frame * hop - static_cast<std::int64_t>(plan.n_fft / 2);
  const std::int64_t end = begin + static_cast<std::int64_t>(num_rows - 1) * hop +
                           static_cast<std::int64_t>(num_columns);
  if (begin >= 0 && end <= std::ssize(samples)) return {samples.data() + begin, plan.hop};

  std::ranges::fill(rows, 0.0F);
  const std::size_t needed =
      std::min(num_rows, static_cast<std::size_t>(frames_left) + plan.rows_per_frame - 1);
  for (std::size_t row = 0; row < needed; ++row) {
    copy_mirrored(samples,
                  begin + static_cast<std::int64_t>(row) * hop,
                  rows.subspan(row * num_columns, plan.num_columns));
  }
  return {rows.data(), num_columns};
}

}  // namespace

void FastMel::Scratch::Free::operator()(float* memory) const {
  ::operator delete[](memory, kVectorAlignment);
}

std::span<float> FastMel::Scratch::floats(std::size_t count) {
  if (count > size_) {
    memory_.reset(static_cast<float*>(::operator new[](count * sizeof(float), kVectorAlignment)));
    size_ = count;
  }
  return {memory_.get(), count};
}

FastMel::FastMel(const MelSpec& spec) : spec_(spec) {
  validate(spec);
  plan_ = std::make_unique<FastMelPlan>(spec);
}

FastMel::~FastMel() = default;

void FastMel::log_mel(std::span<const float> samples,
                      Scratch& scratch,
                      std::span<float> out) const {
  const std::int64_t frames = num_frames(spec_, samples.size());
  const auto channels = static_cast<std::size_t>(spec_.n_mels);
  invariant(out.size() == static_cast<std::size_t>(frames) * channels, "out has M x C values");

  const std::size_t lanes = frames_at_once();
  const std::size_t num_working = plan_->working_floats(lanes);
  const std::size_t num_row_floats = plan_->num_rows(lanes) * plan_->padded_columns;
  const std::span<float> memory = scratch.floats(num_working + num_row_floats);

  const auto group = static_cast<std::int64_t>(lanes);
  for (std::int64_t first = 0; first < frames; first += group) {
    const std::int64_t left = std::min(group, frames - first);
    const GroupRows rows = rows_of_group(*plan_, samples, first, left, memory.subspan(num_working));
    const float* mel = mel_of_rows(*plan_, rows.first, rows.stride, memory.data());
    for (std::int64_t i = 0; i < left; ++i) {
      std::copy_n(mel + static_cast<std::size_t>(i) * plan_->padded_channels,
                  channels,
                  out.data() + static_cast<std::size_t>(first + i) * channels);
    }
  }
}

Mel FastMel::log_mel(std::span<const float> samples) const {
  Mel mel{num_frames(spec_, samples.size()), spec_.n_mels, {}};
  mel.values.resize(static_cast<std::size_t>(mel.num_frames) *
                    static_cast<std::size_t>(mel.n_mels));
  Scratch scratch;
  log_mel(samples, scratch, mel.values);
  return mel;
}

}  // namespace myxtts::audio
