#include "audio/mel_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "audio/canvas.h"
#include "base/error.h"
#include "base/svg.h"
#include "config/mel_scale.h"

namespace myxtts::audio {
namespace {

constexpr Rgb kPaper{255, 255, 255};
constexpr Rgb kInk{40, 40, 48};
constexpr Rgb kFaint{110, 110, 120};

constexpr int kPlotLeft = 84;
constexpr int kPlotTop = 48;
constexpr int kPlotHeight = 320;
constexpr int kMinPlotWidth = 480;
constexpr int kMaxPlotWidth = 1400;
constexpr int kPixelsPerFrame = 2;
constexpr int kTickLength = 6;
constexpr int kBarGap = 28;
constexpr int kBarWidth = 18;
constexpr int kRightMargin = 72;
constexpr int kBottomMargin = 68;

// The viridis colour map, interpolated between five stops.
Rgb colour_of(double share) {
  constexpr std::array<std::array<double, 3>, 5> kStops = {
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double place = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto stop = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const double part = place - static_cast<double>(stop);
  auto mix = [&](std::size_t channel) {
    const double value = kStops[stop][channel] * (1.0 - part) + kStops[stop + 1][channel] * part;
    return static_cast<std::uint8_t>(std::lround(value));
  };
  return {mix(0), mix(1), mix(2)};
}

class MelPicture {
 public:
  MelPicture(const Mel& mel, const MelSpec& spec)
      : mel_(mel),
        spec_(spec),
        plot_width_(static_cast<int>(std::clamp<std::int64_t>(
            mel.num_frames * kPixelsPerFrame, kMinPlotWidth, kMaxPlotWidth))),
        low_(std::log(spec.mel_floor)),
        high_(std::max<double>(low_ + 1.0, *std::ranges::max_element(mel.values))),
        canvas_(kPlotLeft + plot_width_ + kBarGap + kBarWidth + kRightMargin,
                kPlotTop + kPlotHeight + kBottomMargin,
                kPaper) {}

  Image draw(const std::string& title) {
    draw_title(title);
    draw_frames();
    draw_time_axis();
    draw_frequency_axis();
    draw_colour_bar();
    return canvas_.image();
  }

 private:
  void draw_title(std::string title) {
    const auto max_letters =
        static_cast<std::size_t>((canvas_.image().width - kPlotLeft) / text_width("m"));
    if (title.size() > max_letters) {
      title.resize(max_letters - 3);
      title += "...";
    }
    canvas_.text(kPlotLeft, 14, title, kInk);
  }

  // A pixel column shows the mean of the frames it covers, at least one.
  void draw_frames() {
    for (int x = 0; x < plot_width_; ++x) {
      const std::int64_t first = x * mel_.num_frames / plot_width_;
      const std::int64_t last = std::max(first + 1, (x + 1) * mel_.num_frames / plot_width_);
      for (int y = 0; y < kPlotHeight; ++y) {
        const auto channel =
            static_cast<std::size_t>((kPlotHeight - 1 - y) * mel_.n_mels / kPlotHeight);
        double sum = 0.0;
        for (std::int64_t m = first; m < last; ++m)
          sum += mel_.frame(m)[channel];
        const double value = sum / static_cast<double>(last - first);
        canvas_.fill(kPlotLeft + x, kPlotTop + y, 1, 1, colour_of((value - low_) / (high_ - low_)));
      }
    }
    canvas_.outline(kPlotLeft - 1, kPlotTop - 1, plot_width_ + 2, kPlotHeight + 2, kInk);
  }

  void draw_time_axis() {
    const double seconds =
        static_cast<double>(mel_.num_frames) * spec_.hop_length / spec_.sample_rate;
    const double step = base::tick_step(seconds, plot_width_ / 80);
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step))));
    const int axis = kPlotTop + kPlotHeight;
    for (int i = 0; i * step <= seconds; ++i) {
      const int x = kPlotLeft + static_cast<int>(std::lround(i * step / seconds * plot_width_));
      const std::string label = fmt::format("{:.{}f}", i * step, decimals);
      canvas_.fill(x, axis + 1, 1, kTickLength, kInk);
      canvas_.text(x - text_width(label) / 2, axis + 12, label, kInk);
    }
    const std::string_view name = "time (s)";
    canvas_.text(kPlotLeft + (plot_width_ - text_width(name)) / 2, axis + 40, name, kFaint);
  }

  // A channel is drawn at the frequency of its peak; peaks are evenly spaced in mel.
  void draw_frequency_axis() {
    const double low = config::hz_to_mel(spec_.mel_fmin);
    const double step = (config::hz_to_mel(spec_.mel_fmax) - low) / (mel_.n_mels + 1);
    for (const int hz : {0, 500, 1000, 2000, 4000, 8000, 16000, 32000}) {
      if (hz < spec_.mel_fmin || hz > spec_.mel_fmax) continue;
      const double channel = (config::hz_to_mel(hz) - low) / step - 0.5;
      const double share = std::clamp(channel / mel_.n_mels, 0.0, 1.0);
      const int y = kPlotTop + kPlotHeight - 1 - static_cast<int>(std::lround(share * kPlotHeight));
      const std::string label = hz >= 1000 ? fmt::format("{}k", hz / 1000) : std::to_string(hz);
      canvas_.fill(kPlotLeft - 1 - kTickLength, y, kTickLength, 1, kInk);
      canvas_.text(kPlotLeft - 10 - text_width(label), y - text_height() / 2, label, kInk);
    }
    canvas_.text(12, kPlotTop + (kPlotHeight - text_height()) / 2, "Hz", kFaint);
  }

  void draw_colour_bar() {
    const int left = kPlotLeft + plot_width_ + kBarGap;
    for (int y = 0; y < kPlotHeight; ++y) {
      const double share = 1.0 - static_cast<double>(y) / (kPlotHeight - 1);
      canvas_.fill(left, kPlotTop + y, kBarWidth, 1, colour_of(share));
    }
    canvas_.outline(left - 1, kPlotTop - 1, kBarWidth + 2, kPlotHeight + 2, kInk);

    const double step = base::tick_step(high_ - low_, kPlotHeight / 40);
    for (int i = static_cast<int>(std::ceil(low_ / step)); i * step <= high_; ++i) {
      const double share = (i * step - low_) / (high_ - low_);
      const int y = kPlotTop + static_cast<int>(std::lround((1.0 - share) * (kPlotHeight - 1)));
      canvas_.fill(left + kBarWidth + 1, y, kTickLength, 1, kInk);
      canvas_.text(
          left + kBarWidth + 12, y - text_height() / 2, fmt::format("{:g}", i * step), kInk);
    }
    canvas_.text(left, kPlotTop + kPlotHeight + 12, "ln", kFaint);
  }

  const Mel& mel_;
  const MelSpec& spec_;
  const int plot_width_;
  const double low_;
  const double high_;
  Canvas canvas_;
};

}  // namespace

std::string mel_png(const Mel& mel, const MelSpec& spec, const std::string& title) {
  require(mel.num_frames >= 1 && mel.n_mels >= 1 &&
              std::ssize(mel.values) == mel.num_frames * mel.n_mels,
          "cannot draw a mel of {} frames and {} channels; expected at least 1 of each",
          mel.num_frames,
          mel.n_mels);
  return png_bytes(MelPicture(mel, spec).draw(title));
}

}  // namespace myxtts::audio
