#include "checkpoint/tensor_header.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "checkpoint/json_walk.h"

namespace myxtts::checkpoint {
namespace {

using Kind = JsonEvent::Kind;

constexpr std::string_view kMetadataName = "__metadata__";
constexpr std::size_t kMaxHeaderDepth = 4;

std::optional<DType> dtype_of(std::string_view name) {
  for (const DType dtype : kAllDTypes) {
    if (name_of(dtype) == name) return dtype;
  }
  return std::nullopt;
}

class HeaderReader {
 public:
  HeaderReader(const std::string& source, std::size_t max_tensors)
      : source_(source), max_tensors_(max_tensors) {}

  void on_event(const JsonEvent& event) {
    switch (event.path.size()) {
      case 0:
        return expect(event.kind == Kind::kObject, "the header is not a JSON object");
      case 1:
        return begin_entry(event);
      case 2:
        return in_metadata_ ? read_metadata(event) : read_field(event);
      default:
        return expect(false, "the header is nested too deeply");
    }
  }

  TensorHeader finish() {
    finish_tensor();
    require_unique_names();
    return std::move(header_);
  }

 private:
  // Fields of the current tensor that have been read.
  struct SeenFields {
    bool dtype = false;
    bool shape = false;
    bool offsets = false;
    int num_offsets = 0;
  };

  void expect(bool ok, std::string_view fault) const { require(ok, "{}: {}", source_, fault); }

  void expect_in_tensor(bool ok, std::string_view fault) const {
    require(ok, "{}: tensor {}: {}", source_, quoted_start(header_.tensors.back().name), fault);
  }

  void begin_entry(const JsonEvent& event) {
    finish_tensor();
    const std::string& name = event.path[0];
    expect(event.kind == Kind::kObject && event.array_depth == 0,
           "the header has an entry that is not a tensor");
    in_metadata_ = name == kMetadataName;
    if (in_metadata_) {
      expect(!std::exchange(had_metadata_, true), "__metadata__ appears twice");
      return;
    }
    require(
        header_.tensors.size() < max_tensors_, "{}: more than {} tensors", source_, max_tensors_);
    header_.tensors.emplace_back();
    header_.tensors.back().name = name;
    seen_ = SeenFields{};
    in_tensor_ = true;
  }

  void read_metadata(const JsonEvent& event) {
    expect(event.kind == Kind::kText && event.array_depth == 0,
           "__metadata__ has a value that is not a string");
    const bool added = header_.metadata.emplace(event.path[1], event.text).second;
    expect(added, "__metadata__ has a duplicate key");
  }

  void read_field(const JsonEvent& event) {
    const std::string& field = event.path[1];
    if (field == "dtype") {
      read_dtype(event);
    } else if (field == "shape") {
      read_shape(event);
    } else if (field == "data_offsets") {
      read_offset(event);
    } else {
      expect_in_tensor(false, "has a field other than dtype, shape and data_offsets");
    }
  }

  void read_dtype(const JsonEvent& event) {
    expect_in_tensor(event.kind == Kind::kText && event.array_depth == 0, "dtype is not a string");
    expect_in_tensor(!std::exchange(seen_.dtype, true), "dtype appears twice");
    const std::optional<DType> dtype = dtype_of(event.text);
    expect_in_tensor(dtype.has_value(), "unknown dtype " + quoted_start(event.text));
    header_.tensors.back().dtype = *dtype;
  }

  void read_shape(const JsonEvent& event) {
    if (begins_list(event, seen_.shape)) return;
    std::vector<std::int64_t>& shape = header_.tensors.back().shape;
    expect_in_tensor(event.count <= std::numeric_limits<std::int64_t>::max(), "shape is too large");
    expect_in_tensor(shape.size() < kMaxDimensions, "has more than 64 dimensions");
    shape.push_back(static_cast<std::int64_t>(event.count));
  }

  void read_offset(const JsonEvent& event) {
    if (begins_list(event, seen_.offsets)) return;
    TensorEntry& tensor = header_.tensors.back();
    expect_in_tensor(seen_.num_offsets < 2, "has more than two data_offsets");
    (seen_.num_offsets == 0 ? tensor.begin : tensor.end) = event.count;
    ++seen_.num_offsets;
  }

  // Returns true at the begin of a list, false at an integer in it. Throws for anything else.
  bool begins_list(const JsonEvent& event, bool& seen) const {
    const std::string& field = event.path[1];
    if (event.kind == Kind::kArray && event.array_depth == 0) {
      expect_in_tensor(!std::exchange(seen, true), field + " appears twice");
      return true;
    }
    expect_in_tensor(event.kind == Kind::kCount && event.array_depth == 1,
                     field + " is not a list of non-negative integers");
    return false;
  }

  void finish_tensor() {
    if (!std::exchange(in_tensor_, false)) return;
    expect_in_tensor(seen_.dtype && seen_.shape && seen_.num_offsets == 2,
                     "dtype, shape or two data_offsets are missing");
    header_.tensors.back().shape.shrink_to_fit();  // untrusted files may have a million tensors
  }

  void require_unique_names() const {
    std::vector<std::string_view> names;
    names.reserve(header_.tensors.size());
    for (const TensorEntry& tensor : header_.tensors)
      names.push_back(tensor.name);
    std::ranges::sort(names);
    const auto duplicate = std::ranges::adjacent_find(names);
    if (duplicate == names.end()) return;
    throw UserError(fmt::format("{}: tensor {} appears twice", source_, quoted_start(*duplicate)));
  }

  const std::string& source_;
  std::size_t max_tensors_;
  TensorHeader header_;
  SeenFields seen_;
  bool in_tensor_ = false;
  bool in_metadata_ = false;
  bool had_metadata_ = false;
};

}  // namespace

TensorHeader parse_tensor_header(std::string_view json,
                                 const std::string& source,
                                 std::size_t max_tensors) {
  // The format requires '{' as the first byte of the header.
  require(json.starts_with('{'), "{}: the header does not begin with {{", source);
  HeaderReader reader(source, max_tensors);
  walk_json(json, kMaxHeaderDepth, source, [&](const JsonEvent& event) { reader.on_event(event); });
  return reader.finish();
}

}  // namespace myxtts::checkpoint
