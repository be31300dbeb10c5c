#include "cli/tensor_library.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <unistd.h>

#include "base/error.h"
#include "base/onednn_limit.h"
#include "base/version.h"

namespace xtts::cli {
namespace {

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> arguments;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = bytes.find('\0', begin);
    arguments.push_back(bytes.substr(begin, end - begin));
    begin = end == std::string::npos ? bytes.size() : end + 1;
  }
  return arguments;
}

[[noreturn]] void start_anew() {
  std::vector<std::string> arguments = own_arguments();
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv("/proc/self/exe", pointers.data());
  throw UserError(fmt::format("the program could not start itself anew: {}", strerror(errno)));
}

// A waiting thread sleeps: one that spins would take the core of a loader thread. But not at once:
// the next operator mostly comes within a fraction of a millisecond, and waking takes time.
constexpr const char* kTurnsBeforeSleep = "10000";

void settle_openmp(int num_threads) {
  const bool settled =
      std::getenv("OMP_NUM_THREADS") != nullptr && std::getenv("OMP_WAIT_POLICY") != nullptr;
  if (settled) return;
  setenv("OMP_NUM_THREADS", std::to_string(num_threads).c_str(), /*overwrite=*/0);
  if (std::getenv("OMP_WAIT_POLICY") == nullptr)
    setenv("GOMP_SPINCOUNT", kTurnsBeforeSleep, /*overwrite=*/0);
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  start_anew();
}

const TensorVerbs& load() {
  // Never closed: what LibTorch has registered cannot be taken back.
  void* library = dlopen("libmyxtts_torch.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* words = dlerror();
    throw UserError(
        fmt::format("the tensor library could not be loaded: {}; build it again with: "
                    "make build",
                    words == nullptr ? "unknown reason" : words));
  }
  using Entry = decltype(&myxtts_tensor_verbs);
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "myxtts_tensor_verbs"));
  require(entry != nullptr, "libmyxtts_torch.so is from another build; run: make build");
  const TensorVerbs& verbs = *entry();
  require(std::string_view(verbs.version) == base::version(),
          "libmyxtts_torch.so is version {}, this program {}; build or install both again",
          verbs.version,
          base::version());
  return verbs;
}

}  // namespace

void start_anew_with(const char* variable, const char* value) {
  if (std::getenv(variable) != nullptr) return;
  setenv(variable, value, /*overwrite=*/0);
  start_anew();
}

bool has_tensor_verbs() {
  return !base::libtorch_version().empty();
}

const TensorVerbs& tensor_verbs(int num_threads) {
  require(has_tensor_verbs(),
          "this build is without LibTorch, which this verb needs; build with: make build");
  base::limit_onednn();
  settle_openmp(num_threads);
  static const TensorVerbs& verbs = load();
  return verbs;
}

}  // namespace xtts::cli
