#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace myxtts::fuzz {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

// Returns a random offset. Half of the mutations hit the first 64 bytes, because headers matter
// most.
std::size_t random_offset(const std::string& bytes, base::Random& random) {
  const std::size_t reach =
      random.below(2) == 0 ? std::min<std::size_t>(64, bytes.size()) : bytes.size();
  return random.below(reach);
}

void overwrite(std::string& bytes, std::size_t at, const void* value, std::size_t size) {
  std::memcpy(bytes.data() + at, value, std::min(size, bytes.size() - at));
}

void overwrite_integer(std::string& bytes, base::Random& random) {
  constexpr std::array<std::uint32_t, 10> kExtremes = {
      0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
  const std::uint32_t value = kExtremes[random.below(kExtremes.size())];
  overwrite(bytes, random_offset(bytes, random), &value, std::size_t{1} << random.below(3));
}

void overwrite_character(std::string& bytes, base::Random& random) {
  using namespace std::string_view_literals;  // string_view literals keep the NUL
  constexpr std::string_view kHostile = "|\"'\\,\n\r\0{}[]:&*-\xFF\xC0 ./"sv;
  bytes[random_offset(bytes, random)] = kHostile[random.below(kHostile.size())];
}

void repeat_range(std::string& bytes, base::Random& random) {
  const std::size_t at = random_offset(bytes, random);
  const std::string range = bytes.substr(at, 1 + random.below(64));
  const std::size_t times = 1 + random.below(random.below(8) == 0 ? 4000 : 8);
  std::string inserted;
  for (std::size_t i = 0; i < times && inserted.size() < kMaxBytes; ++i)
    inserted += range;
  bytes.insert(at, inserted);
}

void mutate_once(std::string& bytes, const std::vector<std::string>& seeds, base::Random& random) {
  if (bytes.empty()) bytes.push_back('\0');
  switch (random.below(9)) {
    case 0: {
      char& byte = bytes[random_offset(bytes, random)];
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << random.below(8)));
    } break;
    case 1:
      bytes[random_offset(bytes, random)] = static_cast<char>(random.below(256));
      break;
    case 2:
      overwrite_integer(bytes, random);
      break;
    case 3:
      overwrite_character(bytes, random);
      break;
    case 4:
      bytes.resize(random.below(bytes.size() + 1));
      break;
    case 5:
      bytes.erase(random_offset(bytes, random), 1 + random.below(32));
      break;
    case 6:
      repeat_range(bytes, random);
      break;
    case 7: {
      const std::string& other = seeds[random.below(seeds.size())];
      bytes.insert(random_offset(bytes, random), other.substr(random.below(other.size() + 1), 256));
      break;
    }
    default: {
      const std::size_t from = random_offset(bytes, random);
      const std::size_t to = random_offset(bytes, random);
      std::swap(bytes[from], bytes[to]);
    }
  }
}

}  // namespace

std::string mutate(const std::vector<std::string>& seeds, base::Random& random) {
  std::string bytes = seeds[random.below(seeds.size())];
  const std::size_t num_mutations = 1 + random.below(8);
  for (std::size_t i = 0; i < num_mutations; ++i)
    mutate_once(bytes, seeds, random);
  if (bytes.size() > kMaxBytes) bytes.resize(kMaxBytes);
  return bytes;
}

}  // namespace myxtts::fuzz
