// One value of the configuration, from text and back.
#pragma once

#include <optional>
#include <string>

#include "config/field.h"
#include "config/yaml_tree.h"

namespace xtts::config {

// Sets the field. Returns what is wrong, e.g. "expected an integer, found 'abc'", and leaves the
// value as it was; nothing when all is well. Knows types only, not ranges or choices.
std::optional<std::string> assign(const Field& field, const YamlNode& node);

// The node that a value typed on the command line stands for. A text is taken as it is; a list is
// YAML, [a, b], or else one item. Throws UsageError, naming `source`, on broken YAML.
YamlNode node_from_argument(const Field& field,
                            const std::string& argument,
                            const std::string& source);

// The value as YAML. assign() of it gives the same bits back.
std::string to_yaml(const Field& field);

// A string as a YAML scalar, quoted where it must be.
std::string yaml_string(const std::string& text);

}  // namespace xtts::config
