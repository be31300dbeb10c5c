// YAML as far as a configuration needs it, read without trusting the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xtts::config {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxYamlDepth = 64;
inline constexpr std::size_t kMaxYamlNodes = 20'000;
inline constexpr std::size_t kMaxYamlKeyBytes = 200;
inline constexpr std::size_t kMaxYamlLineBytes = std::size_t{16} << 10U;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMap };

  Kind kind = Kind::kNull;
  std::string name;             // the key of this node, if it stands in a map
  std::string text;             // of a scalar
  bool quoted = false;          // a quoted scalar is always a string
  int line = 0;                 // 1 for the first; of a node in a map, the line of its key
  std::vector<YamlNode> items;  // of a sequence or map, in the order of the file

  std::string describe() const;  // "'abc'", "a list", "a map", "nothing"
};

// Parses one document. An empty one is kNull. Throws UsageError, with `source` and the line, on
// broken syntax and beyond the limits above; also on anchors, aliases, tags, duplicate keys, keys
// that are not scalars, a second document, and bytes that are not plain UTF-8 text.
YamlNode parse_yaml_tree(std::string_view bytes, const std::string& source);

}  // namespace xtts::config
