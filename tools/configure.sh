#!/usr/bin/env bash
# Configures build/PRESET if it is not configured, if options are given, or if the presets have changed.
# Prints nothing on success.
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
