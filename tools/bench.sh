#!/usr/bin/env bash
# make bench: hot paths with Google Benchmark, then comparisons with peers (docs/en/benchmarks.md): mel
# extraction with LibTorch, PyTorch and librosa on one thread, data loaders of TensorFlow and PyTorch, the
# training step with a PyTorch model on two threads, end-to-end synthesis with PyTorch on one thread.
# Compare ratios: other load on the machine affects all sides.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=20
voice=build/bench-voice

# Trains a voice and its vocoder for some steps: quality does not affect speed.
make_voice() {
  local corpus=build/bench-corpus
  build/release/myxtts corpus demo --out "$corpus" --utterances 100 --voices rms >/dev/null
  build/release/myxtts train --train-data "$corpus" --checkpoint-dir "$voice" --model-size tiny \
    --max-steps 60 >/dev/null
  build/release/myxtts train-vocoder --train-data "$corpus" --checkpoint-dir "$voice/vocoder" \
    --max-steps 60 >/dev/null
}

tools/setup.sh bench
tools/configure.sh release -DMYXTTS_WITH_BENCH=ON
cmake --build build/release --target myxtts myxtts_bench acoustic_step
build/release/myxtts_bench --benchmark_min_time=0.3
echo

if tools/setup.sh bench-venv; then
  .venv-bench/bin/python bench/peers/mel_peers.py build/release/myxtts --seconds $seconds
  echo
  loader_options=()
  if ! tools/setup.sh bench-tf-venv; then
    echo "TensorFlow could not be installed: the loader is compared with PyTorch only" >&2
    loader_options=(--no-tensorflow)
  fi
  .venv-bench/bin/python bench/peers/loader_peers.py build/release/myxtts "${loader_options[@]}"
  echo
  .venv-bench/bin/python bench/peers/acoustic_step.py build/release/acoustic_step
  echo
  make_voice
  .venv-bench/bin/python bench/peers/speak_peers.py build/release/myxtts --checkpoint "$voice"
else
  echo "librosa and PyTorch could not be installed: no comparison with peers" >&2
  build/release/myxtts bench mel --seconds $seconds
fi
