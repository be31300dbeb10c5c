#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "rules/record.h"

namespace xtts::rules {

inline constexpr int kRecordVersion = 1;

// {"version": 1, "settings": {...}, "machine": {...}, ...}: fields are spelled as in record.h, what
// was not measured is left out.
nlohmann::ordered_json to_json(const Record& record);

// Reads it back, to the bit. Fields that are not known are passed over, absent ones and nulls are
// "not measured". Throws UserError that names the field if a value has the wrong type, if the
// version is missing or later than ours, or if it is no JSON object at all.
Record record_of(std::string_view json);

}  // namespace xtts::rules
