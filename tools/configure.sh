#!/usr/bin/env bash
# Configures build/PRESET when it is not, when options are given, or when the presets have changed.
# Silent when it works.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=$1
shift
if [[ build/$preset/build.ninja -nt CMakePresets.json && $# == 0 ]]; then exit 0; fi
mkdir -p build
log=build/configure-$preset.log
if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
grep -A3 "CMake Warning" "$log" >&2 || true
