#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/field.h"
#include "config/resolve.h"
#include "config/yaml_tree.h"

namespace myxtts::config {

// Reads one layer of the configuration (a document, all --set, or all flags) over `resolved`.
//
// Collects problems, one line each, and reads the rest, so that a user sees all of them at once.
// Throws UsageError with all problems when there are 50. Both references must outlive the reader.
class LayerReader {
 public:
  LayerReader(Resolved& resolved, std::vector<std::string>& problems);

  void read_document(const YamlNode& root, const std::string& source);
  void read_set(const std::string& assignment);  // "data.batch_size=8"
  void read_flag(const Override& flag);

 private:
  struct Assignment {
    std::string key;    // as spelled in the layer
    std::string value;  // as YAML
  };

  void report(std::string problem);
  void read_section(const YamlNode& section, const std::string& source);
  void read_key(const std::string& key,
                const YamlNode& node,
                const std::string& where,
                const std::string& origin);
  void read_override(const Override& given, const std::string& where, const std::string& origin);
  void record_assignment(const Field& field, const std::string& key, const std::string& where);
  bool warn_if_ignored(const std::string& key);
  const Field* find_field(const std::string& key) const;  // by key or alias

  Resolved& resolved_;
  std::vector<std::string>& problems_;
  const std::vector<Field> fields_;             // point into resolved_.config
  std::map<std::string, Assignment> assigned_;  // by field key; this layer only
};

}  // namespace myxtts::config
