#pragma once

#include <string>

#include "rules/record.h"

namespace xtts::rules {

// What held a run up, in one line without newline:
//
//   limited by the model: it was busy 98 % of the time
//   limited by loading: the model waited 43 % of the time; mel takes 71 % of loading on 1 worker;
//     --num-workers 3 would keep the model busy (computed)                         (all one line)
//   limited by retraces: 14 in 50 steps took 61 % of the time
//   limited by the host: validations, saves and reports took 31 % of the time
//   limited by copying: ...
//   limited by the cores: the model waited 14 % of the time although data was ready
//   nothing was measured: no step was made
//
// Whatever took the most time that is not the model's is named, if it is a tenth or more. Where
// other programs kept a quarter of the cores busy or more, the line ends with that.
std::string limit_line(const Record& record);

// The word of it alone, for machines: "model", "loading", "retraces", "host", "copying", "cores",
// "nothing".
std::string limit_word(const Record& record);

}  // namespace xtts::rules
