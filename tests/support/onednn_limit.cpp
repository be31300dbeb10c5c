// Sets the oneDNN limit that the program sets before loading LibTorch. Linked into every test
// program that uses LibTorch.
#include "base/onednn_limit.h"

namespace {

[[maybe_unused]] const bool kIsLimited = (myxtts::base::limit_onednn(), true);

}  // namespace
