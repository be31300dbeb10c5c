// Describes every configuration key: value, help, range, flag, original default.
//
// Each config struct lists its fields once, in visit_fields(); reader, writer, flags, --set, diff,
// reference page and tests iterate over the resulting list.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/config.h"

namespace myxtts::config {

// The range of a number; validate() reports values outside.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   // excludes low
  bool high_open = false;  // excludes high

  bool contains(double value) const;
  bool is_unbounded() const;
  std::string format() const;  // "in [0, 1)", "at least 1", "above 0"
};

constexpr Range at_least(double low) {
  return {.low = low};
}
constexpr Range above(double low) {
  return {.low = low, .low_open = true};
}
constexpr Range between(double low, double high) {
  return {.low = low, .high = high};
}
constexpr Range below_one() {
  return {.low = 0.0, .high = 1.0, .high_open = true};
}

// The part of the program that reads a field.
enum class ReadBy { kCorpus, kText, kAudio, kAudioOnly, kStats, kTraining, kVocoder };

// Names the commands that read a field, e.g. "corpus check, stats, train".
std::string commands_of(ReadBy reader);

struct FieldMeta {
  const char* original = nullptr;     // default of the original; nullptr: new key
  Range range = {};                   // of a number
  const char* choices = nullptr;      // "adamw|adam", for strings and lists; nullptr: any
  const char* unset = "null";         // spelling of an unset optional value
  const char* flag = nullptr;         // "--lr" or "--a,--b"; nullptr: from the name
  const char* off_flag = nullptr;     // of a switch; nullptr: "--no-" + name
  const char* placeholder = nullptr;  // "FILE", "DIR"; nullptr: from type or choices
  ReadBy read_by = ReadBy::kTraining;
};

// A pointer to the value, valid as long as its Config.
using ValueRef = std::variant<bool*,
                              int*,
                              double*,
                              std::string*,
                              std::optional<bool>*,
                              std::optional<int>*,
                              std::optional<double>*,
                              std::optional<std::string>*,
                              std::vector<std::string>*>;

struct Field {
  std::string section, name;
  ValueRef value;
  std::string help;  // one line
  FieldMeta meta;

  std::string key() const { return section + "." + name; }
  std::string type() const;         // "integer", "integer or auto", "list of strings"
  std::string placeholder() const;  // for --help: "N", "X", "FILE", "tiny|small|normal|big"
  bool is_switch() const;           // a bool, possibly optional
  bool is_text() const;             // a string, possibly optional
  std::string flags() const;        // "--batch-size", "--prefetch-to-gpu"
  std::string off_flags() const;    // "--no-prefetch-to-gpu"; empty for other types
  std::vector<std::string> choices() const;
};

// Collects the fields of one section. visit_fields() calls it once per field.
class FieldVisitor {
 public:
  FieldVisitor(std::string section, std::vector<Field>& fields)
      : section_(std::move(section)), fields_(fields) {}

  template <typename Value>
  void operator()(const char* name, Value& value, const char* help, FieldMeta meta) {
    fields_.push_back(Field{section_, name, ValueRef(&value), help, meta});
  }

 private:
  std::string section_;
  std::vector<Field>& fields_;
};

// Returns all fields by section, in the order of the structs. They point into `config`.
std::vector<Field> fields_of(Config& config);

}  // namespace myxtts::config
