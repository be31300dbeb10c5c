// Converts one configuration value from YAML or the command line, and to YAML.
#pragma once

#include <optional>
#include <string>

#include "config/field.h"
#include "config/yaml_tree.h"

namespace myxtts::config {

// Sets the field. On a wrong type returns a message such as "expected integer, found 'abc'" and
// keeps the old value. Does not check ranges or choices.
std::optional<std::string> assign(const Field& field, const YamlNode& node);

// Converts a command-line argument to a node. Text is taken literally; a list is YAML, [a, b], or a
// single item. Throws UsageError that names `source` on invalid YAML.
YamlNode node_from_argument(const Field& field,
                            const std::string& argument,
                            const std::string& source);

// Returns the value as YAML; assign() restores the same bits from it.
std::string to_yaml(const Field& field);

// Returns a string as a YAML scalar, quoted if necessary.
std::string yaml_string(const std::string& text);

}  // namespace myxtts::config
