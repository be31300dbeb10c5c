// What the program knows about one key of the configuration, without knowing its struct.
//
// Each config struct lists its fields once, in visit_fields(); every other part (reader, writer,
// flags, --set, diff, reference page, tests) walks the list that comes out of it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/config.h"

namespace xtts::config {

// The values a number may take. Outside is a contradiction that validate() reports.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   // low itself is refused
  bool high_open = false;  // high itself is refused

  bool contains(double value) const;
  bool is_everything() const;
  std::string describe() const;  // "in [0, 1)", "at least 1", "above 0"
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

// The part of the program that acts on a field.
enum class ReadBy { kCorpus, kText, kAudio, kAudioAlone, kStats, kTraining, kVocoder };

// The verbs, e.g. "corpus check, stats, train".
std::string describe(ReadBy reader);

struct FieldMeta {
  const char* original = nullptr;  // the original's default; nullptr: the original has no such key
  Range range = {};                // for numbers, and for each number of a list
  const char* choices = nullptr;   // "adamw|adam": the only words, alone or in a list; nullptr: any
  const char* unset = "null";      // how the absence of an optional value is written
  const char* flag = nullptr;      // "--lr", or several: "--a,--b"; nullptr: from the name
  const char* off_flag = nullptr;  // for switches: turns it off; nullptr: "--no-" + name
  ReadBy read_by = ReadBy::kTraining;
};

// A borrowed value: it lives as long as the Config it was taken from.
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
  std::string type() const;       // "integer", "integer or auto", "list of strings"
  bool is_switch() const;         // true or false, perhaps unset
  bool is_text() const;           // one string, perhaps unset
  std::string flags() const;      // "--batch-size", "--prefetch-to-gpu"
  std::string off_flags() const;  // "--no-prefetch-to-gpu"; empty unless a switch
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

// All fields, section by section, in the order of the structs. They point into `config`.
std::vector<Field> fields_of(Config& config);

}  // namespace xtts::config
