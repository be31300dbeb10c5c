#include "corpus/json_row.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace myxtts::corpus {
namespace {

constexpr int kMaxRowDepth = 16;

// SAX handler that collects the members of the outermost object. Returning false stops the parser.
class MemberCollector : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return depth_ > 0 || refuse("not an object"); }
  bool boolean(bool value) override { return keep(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return keep(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return keep(std::to_string(value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override { return keep(text); }
  bool string(string_t& value) override { return keep(value); }
  bool binary(binary_t& /*value*/) override { return refuse("binary"); }
  bool start_object(std::size_t /*size*/) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t /*size*/) override { return depth_ > 0 ? enter() : keep(""); }
  bool end_array() override { return leave(); }

  bool key(string_t& value) override {
    if (depth_ == 1) key_ = value;
    return true;
  }

  bool parse_error(std::size_t position,
                   const std::string& /*last_token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return refuse(fmt::format("invalid JSON at byte {}", position));
  }

  JsonRow take() { return std::move(row_); }

 private:
  bool keep(const std::string& value) {
    if (depth_ == 0) return refuse("not an object");
    if (depth_ == 1) row_.members[key_] = value;
    return true;
  }

  bool enter() {
    ++depth_;
    return depth_ <= kMaxRowDepth ||
           refuse(fmt::format("nested deeper than {} levels", kMaxRowDepth));
  }

  bool leave() {
    --depth_;
    return true;
  }

  bool refuse(std::string fault) {
    if (row_.fault.empty()) row_.fault = std::move(fault);
    return false;
  }

  JsonRow row_;
  std::string key_;
  int depth_ = 0;
};

}  // namespace

JsonRow parse_json_row(std::string_view line) {
  MemberCollector collector;
  nlohmann::json::sax_parse(line.begin(), line.end(), &collector);
  return collector.take();
}

}  // namespace myxtts::corpus
