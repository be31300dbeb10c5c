#include "data/signature.h"

#include <initializer_list>

namespace myxtts::data {

std::string name_of(const Signature& signature) {
  std::string name;
  for (const std::int64_t size :
       {signature.batch, signature.text, signature.mel, signature.samples}) {
    if (size == 0) continue;
    if (!name.empty()) name += 'x';
    name += std::to_string(size);
  }
  return name;
}

}  // namespace myxtts::data
