#include "cli/torch_library.h"

#include <string_view>

#include <dlfcn.h>

#include "base/error.h"
#include "base/version.h"

namespace myxtts::cli {
namespace {

const api::TorchCommands& load() {
  // Never closed: LibTorch's registrations cannot be undone.
  void* library = dlopen("libmyxtts.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw UserError(fmt::format("cannot load libmyxtts.so.0: {}; rebuild with: make build",
                                reason == nullptr ? "unknown reason" : reason));
  }
  using Entry = decltype(&myxtts_torch_commands);
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "myxtts_torch_commands"));
  require(entry != nullptr, "libmyxtts.so.0 is of another build; rebuild with: make build");
  const api::TorchCommands& commands = *entry();
  require(std::string_view(commands.version) == base::version(),
          "libmyxtts.so.0 has version {}, expected {}; rebuild or reinstall both",
          commands.version,
          base::version());
  return commands;
}

}  // namespace

bool has_torch_commands() {
  return !base::libtorch_version().empty();
}

const api::TorchCommands& torch_commands(int num_threads) {
  require(has_torch_commands(),
          "this command needs LibTorch, and this build has none; rebuild with: make build");
  static const api::TorchCommands& commands = load();
  commands.set_num_threads(num_threads);
  return commands;
}

}  // namespace myxtts::cli
