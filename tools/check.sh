#!/usr/bin/env bash
# make check, make check-all: checks format, names, words, commit messages and lint. Runs every check, also
# after a failure, and prints all faults.
#
#   tools/check.sh changed     clang-format and clang-tidy on files that differ from main
#   tools/check.sh all         on every file
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scope=${1:-changed}
tools/setup.sh build bench check venv check-venv libtorch

# The change is compared with the commit where it branched off main, and on main with the previous commit.
main=$(git rev-parse --verify -q origin/main || git rev-parse --verify -q main || git rev-parse HEAD)
base=$(git merge-base HEAD "$main")
if [[ $base == $(git rev-parse HEAD) ]]; then base=$(git rev-parse -q --verify HEAD~1 || echo "$base"); fi

list_files() {
  if [[ $scope == all ]]; then
    git ls-files
    return
  fi
  git diff --name-only --diff-filter=d "$base"
  git ls-files --others --exclude-standard
}

mapfile -t sources < <(list_files | grep -E '^(src|tests|bench)/.*\.(h|cpp|cu)$' | sort -u || true)
units=()
for file in "${sources[@]}"; do
  # Files that only a CUDA build compiles have no compile command.
  if [[ $file == *.cpp && $file != *_cuda.cpp && $file != tests/cuda/* ]]; then units+=("$file"); fi
done
failed=()

echo "format: ${#sources[@]} files"
if ((${#sources[@]})); then
  clang-format --dry-run -Werror "${sources[@]}" || failed+=("format (fix it with clang-format -i)")
fi

echo "tree: layering, names, paths, words, file table"
python3 tools/check_tree.py || failed+=(tree)

echo "commits: $(git rev-list --count "$base..HEAD") since ${base:0:10}"
python3 tools/check_commits.py "$base..HEAD" || failed+=(commits)

echo "lint: ${#units[@]} files"
if ((${#units[@]})); then
  # A separate build folder, because clang cannot read the precompiled headers of g++.
  mkdir -p build
  cmake --preset release -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DMYXTTS_CCACHE=OFF \
    -DMYXTTS_UNITY=ON -DMYXTTS_WITH_BENCH=ON >build/lint.log 2>&1 || { cat build/lint.log >&2; exit 1; }
  cmake --build build/lint --target myxtts_build_version >/dev/null
  mkdir -p build/lint/openmp
  ln -sf "$(g++ -print-file-name=include/omp.h)" build/lint/openmp/omp.h
  printf '%s\n' "${units[@]}" | tools/lint.py .venv-check/bin/clang-tidy build/lint || failed+=(lint)
fi

for name in "${failed[@]}"; do echo "FAILED: $name" >&2; done
((${#failed[@]} == 0)) && echo "all clean"
