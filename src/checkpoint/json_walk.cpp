#include "checkpoint/json_walk.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/utf8.h"

namespace myxtts::checkpoint {
namespace {

using Json = nlohmann::json;
using Kind = JsonEvent::Kind;

// SAX handler for nlohmann's parser, which keeps one bit per nesting level on the heap.
class Walker {
 public:
  Walker(std::size_t max_depth,
         const std::string& source,
         const std::function<void(const JsonEvent&)>& visit)
      : max_depth_(max_depth), source_(source), visit_(visit) {}

  bool null() { return emit(Kind::kOther); }
  bool boolean(bool /*value*/) { return emit(Kind::kOther); }
  bool number_integer(Json::number_integer_t /*value*/) { return emit(Kind::kOther); }
  bool number_unsigned(Json::number_unsigned_t value) { return emit(Kind::kCount, {}, value); }
  bool number_float(Json::number_float_t /*value*/, const Json::string_t& /*text*/) {
    return emit(Kind::kOther);
  }
  bool string(Json::string_t& text) { return emit(Kind::kText, text); }
  bool binary(Json::binary_t& /*value*/) { return emit(Kind::kOther); }

  bool start_object(std::size_t /*size*/) {
    emit(Kind::kObject);
    enter();
    array_depths_.push_back(0);
    path_.emplace_back();
    return true;
  }
  bool key(Json::string_t& name) {
    path_.back() = std::move(name);
    return true;
  }
  bool end_object() {
    --depth_;
    array_depths_.pop_back();
    path_.pop_back();
    return true;
  }
  bool start_array(std::size_t /*size*/) {
    emit(Kind::kArray);
    enter();
    ++array_depths_.back();
    return true;
  }
  bool end_array() {
    --depth_;
    --array_depths_.back();
    return true;
  }
  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) {
    throw UserError(fmt::format("{}: invalid JSON at byte {}", source_, position));
  }

 private:
  void enter() {
    ++depth_;
    require(depth_ <= max_depth_, "{}: nested deeper than {} levels", source_, max_depth_);
  }
  bool emit(Kind kind, std::string_view text = {}, std::uint64_t count = 0) {
    visit_({kind, path_, array_depths_.back(), text, count});
    return true;
  }

  std::size_t max_depth_;
  const std::string& source_;
  const std::function<void(const JsonEvent&)>& visit_;
  std::size_t depth_ = 0;
  std::vector<std::size_t> array_depths_ = {0};  // of the document, then one per open object
  std::vector<std::string> path_;
};

}  // namespace

void walk_json(std::string_view text,
               std::size_t max_depth,
               const std::string& source,
               const std::function<void(const JsonEvent&)>& visit) {
  Walker walker(max_depth, source, visit);
  Json::sax_parse(text.begin(), text.end(), &walker);
}

std::string json_string(std::string_view text) {
  invariant(base::is_utf8(text), "text written as JSON is UTF-8");
  return Json(text).dump();
}

std::string quoted_start(std::string_view text) {
  constexpr std::size_t kMaxBytes = 80;
  constexpr bool kAsciiOnly = true;
  const std::string start =
      Json(text.substr(0, kMaxBytes)).dump(-1, ' ', kAsciiOnly, Json::error_handler_t::replace);
  return text.size() <= kMaxBytes ? start : start + "...";
}

}  // namespace myxtts::checkpoint
