#!/usr/bin/env bash
# make test, make test-full: sets up, builds, runs the test suite, and checks both times against limits.
#
#   tools/run_tests.sh short     the suite that every change must pass
#   tools/run_tests.sh full      five times the repetitions, and the unit tests with sanitizers
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# All limits, in seconds, for two cores without ccache.
build_limit_s=660
test_limit_s=720
test_target_s=300 # expected time of the current suite; the limit leaves room for growth
full_limit_s=3600

suite=${1:-short}
case $suite in
  short) export MYXTTS_TEST_SCALE=1 one_test_s=120 ;;
  full) export MYXTTS_TEST_SCALE=5 one_test_s=600 ;;
  *)
    echo "run_tests.sh: '$suite': expected short or full" >&2
    exit 2
    ;;
esac
jobs=$(nproc)
logs=build/test-logs
start_s=$SECONDS

as_time() { # seconds
  if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# Runs ctest of one preset. Records a failure in `failed` and continues.
failed=()
run_suite() { # preset [ctest arguments]
  local preset=$1
  shift
  (cd "build/$preset" && ctest -j "$jobs" --output-on-failure --no-tests=error \
    --output-junit "$OLDPWD/$logs/$preset.xml" "$@") || failed+=("$preset")
}

tools/setup.sh
rm -rf "$logs"
mkdir -p "$logs"
tools/configure.sh asan "-DMYXTTS_TEST_TIMEOUT_S=$one_test_s"
tools/configure.sh release "-DMYXTTS_TEST_TIMEOUT_S=$one_test_s" \
  "-DMYXTTS_FUZZ_PROGRAM=$PWD/build/asan/fuzz_front_ends"
cmake --build build/release
cmake --build build/asan --target fuzz_front_ends
build_s=$((SECONDS - start_s))

tests_start_s=$SECONDS
run_suite release
tests_s=$((SECONDS - tests_start_s))

if [[ $suite == full ]]; then
  # No test runs the benchmarks; compiling them detects outdated code.
  tools/setup.sh bench
  tools/configure.sh release -DMYXTTS_WITH_BENCH=ON
  cmake --build build/release --target myxtts_bench acoustic_step || failed+=(bench)
  cmake --build build/asan
  run_suite asan -L unit
  tools/configure.sh tsan "-DMYXTTS_TEST_TIMEOUT_S=$one_test_s"
  cmake --build build/tsan
  run_suite tsan -L unit
fi
all_s=$((SECONDS - start_s))

over=()
((build_s <= build_limit_s)) || over+=("set-up and build")
echo "set-up and build: $(as_time "$build_s") of at most $((build_limit_s / 60)) min"
if [[ $suite == full ]]; then
  ((all_s <= full_limit_s)) || over+=("total")
  echo "total: $(as_time "$all_s") of at most $((full_limit_s / 60)) min"
else
  ((tests_s <= test_limit_s)) || over+=(tests)
  echo "tests: $(as_time "$tests_s") of at most $((test_limit_s / 60)) min;" \
    "target $((test_target_s / 60)) min"
fi
if ((${#over[@]} || tests_s > test_target_s * MYXTTS_TEST_SCALE)); then
  python3 tools/slowest_tests.py "$logs"/*.xml
fi
# The summary of every suite, repeated at the end of the output.
for report in "$logs"/*.xml; do
  [[ $suite == short ]] || echo -n "$(basename "$report" .xml): "
  python3 tools/slowest_tests.py --count "$report"
done
for name in "${failed[@]}"; do echo "FAILED: $name" >&2; done
for name in "${over[@]}"; do echo "FAILED: $name over the limit" >&2; done
((${#failed[@]} + ${#over[@]} == 0))
