// Benchmarks of src/audio. The counter "x_real_time" is seconds of audio per second.

#include <benchmark/benchmark.h>

#include "audio/decode.h"
#include "audio/fast_mel.h"
#include "audio/griffin_lim.h"
#include "audio/mel.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "bench/bench_mel.h"

namespace myxtts {
namespace {

constexpr double kSeconds = 5.0;

void count_real_time(benchmark::State& state) {
  state.counters["x_real_time"] = benchmark::Counter(
      kSeconds * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void bench_log_mel(benchmark::State& state) {
  const audio::MelSpec spec;
  const audio::ReferenceMel extractor(spec);
  const std::vector<float> samples = bench::bench_signal(kSeconds, spec.sample_rate);
  while (state.KeepRunning())
    benchmark::DoNotOptimize(extractor.log_mel(samples));
  count_real_time(state);
}
BENCHMARK(bench_log_mel)->Name("log_mel")->Unit(benchmark::kMillisecond);

void bench_fast_log_mel(benchmark::State& state) {
  const audio::MelSpec spec;
  const audio::FastMel mel(spec);
  const std::vector<float> samples = bench::bench_signal(kSeconds, spec.sample_rate);
  audio::FastMel::Scratch scratch;
  std::vector<float> out(
      static_cast<std::size_t>(audio::num_frames(spec, samples.size()) * spec.n_mels));
  while (state.KeepRunning()) {
    mel.log_mel(samples, scratch, out);
    benchmark::DoNotOptimize(out.data());
  }
  count_real_time(state);
}
BENCHMARK(bench_fast_log_mel)->Name("fast_log_mel")->Unit(benchmark::kMillisecond);

void bench_decode_wav(benchmark::State& state) {
  const std::string bytes = audio::wav_bytes(bench::bench_signal(kSeconds, 22050), 22050);
  while (state.KeepRunning())
    benchmark::DoNotOptimize(audio::decode(bytes, 2.0 * kSeconds));
  count_real_time(state);
}
BENCHMARK(bench_decode_wav)->Name("decode_wav")->Unit(benchmark::kMillisecond);

void bench_prepare(benchmark::State& state) {
  const std::string bytes = audio::wav_bytes(bench::bench_signal(kSeconds, 16000), 16000);
  const audio::AudioClip clip = audio::decode(bytes, 2.0 * kSeconds).clip;
  while (state.KeepRunning())
    benchmark::DoNotOptimize(audio::prepare(clip, audio::MelSpec{}));
  count_real_time(state);
}
BENCHMARK(bench_prepare)->Name("prepare_from_16_khz")->Unit(benchmark::kMillisecond);

void bench_griffin_lim(benchmark::State& state) {
  const audio::MelSpec spec;
  const audio::Mel mel =
      audio::ReferenceMel(spec).log_mel(bench::bench_signal(kSeconds, spec.sample_rate));
  while (state.KeepRunning())
    benchmark::DoNotOptimize(audio::griffin_lim(mel, spec, /*num_iterations=*/8, /*seed=*/1));
  count_real_time(state);
}
BENCHMARK(bench_griffin_lim)->Name("griffin_lim_8_iterations")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace myxtts
