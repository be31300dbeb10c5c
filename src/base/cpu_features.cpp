#include "base/cpu_features.h"

#include <algorithm>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace myxtts::base {
namespace {

struct Feature {
  const char* name;
  bool present;
};

#if defined(__x86_64__)

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Registers cpuid(unsigned leaf, unsigned subleaf) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

bool bit(unsigned word, unsigned position) {
  return ((word >> position) & 1U) != 0;
}

// Returns XCR0, the register states that the operating system saves on a task switch. Instructions
// fault without theirs: 2 XMM, 4 YMM, 0xe0 the three parts of AVX-512, 0x60000 the tiles.
unsigned saved_states() {
  if (!bit(cpuid(1, 0).ecx, 27)) return 0;  // OSXSAVE
  unsigned low = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

bool reports_tiles() {
  return (saved_states() & 0x60000U) == 0x60000U && bit(cpuid(7, 0).edx, 24);
}

bool lists_palettes() {
  return cpuid(0x1d, 0).eax > 0;
}

std::vector<Feature> all_features() {
  const Registers basic = cpuid(1, 0);
  const Registers extended = cpuid(7, 0);
  const Registers further = cpuid(7, 1);
  const unsigned saved = saved_states();
  const bool ymm = (saved & 0x6U) == 0x6U;
  const bool zmm = (saved & 0xe6U) == 0xe6U;
  const bool tiles = reports_tiles() && lists_palettes();
  return {
      {"sse4_2", bit(basic.ecx, 20)},
      {"avx2", ymm && bit(extended.ebx, 5)},
      {"fma", ymm && bit(basic.ecx, 12)},
      {"avx512f", zmm && bit(extended.ebx, 16)},
      {"avx512_bf16", zmm && bit(further.eax, 5)},
      {"avx512_fp16", zmm && bit(extended.edx, 23)},
      {"amx_bf16", tiles && bit(extended.edx, 22)},
  };
}

#elif defined(__aarch64__)

std::vector<Feature> all_features() {
  const unsigned long first = getauxval(AT_HWCAP);
  const unsigned long second = getauxval(AT_HWCAP2);
  return {
      {"neon", (first & HWCAP_ASIMD) != 0},
      {"bf16", (second & HWCAP2_BF16) != 0},
      {"sve", (first & HWCAP_SVE) != 0},
  };
}

#else

std::vector<Feature> all_features() {
  return {};
}

#endif

}  // namespace

std::vector<std::string> cpu_features() {
  std::vector<std::string> names;
  for (const Feature& feature : all_features()) {
    if (feature.present) names.emplace_back(feature.name);
  }
  return names;
}

bool has_unlisted_tiles() {
#if defined(__x86_64__)
  return reports_tiles() && !lists_palettes();
#else
  return false;
#endif
}

bool has_refused_tiles() {
#if defined(__x86_64__)
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return reports_tiles() && lists_palettes() &&
         ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) != 0;
#else
  return false;
#endif
}

bool has_bf16(std::span<const std::string> features) {
  return std::ranges::any_of(features, [](const std::string& feature) {
    return feature == "avx512_bf16" || feature == "amx_bf16" || feature == "bf16";
  });
}

std::string_view architecture() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

}  // namespace myxtts::base
