#include "cli/torch_library.h"

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

namespace myxtts::cli {
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

[[noreturn]] void restart_process() {
  std::vector<std::string> arguments = own_arguments();
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv("/proc/self/exe", pointers.data());
  throw UserError(fmt::format("cannot restart the process: {}", strerror(errno)));
}

// Waiting OpenMP threads spin briefly, because the next operator usually follows within a fraction
// of a millisecond, and then sleep, because a spinning thread would take the core of a loader
// thread.
constexpr const char* kSpinsBeforeSleep = "10000";

void configure_openmp(int num_threads) {
  const bool is_configured =
      std::getenv("OMP_NUM_THREADS") != nullptr && std::getenv("OMP_WAIT_POLICY") != nullptr;
  if (is_configured) return;
  setenv("OMP_NUM_THREADS", std::to_string(num_threads).c_str(), /*overwrite=*/0);
  if (std::getenv("OMP_WAIT_POLICY") == nullptr)
    setenv("GOMP_SPINCOUNT", kSpinsBeforeSleep, /*overwrite=*/0);
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
  restart_process();
}

const TorchCommands& load() {
  // Never closed: LibTorch's registrations cannot be undone.
  void* library = dlopen("libmyxtts_torch.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw UserError(fmt::format("cannot load libmyxtts_torch.so: {}; rebuild with: make build",
                                reason == nullptr ? "unknown reason" : reason));
  }
  using Entry = decltype(&myxtts_torch_commands);
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "myxtts_torch_commands"));
  require(entry != nullptr, "libmyxtts_torch.so is of another build; rebuild with: make build");
  const TorchCommands& commands = *entry();
  require(std::string_view(commands.version) == base::version(),
          "libmyxtts_torch.so has version {}, expected {}; rebuild or reinstall both",
          commands.version,
          base::version());
  return commands;
}

}  // namespace

void restart_with(const char* variable, const char* value) {
  if (std::getenv(variable) != nullptr) return;
  setenv(variable, value, /*overwrite=*/0);
  restart_process();
}

bool has_torch_commands() {
  return !base::libtorch_version().empty();
}

const TorchCommands& torch_commands(int num_threads) {
  require(has_torch_commands(),
          "this command needs LibTorch, and this build has none; rebuild with: make build");
  base::limit_onednn();
  configure_openmp(num_threads);
  static const TorchCommands& commands = load();
  return commands;
}

}  // namespace myxtts::cli
