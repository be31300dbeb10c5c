#!/usr/bin/env bash
# Sets up and builds the release program, without its tests. CUDA=1 adds the CUDA kernels and the
# libraries that they need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=()
targets=(myxtts)
parts=(build venv libtorch)
if [[ ${CUDA:-} == 1 ]]; then
  command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]] || {
    echo "CUDA=1 needs nvcc; install a CUDA 13 toolkit" >&2
    exit 1
  }
  parts+=(cuda-wheels)
  options+=(-DMYXTTS_WITH_CUDA=ON)
  targets+=(myxtts_cuda)
fi
tools/setup.sh "${parts[@]}"
tools/configure.sh release "${options[@]}"
cmake --build build/release --target "${targets[@]}"
echo "built: build/release/myxtts" >&2
