#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/field.h"
#include "config/resolve.h"
#include "config/yaml_tree.h"

namespace xtts::config {

// Reads one layer of the configuration (a document, all --set, all flags) over `resolved`.
//
// What is wrong is collected in `problems`, a line each, and the rest is still read: whoever mends
// a configuration sees everything at once; at 50 it gives up and throws them as UsageError. Both
// references must outlive the reader.
class LayerReader {
 public:
  LayerReader(Resolved& resolved, std::vector<std::string>& problems);

  void read_document(const YamlNode& root, const std::string& source);
  void read_set(const std::string& assignment);  // "data.batch_size=8"
  void read_flag(const Override& flag);

 private:
  struct Given {
    std::string key;    // as it was spelled
    std::string value;  // as YAML
  };

  void report(std::string problem);
  void read_section(const YamlNode& section, const std::string& source);
  void read_key(const std::string& key,
                const YamlNode& node,
                const std::string& where,
                const std::string& origin);
  void read_override(const Override& typed, const std::string& where, const std::string& origin);
  void note_given(const Field& field, const std::string& key, const std::string& where);
  bool warn_if_ignored(const std::string& key);
  const Field* find_field(const std::string& key) const;  // by its key or an alias

  Resolved& resolved_;
  std::vector<std::string>& problems_;
  const std::vector<Field> fields_;     // point into resolved_.config
  std::map<std::string, Given> given_;  // by the field's key; of this layer only
};

}  // namespace xtts::config
