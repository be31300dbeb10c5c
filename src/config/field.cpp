#include "config/field.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

namespace myxtts::config {
namespace {

template <typename... Types>
bool is_one_of(const ValueRef& value) {
  return (std::holds_alternative<Types>(value) || ...);
}

std::string with_dashes(const std::string& name) {
  std::string flag = name;
  std::ranges::replace(flag, '_', '-');
  return flag;
}

}  // namespace

bool Range::contains(double value) const {
  return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

bool Range::is_unbounded() const {
  return std::isinf(low) && std::isinf(high);
}

std::string Range::format() const {
  if (std::isinf(high)) return fmt::format("{} {}", low_open ? "above" : "at least", low);
  return fmt::format("in {}{}, {}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
}

std::string commands_of(ReadBy reader) {
  switch (reader) {
    case ReadBy::kCorpus:
      return "corpus check, stats, train";
    case ReadBy::kText:
      return "text, corpus check, stats, train, speak";
    case ReadBy::kAudio:
      return "audio, corpus check, stats, train";
    case ReadBy::kAudioOnly:
      return "audio, train";
    case ReadBy::kStats:
      return "stats, train";
    case ReadBy::kTraining:
      return "train";
    case ReadBy::kVocoder:
      return "train-vocoder";
  }
  return "";
}

std::string Field::type() const {
  struct Name {
    std::string operator()(const bool*) const { return "true or false"; }
    std::string operator()(const int*) const { return "integer"; }
    std::string operator()(const double*) const { return "number"; }
    std::string operator()(const std::string*) const { return "string"; }
    std::string operator()(const std::vector<std::string>*) const { return "list of strings"; }
    std::string operator()(const std::optional<bool>*) const { return or_unset("true, false"); }
    std::string operator()(const std::optional<int>*) const { return or_unset("integer"); }
    std::string operator()(const std::optional<double>*) const { return or_unset("number"); }
    std::string operator()(const std::optional<std::string>*) const { return or_unset("string"); }
    std::string or_unset(const char* type) const { return fmt::format("{} or {}", type, unset); }
    const char* unset;
  };
  return std::visit(Name{meta.unset}, value);
}

std::string Field::placeholder() const {
  if (meta.placeholder != nullptr) return meta.placeholder;
  if (is_one_of<std::vector<std::string>*>(value)) return "LIST";
  if (meta.choices != nullptr) return meta.choices;
  if (is_one_of<int*, std::optional<int>*>(value)) return "N";
  if (is_one_of<double*, std::optional<double>*>(value)) return "X";
  return "TEXT";
}

bool Field::is_switch() const {
  return is_one_of<bool*, std::optional<bool>*>(value);
}

bool Field::is_text() const {
  return is_one_of<std::string*, std::optional<std::string>*>(value);
}

std::string Field::flags() const {
  return meta.flag != nullptr ? std::string(meta.flag) : "--" + with_dashes(name);
}

std::string Field::off_flags() const {
  if (!is_switch()) return "";
  return meta.off_flag != nullptr ? std::string(meta.off_flag) : "--no-" + with_dashes(name);
}

std::vector<std::string> Field::choices() const {
  std::vector<std::string> names;
  if (meta.choices == nullptr) return names;
  std::istringstream all(meta.choices);
  for (std::string one; std::getline(all, one, '|');)
    names.push_back(one);
  return names;
}

std::vector<Field> fields_of(Config& config) {
  std::vector<Field> fields;
  FieldVisitor data("data", fields);
  visit_fields(config.data, data);
  FieldVisitor model("model", fields);
  visit_fields(config.model, model);
  FieldVisitor training("training", fields);
  visit_fields(config.training, training);
  return fields;
}

}  // namespace myxtts::config
