#include "rules/record_json.h"

#include <string>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "rules/record_fields.h"

namespace myxtts::rules {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
concept HasFields = requires(T& value) {
  visit_fields(value, [](const char*, auto&) {});
};

Json json_of(const HasFields auto& value);

Json json_of(const auto& value) requires(!HasFields<std::remove_cvref_t<decltype(value)>>) {
  return value;
}

template <typename T>
Json json_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values)
    list.push_back(json_of(value));
  return list;
}

// Writes only fields that have a value.
struct FieldWriter {
  Json& object;

  template <typename T>
  void operator()(const char* name, const std::optional<T>& value) const {
    if (value) object[name] = *value;
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>& values) const {
    if (!values.empty()) object[name] = json_of(values);
  }
  void operator()(const char* name, const std::string& value) const {
    if (!value.empty()) object[name] = value;
  }
  void operator()(const char* name, const auto& value) const {
    Json inner = json_of(value);
    if (!inner.is_object() || !inner.empty()) object[name] = std::move(inner);
  }
};

Json json_of(const HasFields auto& value) {
  Json object = Json::object();
  visit_fields(value, FieldWriter{object});
  return object;
}

bool fits(const Json& value, const std::string& /*as*/) {
  return value.is_string();
}
bool fits(const Json& value, bool /*as*/) {
  return value.is_boolean();
}
bool fits(const Json& value, double /*as*/) {
  return value.is_number();
}
bool fits(const Json& value, std::int64_t /*as*/) {
  return value.is_number_integer();
}

// Reads the fields that are present; `prefix` is the path of the object for error messages.
struct FieldReader {
  const Json& object;
  const std::string& prefix;

  void operator()(const char* name, auto& value) const {
    const auto found = object.find(name);
    if (found != object.end() && !found->is_null()) read(*found, prefix + name, value);
  }

  template <typename T>
  static void read(const Json& json, const std::string& name, T& value) {
    if constexpr (HasFields<T>) {
      require(json.is_object(), "record field {} is not an object: {}", name, json.dump());
      const std::string inner = name + ".";
      visit_fields(value, FieldReader{json, inner});
    } else {
      require(fits(json, value), "record field {} has the wrong type: {}", name, json.dump());
      value = json.get<T>();
    }
  }
  template <typename T>
  static void read(const Json& json, const std::string& name, std::optional<T>& value) {
    read(json, name, value.emplace());
  }
  template <typename T>
  static void read(const Json& json, const std::string& name, std::vector<T>& values) {
    require(json.is_array(), "record field {} is not a list: {}", name, json.dump());
    values.clear();
    for (const Json& item : json) {
      values.push_back({});
      read(item, name, values.back());
    }
  }
};

}  // namespace

nlohmann::ordered_json to_json(const Record& record) {
  Json json = {{"version", kRecordVersion}};
  json.update(json_of(record));
  return json;
}

Record record_of(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  require(parsed.is_object(), "the record is not a JSON object");
  const auto version = parsed.find("version");
  require(version != parsed.end() && version->is_number_integer(),
          "the record has no integer \"version\": it is not a diagnose record");
  require(version->get<std::int64_t>() <= kRecordVersion,
          "the record has version {}, this program reads up to version {}: update the program",
          version->dump(),
          kRecordVersion);
  Record record;
  const std::string top;
  visit_fields(record, FieldReader{parsed, top});
  return record;
}

}  // namespace myxtts::rules
