// Joins pieces of speech with pauses and fades.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace myxtts::synthesis {

// A piece of speech and the pause that follows it.
struct AudioSegment {
  std::vector<float> samples;
  double pause_s = 0.0;  // not used after the last piece
};

inline constexpr double kLeadSeconds = 0.05;  // some players cut off the start of a file
inline constexpr double kTailSeconds = 0.15;

// Joins pieces of speech into one stream of samples: silence, piece, pause, piece, silence. Each
// piece fades in and out within a few milliseconds, so that its edges do not click.
class AudioJoiner {
 public:
  // `on_samples` receives all samples of the stream once, in order.
  AudioJoiner(int sample_rate, std::function<void(std::span<const float>)> on_samples);

  // Starts a piece of `num_samples`, after a pause of `pause_s` if it is not the first piece.
  void begin_piece(std::size_t num_samples, double pause_s);
  // Appends samples to the current piece; a piece must receive exactly `num_samples` in total.
  void add(std::span<const float> samples);
  // Ends the stream after the last piece. A stream without pieces has no samples.
  void end();

 private:
  void add_silence(double seconds);

  int sample_rate_;
  std::function<void(std::span<const float>)> on_samples_;
  bool has_pieces_ = false;
  std::size_t length_ = 0;                  // samples of the piece
  std::size_t position_ = 0;                // in the piece
  std::size_t fade_in_ = 0, fade_out_ = 0;  // samples
  std::vector<float> faded_;
};

// Joins complete pieces as AudioJoiner does and returns the samples. Input samples must be finite.
std::vector<float> join_audio(std::span<const AudioSegment> pieces, int sample_rate);

}  // namespace myxtts::synthesis
