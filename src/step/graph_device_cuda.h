// Streams, graphs and events of a CUDA device, in libmyxtts_cuda.so (pipeline/cuda_library.h says
// why there is such a library). No machine with a GPU has run it yet.
#pragma once

#include "step/graph_device.h"

// What libmyxtts_cuda.so exports: a device that the caller owns. Work and replays are queued on the
// stream that LibTorch is using on that device when this is called. Throws UserError if there is no
// such device.
extern "C" xtts::step::GraphDevice* myxtts_cuda_graph_device(int device_index);
