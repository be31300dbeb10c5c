// CUDA implementation of GraphDevice in libmyxtts_cuda.so, which data/cuda_library.h loads. Not
// yet run on a GPU.
#pragma once

#include "step/graph_device.h"

// Entry point that libmyxtts_cuda.so exports. The caller owns the returned device. Its compute
// stream is LibTorch's current stream of the device. Throws UserError if the device does not exist.
extern "C" myxtts::step::GraphDevice* myxtts_cuda_graph_device(int device_index);
