#include "base/sha256.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/error.h"

namespace xtts::base {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  const int ok =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  invariant(ok == 1 && length == 32, "libcrypto computes SHA-256");

  std::string hex;
  for (unsigned int i = 0; i < length; ++i)
    hex += fmt::format("{:02x}", digest.at(i));
  return hex;
}

}  // namespace xtts::base
