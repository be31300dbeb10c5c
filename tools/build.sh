#!/usr/bin/env bash
# Sets up and builds the release program. CUDA=1 adds the CUDA kernels and what they run on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=()
parts=(build venv libtorch)
if [[ ${CUDA:-} == 1 ]]; then
  command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]] || {
    echo "CUDA=1 needs nvcc; install a CUDA 13 toolkit" >&2
    exit 1
  }
  parts+=(cuda-wheels)
  options+=(-DXTTS_WITH_CUDA=ON)
fi
tools/setup.sh "${parts[@]}"
tools/configure.sh release "${options[@]}"
cmake --build build/release
echo "built: build/release/myxtts" >&2
