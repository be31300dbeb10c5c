#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "rules/record.h"

namespace myxtts::rules {

// Reads and writes records as JSON.
inline constexpr int kRecordVersion = 1;

// Returns {"version": 1, "settings": {...}, "machine": {...}, ...}. Fields are spelled as in
// record.h; values that were not measured are omitted.
nlohmann::ordered_json to_json(const Record& record);

// Reads the JSON of to_json() bit-exactly. Ignores unknown fields; absent fields and nulls are "not
// measured". Throws UserError if the text is not a JSON object, if the version is missing or newer
// than kRecordVersion, or if a value has the wrong type (the message names the field).
Record record_of(std::string_view json);

}  // namespace myxtts::rules
