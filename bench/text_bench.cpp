// Benchmarks of src/text without child processes: normalisation and encoding.

#include <string>

#include <benchmark/benchmark.h>

#include "text/front_end.h"

namespace myxtts {
namespace {

constexpr const char* kEnglish =
    "On May 3rd, 1998, Dr. Smith paid $1,250.75 for 21 old books at 10:45 p.m.";
constexpr const char* kPersian =
    "در سال ۱۳۷۵ او ۲۱ کتاب را خريد، و به خانه‌ها برد.";

void bench_graphemes(benchmark::State& state,
                     const char* language,
                     const char* cleaner,
                     const std::string& sentence) {
  text::TextSettings settings;
  settings.language = language;
  settings.use_phonemes = false;
  settings.text_cleaners = {cleaner};
  text::FrontEnd front_end(settings);
  while (state.KeepRunning())
    benchmark::DoNotOptimize(front_end.run(sentence));
  state.SetBytesProcessed(static_cast<std::int64_t>(sentence.size()) * state.iterations());
}
BENCHMARK_CAPTURE(bench_graphemes, english, "en", "english_cleaners", kEnglish);
BENCHMARK_CAPTURE(bench_graphemes, persian, "fa", "persian_cleaners", kPersian);

}  // namespace
}  // namespace myxtts
