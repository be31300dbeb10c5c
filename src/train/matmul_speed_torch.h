#pragma once

namespace myxtts::train {

// Measures the multiply-adds per second of a large float32 matrix product on the threads of
// LibTorch: an upper bound for the processor under its current load. Takes 0.05 s.
double measure_matmul_speed();

}  // namespace myxtts::train
