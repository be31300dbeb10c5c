#!/usr/bin/env bash
# make cuda-check: compiles the CUDA sources as a library of build/release, links a program with it and, on a
# machine with a GPU, compares every kernel with its reference implementation.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! command -v nvcc >/dev/null && [[ ! -x /usr/local/cuda/bin/nvcc ]]; then
  echo "cuda-check: skipped (no nvcc)"
  exit 0
fi
tools/setup.sh
tools/configure.sh release -DMYXTTS_WITH_CUDA=ON
cmake --build build/release --target cuda_link_check

if output=$(build/release/cuda_link_check 2>&1); then
  echo "cuda-check: $output"
elif [[ $output == *"error while loading shared libraries"* && ! -e /dev/nvidia0 ]]; then
  missing=$(sed -n 's/.*libraries: \([^:]*\):.*/\1/p' <<<"$output")
  echo "cuda-check: compiled and linked; not run: no CUDA device ($missing is missing). Untested: log_mel, mels of a data lane, align, captured step"
else
  echo "cuda-check: $output" >&2
  exit 1
fi
