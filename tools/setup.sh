#!/usr/bin/env bash
# Brings a fresh Debian 12 machine to where CMake can build: packages, LibTorch, the test venv.
#
#   tools/setup.sh [PART...]     default: build venv libtorch
#
#   build | bench | check             the Debian packages of that word in tools/apt-packages.txt
#   venv | check-venv                 .venv from tools/requirements-test.txt, .venv-check likewise
#   judges-venv                       what tools/judge_mos.py imports
#   bench-venv | bench-tf-venv        what peers in bench/peers import: PyTorch and librosa (and what
#                                     tools/judge_voice.py does); TensorFlow
#   libtorch                          headers and CPU libraries, and the CUDA ones if nvcc is here
#   cuda-wheels                       the NVIDIA libraries that torch names (2.7 GB; make build CUDA=1)
#
# Each part looks first and does nothing, silently, when its result is there. LibTorch goes into a
# per-user cache folder named by the wheel's hash, so a second clone downloads nothing. What is
# unpacked stands beside its place until it is whole, then is renamed: a folder in place is good.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lock_file=${MYXTTS_WHEELS_LOCK:-$root/tools/wheels.lock}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/myxtts
cuda_home=${CUDA_HOME:-/usr/local/cuda}
arch=$(uname -m)
num_attempts=3
retry_pause_s=${MYXTTS_RETRY_PAUSE_S:-3}

say() { echo "[setup] $*" >&2; }
fail() {
  say "$*"
  exit 1
}

# --- Debian packages ----------------------------------------------------------------------------

missing_packages() { # word
  local wanted installed
  wanted=$(awk -v word="$1" '$1 == word { print $2 }' "$root/tools/apt-packages.txt")
  # shellcheck disable=SC2086 # one word per package
  installed=$({ dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null || true; } |
    awk '$1 == "ii" { print $2 }')
  comm -23 <(sort <<<"$wanted") <(sort -u <<<"$installed")
}

