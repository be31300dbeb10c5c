# Commands for people. The work is done by CMake, tools/ and .ci/.
SHELL := /bin/bash
PREFIX ?= $(HOME)/.local
DEMO_MINUTES ?= 5
export PYTHONDONTWRITEBYTECODE = 1

.PHONY: help demo build test test-full check check-all cuda-check bench install clean

help:  ## print this list
	@echo "make TARGET, where TARGET is:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

demo: build  ## build, generate a corpus, train a voice for DEMO_MINUTES, write runs/demo/report.html
	@build/release/myxtts demo --out runs/demo --minutes $(DEMO_MINUTES) \
	  --judge '.venv/bin/python tools/judge_wer.py'

build:  ## build build/release/myxtts (CUDA=1: with the CUDA kernels)
	@CUDA=$(CUDA) tools/build.sh

test:  ## set up, build, run the short test suite (at most 23 minutes on two cores)
	@tools/run_tests.sh short

test-full:  ## run the long test suite, also with sanitizers (at most an hour)
	@tools/run_tests.sh full

check:  ## check format, lint, layers and names of the changes since main
	@tools/check.sh changed

check-all:  ## check format, lint, layers and names of every file
	@tools/check.sh all

cuda-check:  ## compile the CUDA sources and link a program with them (skipped without nvcc)
	@tools/cuda_check.sh

bench: build  ## benchmark the hot paths and compare with librosa, PyTorch and TensorFlow (7 GB)
	@tools/bench.sh

install: build  ## install into PREFIX (default ~/.local); the result is relocatable
	@cmake --install build/release --prefix "$(PREFIX)" >/dev/null
	@echo "installed: $(PREFIX)/bin/myxtts"

clean:  ## remove build/ and the Python environments (LibTorch stays in its cache)
	@rm -rf build .venv .venv-bench .venv-bench-tf .venv-check .venv-judges
