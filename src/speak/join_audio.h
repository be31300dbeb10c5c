#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace xtts::speak {

// One piece of speech and the silence that follows it.
struct AudioSegment {
  std::vector<float> samples;
  double pause_s = 0.0;  // not used after the last piece
};

inline constexpr double kLeadSeconds = 0.05;  // players swallow the first moments of a file
inline constexpr double kTailSeconds = 0.15;

// Pieces as one sound, part by part as they come: silence, piece, pause, piece, silence. Each piece
// fades in and out within a few milliseconds, so that no edge is heard as a click.
class AudioJoiner {
 public:
  // `on_sound` is given the samples of the whole in their order, each once.
  AudioJoiner(int sample_rate, std::function<void(std::span<const float>)> on_sound);

  // Begins a piece of so many samples. `pause_s` stands between it and the piece before, if any.
  void begin_piece(std::size_t num_samples, double pause_s);
  // The next samples of the piece; all of them together have the length that was said.
  void add(std::span<const float> samples);
  // After the last piece. Without any, no sample was given.
  void end();

 private:
  void add_silence(double seconds);

  int sample_rate_;
  std::function<void(std::span<const float>)> on_sound_;
  bool has_pieces_ = false;
  std::size_t length_ = 0;                  // of the piece
  std::size_t place_ = 0;                   // in it
  std::size_t fade_in_ = 0, fade_out_ = 0;  // samples of it
  std::vector<float> faded_;
};

// The same of pieces that are all there. Samples are finite. No pieces give no samples.
std::vector<float> join_audio(std::span<const AudioSegment> pieces, int sample_rate);

}  // namespace xtts::speak
