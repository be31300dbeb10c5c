// The plain hot paths of src/text that need no child process.

#include <string>

#include <benchmark/benchmark.h>

#include "text/front_end.h"

namespace xtts {
namespace {

void bench_graphemes(benchmark::State& state,
                     const char* language,
                     const char* cleaners,
                     const std::string& sentence) {
  text::FrontEnd front_end(
      {.language = language, .use_phonemes = false, .text_cleaners = {cleaners}});
  for (auto _ : state)
    benchmark::DoNotOptimize(front_end.run(sentence));
  state.SetBytesProcessed(static_cast<std::int64_t>(sentence.size()) * state.iterations());
}
BENCHMARK_CAPTURE(bench_graphemes,
                  english,
                  "en",
                  "english_cleaners",
                  "On May 3rd, 1998, Dr. Smith paid $1,250.75 for 21 old books at 10:45 p.m.");
BENCHMARK_CAPTURE(
    bench_graphemes,
    persian,
    "fa",
    "\u062f\u0631 \u0633\u0627\u0644 \u06f1\u06f3\u06f7\u06f5 \u06a9\u062a\u0627\u0628"
    "\u200c\u0647\u0627 \u0631\u0627 \u062e\u0631\u064a\u062f.");

}  // namespace
}  // namespace xtts
