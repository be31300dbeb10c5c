#include "fuzz/allocation_watch.h"

#include <atomic>
#include <stdexcept>

#ifdef __SANITIZE_ADDRESS__
// Declarations of the sanitizer runtime; g++ ships the library without this header.
extern "C" {
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                              void (*on_free)(const volatile void*));
std::size_t __sanitizer_get_allocated_size(const volatile void* pointer);

// libsndfile 1.2 leaks libvorbis' tables if a Vorbis header is broken.
const char* __lsan_default_suppressions() {
  return "leak:vorbis_info_init\n";
}
}
#endif

namespace myxtts::fuzz {
namespace {

std::atomic<std::ptrdiff_t> held_bytes{0};
std::atomic<std::ptrdiff_t> peak_held_bytes{0};

#ifdef __SANITIZE_ADDRESS__
void on_malloc(const volatile void* /*pointer*/, std::size_t size) {
  const std::ptrdiff_t now = held_bytes += static_cast<std::ptrdiff_t>(size);
  if (now > peak_held_bytes) peak_held_bytes = now;
}

void on_free(const volatile void* pointer) {
  if (pointer == nullptr) return;
  held_bytes -= static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(pointer));
}
#endif

}  // namespace

void start_watching_allocations() {
#ifdef __SANITIZE_ADDRESS__
  if (__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0) return;
#endif
  throw std::runtime_error("cannot count allocations: build with the preset 'asan'");
}

void reset_peak() {
  held_bytes = 0;
  peak_held_bytes = 0;
}

std::size_t peak_bytes() {
  return static_cast<std::size_t>(peak_held_bytes.load());
}

}  // namespace myxtts::fuzz
