#include "train/alignment_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "audio/canvas.h"
#include "base/error.h"
#include "base/svg.h"
#include "base/utf8.h"

namespace myxtts::train {
namespace {

using audio::Rgb;
using audio::text_height;
using audio::text_width;

constexpr Rgb kPaper{255, 255, 255};
constexpr Rgb kInk{40, 40, 48};
constexpr Rgb kFaint{110, 110, 120};
constexpr Rgb kBackground{68, 1, 84};  // this and kStair: the ends of the colour map of mels
constexpr Rgb kStair{253, 231, 37};
constexpr Rgb kSkippedSymbol{230, 60, 50};

constexpr int kPlotLeft = 108;
constexpr int kPlotTop = 76;
constexpr int kMinPlotWidth = 480;
constexpr int kMaxPlotWidth = 1400;
constexpr int kPixelsPerFrame = 2;
constexpr int kMinPlotHeight = 240;
constexpr int kMaxPlotHeight = 900;
constexpr int kPixelsPerSymbol = 18;
constexpr int kTickLength = 6;
constexpr int kTickDistance = 80;
constexpr int kRightMargin = 40;
constexpr int kBottomMargin = 68;
constexpr std::size_t kLabelLetters = 6;

int plot_size(std::int64_t wanted, int min_pixels, int max_pixels) {
  return static_cast<int>(std::clamp<std::int64_t>(wanted, min_pixels, max_pixels));
}

std::string drawable(const std::string& label) {
  if (label == " ") return "space";
  std::string text;
  for (const char32_t letter : base::decode_utf8(label)) {
    const auto code = static_cast<std::uint32_t>(letter);
    text += code > 32 && code < 127 ? std::string(1, static_cast<char>(code))
                                    : fmt::format("u{:04x}", code);
  }
  return text.substr(0, kLabelLetters);
}

class Drawing {
 public:
  explicit Drawing(const AlignmentView& alignment)
      : alignment_(alignment),
        num_symbols_(std::ssize(alignment.durations)),
        width_(plot_size(alignment.num_frames * kPixelsPerFrame, kMinPlotWidth, kMaxPlotWidth)),
        height_(plot_size(num_symbols_ * kPixelsPerSymbol, kMinPlotHeight, kMaxPlotHeight)),
        canvas_(kPlotLeft + width_ + kRightMargin, kPlotTop + height_ + kBottomMargin, kPaper) {}

  const audio::Image& draw(const std::string& title) {
    const auto letters = static_cast<std::size_t>(width_ / text_width("m"));
    canvas_.text(kPlotLeft, 14, title.substr(0, letters), kInk);
    canvas_.fill(kPlotLeft, kPlotTop, width_, height_, kBackground);
    draw_stairs();
    canvas_.outline(kPlotLeft - 1, kPlotTop - 1, width_ + 2, height_ + 2, kInk);
    draw_time_axis();
    draw_frame_axis();
    draw_symbol_axis();
    return canvas_.image();
  }

 private:
  int x_of(std::int64_t frame) const {
    return kPlotLeft + static_cast<int>(frame * width_ / alignment_.num_frames);
  }
  int top_of(std::int64_t symbol) const {  // the first symbol is at the bottom
    return kPlotTop + static_cast<int>((num_symbols_ - 1 - symbol) * height_ / num_symbols_);
  }

  void draw_stairs() {
    std::int64_t frame = 0;
    for (std::int64_t symbol = 0; symbol < num_symbols_; ++symbol) {
      const std::int64_t end = frame + alignment_.durations[static_cast<std::size_t>(symbol)];
      const int row_height = std::max(1, top_of(symbol - 1) - top_of(symbol));
      const int row_width = end > frame ? std::max(1, x_of(end) - x_of(frame)) : 3;
      const Rgb colour = end > frame ? kStair : kSkippedSymbol;
      const int x = std::min(x_of(frame), kPlotLeft + width_ - row_width);
      canvas_.fill(x, top_of(symbol), row_width, row_height, colour);
      frame = end;
    }
  }

  void draw_time_axis() {
    const double seconds = static_cast<double>(alignment_.num_frames) * alignment_.frame_s;
    const double step = base::tick_step(seconds, width_ / kTickDistance);
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step))));
    const int axis = kPlotTop + height_;
    for (int i = 0; i * step <= seconds; ++i) {
      const int x = kPlotLeft + static_cast<int>(std::lround(i * step / seconds * width_));
      const std::string label = fmt::format("{:.{}f}", i * step, decimals);
      canvas_.fill(x, axis + 1, 1, kTickLength, kInk);
      canvas_.text(x - text_width(label) / 2, axis + 12, label, kInk);
    }
    draw_centred(axis + 40, "time (s)");
  }

  void draw_frame_axis() {
    const auto frames = static_cast<double>(alignment_.num_frames);
    const auto step =
        std::max<std::int64_t>(1, std::llround(base::tick_step(frames, width_ / kTickDistance)));
    for (std::int64_t frame = 0; frame <= alignment_.num_frames; frame += step) {
      const std::string label = std::to_string(frame);
      canvas_.fill(x_of(frame), kPlotTop - 1 - kTickLength, 1, kTickLength, kInk);
      canvas_.text(x_of(frame) - text_width(label) / 2, kPlotTop - 24, label, kInk);
    }
    canvas_.text(12, kPlotTop - 24, "frame", kFaint);
  }

  // If rows are lower than the font, only every n-th symbol has a label.
  void draw_symbol_axis() {
    const auto every =
        std::max<std::int64_t>(1, (num_symbols_ * (text_height() + 2) + height_ - 1) / height_);
    for (std::int64_t symbol = 0; symbol < num_symbols_; symbol += every) {
      const std::string label = alignment_.labels.empty()
                                    ? std::to_string(symbol)
                                    : drawable(alignment_.labels[static_cast<std::size_t>(symbol)]);
      const int y = (top_of(symbol) + top_of(symbol - 1)) / 2;
      canvas_.fill(kPlotLeft - 1 - kTickLength, y, kTickLength, 1, kInk);
      canvas_.text(kPlotLeft - 10 - text_width(label), y - text_height() / 2, label, kInk);
    }
    canvas_.text(12, kPlotTop + height_ + 12, "symbol", kFaint);
  }

  void draw_centred(int y, std::string_view name) {
    canvas_.text(kPlotLeft + (width_ - text_width(name)) / 2, y, name, kFaint);
  }

  const AlignmentView& alignment_;
  const std::int64_t num_symbols_;
  const int width_;  // of the plot, pixels
  const int height_;
  audio::Canvas canvas_;
};

void check_alignment(const AlignmentView& alignment) {
  const auto& durations = alignment.durations;
  const std::int64_t sum = std::accumulate(durations.begin(), durations.end(), std::int64_t{0});
  invariant(!durations.empty() && alignment.num_frames >= 1, "the alignment is not empty");
  invariant(std::ranges::all_of(durations, [](std::int64_t frames) { return frames >= 0; }) &&
                sum <= alignment.num_frames,
            "durations fit the frames of the utterance");
  invariant(alignment.labels.empty() || alignment.labels.size() == durations.size(),
            "all symbols have labels, or none");
}

}  // namespace

AlignmentPicture alignment_picture(const AlignmentView& alignment, const std::string& title) {
  check_alignment(alignment);
  Drawing drawing(alignment);
  const audio::Image& image = drawing.draw(title);
  return {.png = audio::png_bytes(image), .width = image.width, .height = image.height};
}

}  // namespace myxtts::train
