#include "checkpoint/tensor_header.h"

#include <string>

#include <gtest/gtest.h>

#include "base/error.h"

namespace myxtts::checkpoint {
namespace {

std::string header_error(const std::string& json) {
  try {
    parse_tensor_header(json, "a");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

void expect_header_refused(const std::string& json, const std::string& message) {
  const std::string reason = header_error(json);
  EXPECT_NE(reason.find(message), std::string::npos) << json.substr(0, 200) << "\n" << reason;
}

// Returns {"a": {...}} with the given fields.
std::string tensor(const std::string& fields) {
  return "{\"a\":{" + fields + "}}";
}

constexpr const char* kGood = R"("dtype":"F32","shape":[2,3],"data_offsets":[8,32])";

TEST(TensorHeader, ReadsNamesTypesShapesOffsetsAndMetadata) {
  const TensorHeader header = parse_tensor_header(
      R"({"__metadata__":{"a":"b"},"x":{"shape":[2,3],"data_offsets":[8,32],"dtype":"BF16"}}   )",
      "a");

  ASSERT_EQ(header.tensors.size(), 1U);
  const TensorEntry& tensor = header.tensors[0];
  EXPECT_EQ(tensor.name, "x");
  EXPECT_EQ(tensor.dtype, DType::kBf16);
  EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(tensor.begin, 8U);
  EXPECT_EQ(tensor.end, 32U);
  EXPECT_EQ(header.metadata, (Metadata{{"a", "b"}}));
}

TEST(TensorHeader, RefusesMalformedHeaders) {
  EXPECT_EQ(header_error(tensor(kGood)), "");
  expect_header_refused(" {}", "does not begin with {");
  expect_header_refused("[]", "does not begin with {");
  expect_header_refused("{\"a\":1}", "not a tensor");
  expect_header_refused("{\"a\":[" + tensor(kGood) + "]}", "not a tensor");
  expect_header_refused(tensor("\"dtype\":\"F32\""), "are missing");
  expect_header_refused("{\"a\":{},\"b\":{" + std::string(kGood) + "}}", "are missing");
  expect_header_refused(tensor(std::string(kGood) + ",\"x\":1"), "has a field other than");
  expect_header_refused(tensor(R"("dtype":{"a":1},"shape":[],"data_offsets":[0,4])"),
                        "dtype is not a string");
}

TEST(TensorHeader, RefusesDuplicates) {
  const std::string good = kGood;
  expect_header_refused("{\"a\":{" + good + "},\"b\":{" + good + "},\"a\":{" + good + "}}",
                        "tensor \"a\" appears twice");
  expect_header_refused(tensor(good + ",\"dtype\":\"F32\""), "dtype appears twice");
  expect_header_refused(tensor(good + ",\"shape\":[2]"), "shape appears twice");
  expect_header_refused(tensor(good + ",\"data_offsets\":[0,4]"), "data_offsets appears twice");
  expect_header_refused(tensor(good + ",\"shape\":2"), "not a list of non-negative integers");
  expect_header_refused(R"({"__metadata__":{"a":"b","a":"c"}})", "duplicate key");
  expect_header_refused(R"({"__metadata__":{},"__metadata__":{}})", "__metadata__ appears twice");
}

TEST(TensorHeader, RefusesUnknownDtypesAndInvalidNumbers) {
  const auto with = [](const std::string& dtype, const std::string& shape, const std::string& at) {
    return tensor("\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + at);
  };
  expect_header_refused(with("\"F8_E4M3\"", "[1]", "[0,1]"), "unknown dtype \"F8_E4M3\"");
  expect_header_refused(with("\"f32\"", "[1]", "[0,4]"), "unknown dtype");
  expect_header_refused(with("7", "[1]", "[0,4]"), "dtype is not a string");
  expect_header_refused(with("\"F32\"", "[-1]", "[0,4]"), "not a list of non-negative integers");
  expect_header_refused(with("\"F32\"", "[1.0]", "[0,4]"), "not a list of non-negative integers");
  expect_header_refused(with("\"F32\"", "[[1]]", "[0,4]"), "not a list of non-negative integers");
  expect_header_refused(with("\"F32\"", "[9223372036854775808]", "[0,4]"), "too large");
  expect_header_refused(with("\"F32\"", "[1]", "[0,4,8]"), "more than two");
  expect_header_refused(with("\"F32\"", "[1]", "[4]"), "are missing");
  expect_header_refused(with("\"F32\"", "[1]", "[\"0\",4]"), "not a list of non-negative integers");
}

TEST(TensorHeader, MetadataValuesMustBeStrings) {
  expect_header_refused(R"({"__metadata__":{"a":1}})", "not a string");
  expect_header_refused(R"({"__metadata__":{"a":["b"]}})", "not a string");
  expect_header_refused(R"({"__metadata__":{"a":{"b":"c"}}})", "not a string");
  expect_header_refused(R"({"__metadata__":"a"})", "not a tensor");
}

TEST(TensorHeader, LimitsDimensionsAndNesting) {
  std::string ones = "1";
  for (int i = 0; i < 64; ++i)
    ones += ",1";
  expect_header_refused(tensor(R"("dtype":"U8","shape":[)" + ones + R"(],"data_offsets":[0,1])"),
                        "more than 64 dimensions");
  expect_header_refused("{\"a\":" + std::string(1'000'000, '['), "not a tensor");
}

TEST(TensorHeader, LimitsTheNumberOfTensors) {
  std::string json = "{";
  for (int i = 0; i < 10; ++i)
    json += fmt::format("\"{}\":{{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}},", i);
  json.back() = '}';

  EXPECT_EQ(kMaxTensors, 1'000'000U);
  EXPECT_EQ(parse_tensor_header(json, "a", 10).tensors.size(), 10U);
  EXPECT_THROW(parse_tensor_header(json, "a", 9), UserError);
}

}  // namespace
}  // namespace myxtts::checkpoint