install_packages() { # word
  if ! command -v dpkg-query >/dev/null; then
    # Another distribution: CMake names what is missing.
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$1")
  ((${#missing[@]})) || return 0

  local install=(apt-get install -y --no-install-recommends "${missing[@]}")
  local line="${install[*]}"
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null; then
      fail "Debian packages are missing and there is no sudo here; as root, run: apt-get update && $line"
    fi
    as_root=(sudo)
    [[ -t 0 ]] || as_root=(sudo -n) # nobody could answer its question
  fi
  say "installing Debian packages: ${missing[*]}"
  local log
  log=$(mktemp)
  # A package list that is hours old often knows the packages still, but not for certain.
  if ! { "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}" -q; } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    fail "Debian packages could not be installed; as root, run: apt-get update && $line"
  fi
  rm -f "$log"
}

# --- Python -------------------------------------------------------------------------------------

make_venv() { # folder requirements
  local stamp wanted
  stamp=$root/$1/.requirements.sha256
  wanted=$(sha256sum <"$root/$2")
  [[ -f $stamp && $(<"$stamp") == "$wanted" && -x $root/$1/bin/python ]] && return
  say "making $1 from $2"
  rm -rf "${root:?}/$1"
  python3 -m venv "$root/$1"
  "$root/$1/bin/python" -m pip install -q --disable-pip-version-check -r "$root/$2"
  echo "$wanted" >"$stamp"
}

# Any pip will do to download a wheel for a named Python and platform.
run_pip() {
  if command -v pip >/dev/null; then
    pip "$@"
  elif [[ -x $root/.venv/bin/pip ]]; then
    "$root/.venv/bin/pip" "$@"
  else
    python3 -m pip "$@"
  fi
}

# --- Wheels -------------------------------------------------------------------------------------

locked() { # package column
  awk -v arch="$arch" -v package="$1" -v column="$2" \
    '$1 == arch && $2 == package { print $column }' "$lock_file"
}

# Downloads a locked wheel into a folder and prints its path. What arrives with another hash is
# thrown away and asked for again.
download_wheel() { # package folder
  local version platform hash found file attempt quiet=(-q)
  version=$(locked "$1" 3)
  platform=$(locked "$1" 4)
  hash=$(locked "$1" 5)
  [[ -n $hash ]] || fail "no $1 for $arch in ${lock_file#"$root"/}: this machine is not supported"
  [[ -t 2 ]] && quiet=()
  for ((attempt = 1; attempt <= num_attempts; ++attempt)); do
    rm -rf "$2"
    mkdir -p "$2"
    if run_pip download "${quiet[@]}" --no-cache-dir --no-deps --only-binary :all: \
      --python-version 311 --platform "$platform" --dest "$2" "$1==$version" >&2; then
      file=$(find "$2" -name '*.whl' -print -quit)
      found=$(sha256sum <"${file:-/dev/null}" | cut -d' ' -f1)
      if [[ $found == "$hash" ]]; then
        echo "$file"
        return
      fi
      say "$1 $version arrived broken (sha256 ${found:0:16}..., expected ${hash:0:16}...)"
    else
      say "$1 $version could not be downloaded"
    fi
    if ((attempt < num_attempts)); then
      say "trying again ($((attempt + 1)) of $num_attempts)"
      sleep "$retry_pause_s"
    fi
  done
  fail "$1 $version: $num_attempts downloads failed; look at the network, then run this again"
}

toolkit_folder() { # the CUDA toolkit's folder, or nothing
  local nvcc
  nvcc=$(command -v nvcc || true)
  [[ -z $nvcc && -x $cuda_home/bin/nvcc ]] && nvcc=$cuda_home/bin/nvcc
  [[ -z $nvcc ]] || dirname "$(dirname "$(realpath "$nvcc")")"
}

# libtorch_cpu.so names two CUDA libraries even where no GPU is. Copies, not links: a toolkit that
# is removed later must not break the cache.
add_cuda_placeholders() { # lib-folder scratch-folder
  local toolkit soname package wheel from
  toolkit=$(toolkit_folder)
  for soname in libcudart.so.13 libcupti.so.13; do
    from=
    if [[ -n $toolkit ]]; then
      from=$(find -L "$toolkit/lib64" "$toolkit/extras/CUPTI/lib64" -maxdepth 1 -name "$soname" \
        -print -quit 2>/dev/null || true)
    fi
    if [[ -z $from ]]; then
      package=nvidia-cuda-runtime
      [[ $soname == libcupti* ]] && package=nvidia-cuda-cupti
      wheel=$(download_wheel "$package" "$2/$package")
      unzip -q -o "$wheel" "*/$soname" -d "$2/$package"
      from=$(find "$2/$package" -name "$soname" -print -quit)
    fi
    cp -L "$from" "$1/$soname"
  done
}

cpu_parts=(torch/lib/libtorch_cpu.so torch/lib/libc10.so torch/lib/libgomp.so.1)
cuda_parts=(torch/lib/libtorch_cuda.so torch/lib/libc10_cuda.so torch/lib/libtorch_nvshmem.so)

install_libtorch() {
  local hash target wheel version with_cuda=
  hash=$(locked torch 5)
  [[ -n $hash ]] || fail "no LibTorch for $arch in ${lock_file#"$root"/}: this machine is not supported"
  target=$cache/libtorch-${hash:0:16}
  [[ -z $(toolkit_folder) ]] || with_cuda=yes
  [[ -f $target/complete && (-z $with_cuda || -f $target/complete-cuda) ]] && return

  mkdir -p "$cache"
  exec 9>"$cache/lock" # two clones may set up at once
  flock 9
  [[ -f $target/complete && (-z $with_cuda || -f $target/complete-cuda) ]] && return

  version=$(locked torch 3)
  say "LibTorch $version into $target (once per user; a download of about 0.5 GB)"
  rm -rf "$cache"/unpacking-* # left by one that was killed
  scratch=$cache/unpacking-$$
  trap 'rm -rf "$scratch"' EXIT
  wheel=$(download_wheel torch "$scratch/wheel")
  # The wheel's own fmt would shadow Debian's, and its protobuf nobody may use.
  unzip -q "$wheel" 'torch/include/*' "${cpu_parts[@]}" ${with_cuda:+"${cuda_parts[@]}"} \
    "torch-$version.dist-info/METADATA" \
    -x 'torch/include/fmt/*' 'torch/include/google/*' -d "$scratch/libtorch"
  rm -rf "$scratch/wheel"
  add_cuda_placeholders "$scratch/libtorch/torch/lib" "$scratch"
  touch "$scratch/libtorch/complete"
  [[ -z $with_cuda ]] || touch "$scratch/libtorch/complete-cuda"
  rm -rf "$target"
  mv "$scratch/libtorch" "$target"
  rm -rf "$scratch"
  flock -u 9
}

# Beside LibTorch, where its libraries look for them ($ORIGIN/../../nvidia).
install_cuda_wheels() {
  local hash target wanted=() line
  hash=$(locked torch 5)
  target=$cache/libtorch-${hash:0:16}
  [[ -f $target/complete-nvidia ]] && return
  while read -r line; do wanted+=("${line// /}"); done < <(
    sed -n 's/^Requires-Dist: \(\(cuda-toolkit\|nvidia-\)[^;]*\).*/\1/p' \
      "$target/torch-$(locked torch 3).dist-info/METADATA"
  )
  say "NVIDIA libraries into $target (once per user; about 2.7 GB): ${wanted[*]}"
  run_pip install -q --no-cache-dir --only-binary :all: --target "$target" "${wanted[@]}"
  touch "$target/complete-nvidia"
}

parts=("$@")
((${#parts[@]})) || parts=(build venv libtorch)
for part in "${parts[@]}"; do
  case $part in
    build | bench | check) install_packages "$part" ;;
    venv) make_venv .venv tools/requirements-test.txt ;;
    bench-venv) make_venv .venv-bench tools/requirements-bench.txt ;;
    bench-tf-venv) make_venv .venv-bench-tf tools/requirements-bench-tf.txt ;;
    judges-venv) make_venv .venv-judges tools/requirements-judges.txt ;;
    check-venv) make_venv .venv-check tools/requirements-check.txt ;;
    libtorch) install_libtorch ;;
    cuda-wheels) install_cuda_wheels ;;
    *) fail "no such part: $part" ;;
  esac
done
