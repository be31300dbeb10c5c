// Part of every test program that computes with LibTorch: the limit that the program sets before it
// loads LibTorch.
#include "base/onednn_limit.h"

namespace {

[[maybe_unused]] const bool kIsLimited = (xtts::base::limit_onednn(), true);

}  // namespace
