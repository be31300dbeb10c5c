// The hot paths of src/audio. Real-time factors are the counter "x_real_time".

#include <benchmark/benchmark.h>

#include "audio/decode.h"
#include "audio/fast_mel.h"
#include "audio/griffin_lim.h"
#include "audio/mel.h"
#include "audio/prepare.h"
#include "audio/wav.h"
#include "cli/bench_mel.h"

namespace xtts {
namespace {

constexpr double kSeconds = 5.0;

void count_real_time(benchmark::State& state) {
  state.counters["x_real_time"] = benchmark::Counter(
      kSeconds * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void bench_log_mel(benchmark::State& state) {
  const audio::MelSpec contract;
  const audio::ReferenceMel extractor(contract);
  const std::vector<float> samples = cli::bench_vocoder(kSeconds, contract.sample_rate);
  while (state.KeepRunning())
    benchmark::DoNotOptimize(extractor.log_mel(samples));
  count_real_time(state);
}
BENCHMARK(bench_log_mel)->Name("log_mel")->Unit(benchmark::kMillisecond);

void bench_fast_log_mel(benchmark::State& state) {
  const audio::MelSpec contract;
  const audio::FastMel mel(contract);
  const std::vector<float> samples = cli::bench_vocoder(kSeconds, contract.sample_rate);
  audio::FastMel::Scratch scratch;
  std::vector<float> out(
      static_cast<std::size_t>(audio::num_frames(contract, samples.size()) * contract.n_mels));
  while (state.KeepRunning()) {
    mel.log_mel(samples, scratch, out);
    benchmark::DoNotOptimize(out.data());
  }
  count_real_time(state);
}
BENCHMARK(bench_fast_log_mel)->Name("fast_log_mel")->Unit(benchmark::kMillisecond);

void bench_decode_wav(benchmark::State& state) {
  const std::string bytes = audio::wav_bytes(cli::bench_vocoder(kSeconds, 22050), 22050);
  while (state.KeepRunning())
    benchmark::DoNotOptimize(audio::decode(bytes, 2.0 * kSeconds));
  count_real_time(state);
}
BENCHMARK(bench_decode_wav)->Name("decode_wav")->Unit(benchmark::kMillisecond);

void bench_prepare(benchmark::State& state) {
  const std::string bytes = audio::wav_bytes(cli::bench_vocoder(kSeconds, 16000), 16000);
  const audio::AudioClip sound = audio::decode(bytes, 2.0 * kSeconds).sound;
  while (state.KeepRunning())
    benchmark::DoNotOptimize(audio::prepare(sound, audio::MelSpec{}));
  count_real_time(state);
}
BENCHMARK(bench_prepare)->Name("prepare_from_16_khz")->Unit(benchmark::kMillisecond);

void bench_griffin_lim(benchmark::State& state) {
  const audio::MelSpec contract;
  const audio::Mel mel =
      audio::ReferenceMel(contract).log_mel(cli::bench_vocoder(kSeconds, contract.sample_rate));
  while (state.KeepRunning())
    benchmark::DoNotOptimize(audio::griffin_lim(mel, contract, /*num_iterations=*/8, /*seed=*/1));
  count_real_time(state);
}
BENCHMARK(bench_griffin_lim)->Name("griffin_lim_8_rounds")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xtts
