#!/usr/bin/env bash
# make bench: the plain hot paths by Google Benchmark, then the mel beside LibTorch and librosa, all
# on one thread and in one run, then the step of training beside its twin in PyTorch, two threads
# each (docs/en/benchmarks.md). Ratios are what to look at: other work on the machine meets all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

seconds=20
tools/setup.sh bench
tools/configure.sh release -DXTTS_WITH_BENCH=ON
cmake --build build/release --target myxtts_bench acoustic_step
build/release/myxtts_bench --benchmark_min_time=0.3
echo

ours=$(build/release/myxtts bench mel --seconds $seconds --json)
peer=
if tools/setup.sh bench-venv; then
  peer=$(OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1 \
    .venv-bench/bin/python bench/peers/librosa_mel.py $seconds)
else
  echo "librosa and PyTorch could not be installed: nothing beside" >&2
fi
python3 - "$ours" "$peer" <<'PYTHON'
import json
import sys

ours = json.loads(sys.argv[1])
results = {result["name"]: result for result in ours["results"]}
if sys.argv[2]:
    peer = json.loads(sys.argv[2])
    results[f"mel_librosa {peer['version']}"] = peer
plain = results["mel_plain"]["value"]
print(f"mel on {ours['machine']}")
for name, result in results.items():
    if result["unit"] == "x real time":
        print(f"  {name:<24} {result['value']:10.0f} x real time   {result['value'] / plain:6.2f} x plain")
    elif result["unit"] != "ratio":
        print(f"  {name:<24} {result['value']:10.2e} {result['unit']}")
PYTHON
if [[ -n $peer ]]; then
  echo
  .venv-bench/bin/python bench/peers/acoustic_step.py build/release/acoustic_step
fi
