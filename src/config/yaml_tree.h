// Parses the YAML subset of configuration files within strict limits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace myxtts::config {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxYamlDepth = 64;
inline constexpr std::size_t kMaxYamlNodes = 20'000;
inline constexpr std::size_t kMaxYamlKeyBytes = 200;
inline constexpr std::size_t kMaxYamlLineBytes = std::size_t{16} << 10U;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMap };

  Kind kind = Kind::kNull;
  std::string name;             // key of this node in a map
  std::string text;             // value of a scalar
  bool quoted = false;          // quoted scalars are always strings
  int line = 0;                 // from 1; in a map, the line of the key
  std::vector<YamlNode> items;  // of a sequence or map, in file order

  std::string format() const;  // for messages: "'abc'", "a list", "a map", "nothing"
};

// Parses one document; an empty document gives kNull. Throws UsageError with `source` and line on
// invalid syntax, beyond the limits above, and on anchors, aliases, tags, duplicate keys,
// non-scalar keys, a second document, control characters and bytes that are not UTF-8.
YamlNode parse_yaml_tree(std::string_view bytes, const std::string& source);

}  // namespace myxtts::config
