#pragma once

#include <string>

#include "rules/record.h"

namespace myxtts::rules {

// Returns one line, without newline, that names what limited the speed of a run:
//
//   limited by the model: it was busy 98 % of the time
//   limited by loading: the model waited 43 % of the time; mel takes 71 % of loading on 1 worker;
//     --num-workers 3 would keep the model busy (computed)                         (all one line)
//   limited by retraces: 14 in 50 steps took 61 % of the time
//   limited by the host: reports, validations, samples and checkpoints took 31 % of the time
//   limited by copying: ...
//   limited by the cores: the model waited 14 % of the time although data was ready
//   nothing was measured: no step ran
//
// The line names the largest share of time outside the model if it is 10 % or more, else the model.
// It ends with the load of other programs if they kept a quarter of the cores or more busy.
std::string limit_line(const Record& record);

// Returns the limit as an identifier: "model", "loading", "retraces", "host", "copying", "cores",
// "nothing" (no step ran).
std::string limit_name(const Record& record);

}  // namespace myxtts::rules
