#pragma once

namespace xtts::train {

// Multiply-adds per second of a product of two large matrices in float32 on the threads of the
// arithmetic: what the processor can do at most, beside whatever else keeps it busy now. Takes a
// twentieth of a second.
double measure_product_speed();

}  // namespace xtts::train
