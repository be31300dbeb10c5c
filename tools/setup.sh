#!/usr/bin/env bash
# Prepares a Debian 12 machine for the build: packages, LibTorch, the Python environment of the tests.
#
#   tools/setup.sh [PART...]     default: build venv libtorch
#
#   build | bench | check             Debian packages of that group in tools/apt-packages.txt
#   venv | check-venv                 .venv from tools/requirements-test.txt, .venv-check likewise
#   judges-venv                       packages of tools/judge_mos.py
#   bench-venv | bench-tf-venv        packages of bench/peers: PyTorch and librosa (and those of
#                                     tools/judge_similarity.py); TensorFlow
#   libtorch                          headers and CPU libraries, and the CUDA libraries if nvcc is installed
#   cuda-wheels                       NVIDIA libraries that torch requires (2.7 GB; make build CUDA=1)
#
# A part whose result exists does nothing and prints nothing. LibTorch is unpacked into a per-user cache
# folder named by the hash of the wheel, so a second clone downloads nothing. Folders are unpacked under a
# temporary name and renamed when they are complete.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
lock_file=${MYXTTS_WHEELS_LOCK:-$root/tools/wheels.lock}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/myxtts
cuda_home=${CUDA_HOME:-/usr/local/cuda}
arch=$(uname -m)
num_attempts=3
retry_pause_s=${MYXTTS_RETRY_PAUSE_S:-3}

log() { echo "[setup] $*" >&2; }
fail() {
  log "$*"
  exit 1
}

# --- Debian packages ----------------------------------------------------------------------------

missing_packages() { # group
  local wanted installed
  wanted=$(awk -v group="$1" '$1 == group { print $2 }' "$root/tools/apt-packages.txt")
  # shellcheck disable=SC2086 # one word per package
  installed=$({ dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' $wanted 2>/dev/null || true; } |
    awk '$1 == "ii" { print $2 }')
  comm -23 <(sort <<<"$wanted") <(sort -u <<<"$installed")
}

install_packages() { # group
  if ! command -v dpkg-query >/dev/null; then
    # On other distributions CMake reports missing packages.
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$1")
  ((${#missing[@]})) || return 0

  local install=(apt-get install -y --no-install-recommends "${missing[@]}")
  local line="${install[*]}"
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null; then
      fail "Debian packages are missing and sudo is not installed; as root, run: apt-get update && $line"
    fi
    as_root=(sudo)
    [[ -t 0 ]] || as_root=(sudo -n) # no terminal for a password
  fi
  log "installing Debian packages: ${missing[*]}"
  local log
  log=$(mktemp)
  # An old package list may refer to versions that the mirror no longer has.
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
  log "creating $1 from $2"
  rm -rf "${root:?}/$1"
  python3 -m venv "$root/$1"
  "$root/$1/bin/python" -m pip install -q --disable-pip-version-check -r "$root/$2"
  echo "$wanted" >"$stamp"
}

# Runs any available pip: downloads name the Python version and the platform.
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

# Downloads a locked wheel into a folder and prints its path. Downloads with a wrong hash are discarded
# and repeated.
download_wheel() { # package folder
  local version platform hash found file attempt quiet=(-q)
  version=$(locked "$1" 3)
  platform=$(locked "$1" 4)
  hash=$(locked "$1" 5)
  [[ -n $hash ]] || fail "no $1 for $arch in ${lock_file#"$root"/}: this architecture is not supported"
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
      log "$1 $version: download is corrupt (sha256 ${found:0:16}..., expected ${hash:0:16}...)"
    else
      log "$1 $version: download failed"
    fi
    if ((attempt < num_attempts)); then
      log "retrying ($((attempt + 1)) of $num_attempts)"
      sleep "$retry_pause_s"
    fi
  done
  fail "$1 $version: $num_attempts downloads failed; check the network and run this again"
}

toolkit_folder() { # prints the folder of the CUDA toolkit, or nothing
  local nvcc
  nvcc=$(command -v nvcc || true)
  [[ -z $nvcc && -x $cuda_home/bin/nvcc ]] && nvcc=$cuda_home/bin/nvcc
  [[ -z $nvcc ]] || dirname "$(dirname "$(realpath "$nvcc")")"
}

# libtorch_cpu.so links two CUDA libraries even without a GPU. They are copied, so that removing the toolkit
# does not break the cache.
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
  [[ -n $hash ]] || fail "no LibTorch for $arch in ${lock_file#"$root"/}: this architecture is not supported"
  target=$cache/libtorch-${hash:0:16}
  [[ -z $(toolkit_folder) ]] || with_cuda=yes
  [[ -f $target/complete && (-z $with_cuda || -f $target/complete-cuda) ]] && return

  mkdir -p "$cache"
  exec 9>"$cache/lock" # two clones may run this at the same time
  flock 9
  [[ -f $target/complete && (-z $with_cuda || -f $target/complete-cuda) ]] && return

  version=$(locked torch 3)
  log "downloading LibTorch $version into $target (once per user, about 0.5 GB)"
  rm -rf "$cache"/unpacking-* # left by a killed process
  scratch=$cache/unpacking-$$
  trap 'rm -rf "$scratch"' EXIT
  wheel=$(download_wheel torch "$scratch/wheel")
  # The fmt and protobuf headers of the wheel would shadow those of Debian.
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

# Installs next to LibTorch, where its libraries look for them ($ORIGIN/../../nvidia).
install_cuda_wheels() {
  local hash target wanted=() line
  hash=$(locked torch 5)
  target=$cache/libtorch-${hash:0:16}
  [[ -f $target/complete-nvidia ]] && return
  while read -r line; do wanted+=("${line// /}"); done < <(
    sed -n 's/^Requires-Dist: \(\(cuda-toolkit\|nvidia-\)[^;]*\).*/\1/p' \
      "$target/torch-$(locked torch 3).dist-info/METADATA"
  )
  log "downloading NVIDIA libraries into $target (once per user, about 2.7 GB): ${wanted[*]}"
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
    *) fail "no such part: $part; tools/setup.sh lists them at its top" ;;
  esac
done
