#!/usr/bin/env bash
# make bench: the hot paths by Google Benchmark, then the mel beside LibTorch, PyTorch and librosa, all
# on one thread and in one run, then the loader beside TensorFlow's and PyTorch's, then the step of
# training beside its twin in PyTorch, two threads each, then a text to sound beside that twin, one
# thread each (docs/en/benchmarks.md). Ratios are what to look at: other work on the machine meets all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=20
voice=build/bench-voice

# A voice and its vocoder after some steps: how well they speak is nothing to how fast they do.
make_voice() {
  local corpus=build/bench-corpus
  build/release/myxtts corpus demo --out "$corpus" --utterances 100 --voices rms >/dev/null
  build/release/myxtts train --train-data "$corpus" --checkpoint-dir "$voice" --model-size tiny \
    --max-steps 60 >/dev/null
  build/release/myxtts train-vocoder --train-data "$corpus" --checkpoint-dir "$voice/vocoder" \
    --max-steps 60 >/dev/null
}

tools/setup.sh bench
tools/configure.sh release -DXTTS_WITH_BENCH=ON
cmake --build build/release --target myxtts myxtts_bench acoustic_step
build/release/myxtts_bench --benchmark_min_time=0.3
echo

if tools/setup.sh bench-venv; then
  .venv-bench/bin/python bench/peers/mel_peers.py build/release/myxtts --seconds $seconds
  echo
  loader_options=()
  if ! tools/setup.sh bench-tf-venv; then
    echo "TensorFlow could not be installed: the loader is measured beside PyTorch's only" >&2
    loader_options=(--no-tensorflow)
  fi
  .venv-bench/bin/python bench/peers/loader_peers.py build/release/myxtts "${loader_options[@]}"
  echo
  .venv-bench/bin/python bench/peers/acoustic_step.py build/release/acoustic_step
  echo
  make_voice
  .venv-bench/bin/python bench/peers/speak_peers.py build/release/myxtts --checkpoint "$voice"
else
  echo "librosa and PyTorch could not be installed: nothing beside" >&2
  build/release/myxtts bench mel --seconds $seconds
fi
