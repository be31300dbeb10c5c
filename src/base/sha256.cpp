#include "base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/error.h"

namespace myxtts::base {

Sha256 sha256(std::string_view bytes) {
  Sha256 digest{};
  unsigned int length = 0;
  const int ok =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  invariant(ok == 1 && length == digest.size(), "libcrypto computes SHA-256");
  return digest;
}

std::string sha256_hex(std::string_view bytes) {
  std::string hex;
  for (const std::uint8_t byte : sha256(bytes))
    hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace myxtts::base
