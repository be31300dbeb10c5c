#include "checkpoint/safetensors.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "support/scale.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::checkpoint {
namespace {

// Returns a file with the header and `payload_bytes` bytes after it.
std::string file_with(const std::string& header, std::size_t payload_bytes) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes + header + std::string(payload_bytes, 'x');
}

std::string file_error(std::string bytes) {
  try {
    parse_safetensors(std::move(bytes), "a.safetensors");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

void expect_file_refused(const std::string& header,
                         std::size_t payload,
                         const std::string& message) {
  const std::string reason = file_error(file_with(header, payload));
  EXPECT_NE(reason.find(message), std::string::npos) << header << "\n" << reason;
}

TEST(Safetensors, SmallFileByteForByte) {
  const std::string bytes("\1\2\3\4\5\6\7\10", 8);
  const std::vector<TensorView> tensors = {{"a", DType::kI16, {2, 2}, view_of(bytes)}};

  const std::string file = safetensors_bytes(tensors, {{"k", "v"}});

  const std::string header =
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"I16","shape":[2,2],"data_offsets":[0,8]}})";
  EXPECT_EQ(file.substr(0, 8), std::string("\x58\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(file.substr(8), header + std::string(88 - header.size(), ' ') + bytes);
}

TEST(Safetensors, EmptyFileRoundTrips) {
  const std::string file = safetensors_bytes({}, {});

  EXPECT_EQ(file, std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
  EXPECT_TRUE(parse_safetensors(file, "a").tensors.empty());
}

TEST(Safetensors, BytesDoNotDependOnTheOrderOfTensors) {
  const SmallCheckpoint checkpoint(1);
  std::vector<TensorView> tensors = checkpoint.content().model;

  const std::string one = safetensors_bytes(tensors, {});
  std::ranges::reverse(tensors);

  EXPECT_EQ(safetensors_bytes(tensors, {}), one);
}

TEST(Safetensors, TensorsAreAlignedAndSurviveAMove) {
  const SmallCheckpoint checkpoint(1);
  TensorFile first =
      parse_safetensors(safetensors_bytes(checkpoint.content().trainer, {{"a", "b"}}), "a");

  const TensorFile file = std::move(first);

  EXPECT_TRUE(same_tensors(checkpoint.content().trainer, file));
  EXPECT_EQ(file.metadata, (Metadata{{"a", "b"}}));
  for (const TensorView& tensor : file.tensors)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % size_of(tensor.dtype), 0U);
}

// The golden file of tools/golden/make_safetensors.py has every dtype and names that need escaping.
// Identical bytes prove that Python reads our files.
TEST(Safetensors, PythonFileRoundTripsToTheSameBytes) {
  const std::string golden =
      contents(std::string(MYXTTS_SOURCE_DIR) + "/tests/golden/checkpoints/python.safetensors");
  ASSERT_GT(golden.size(), 10000U);

  const TensorFile file = parse_safetensors(golden, "python.safetensors");

  EXPECT_EQ(file.tensors.size(), 200U);
  std::vector<TensorView> reversed(file.tensors.rbegin(), file.tensors.rend());
  EXPECT_EQ(safetensors_bytes(reversed, file.metadata), golden);
}

TEST(Safetensors, MissingTensorSuggestsTheNearestName) {
  const TensorFile file =
      parse_safetensors(safetensors_bytes(SmallCheckpoint(1).content().model, {}), "a");

  EXPECT_EQ(file.find("encoder.wight"), nullptr);
  EXPECT_EQ(file.at("count").shape, std::vector<std::int64_t>{2});
  try {
    file.at("encoder.wight");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'encoder.weight'"), std::string::npos);
  }
}

TEST(Safetensors, WrongSizesAndDuplicateNamesAreBugs) {
  const std::string bytes(8, 'x');
  const std::vector<TensorView> wrong_size = {{"a", DType::kF32, {3}, view_of(bytes)}};
  const std::vector<TensorView> twice = {{"a", DType::kF32, {2}, view_of(bytes)},
                                         {"b", DType::kF32, {2}, view_of(bytes)},
                                         {"a", DType::kF64, {1}, view_of(bytes)}};

  EXPECT_THROW(safetensors_bytes(wrong_size, {}), BugError);
  EXPECT_THROW(safetensors_bytes(twice, {}), BugError);
}

TEST(Safetensors, HeaderLengthIsCheckedAgainstTheFile) {
  std::string huge = file_with("{}", 0);
  huge.replace(0, 8, "\xff\xff\xff\xff\xff\xff\xff\xff");

  EXPECT_NE(file_error(huge).find("header of"), std::string::npos);
  EXPECT_NE(file_error("").find("too short"), std::string::npos);
  EXPECT_NE(file_error(std::string(7, '\0')).find("too short"), std::string::npos);
  EXPECT_NE(file_error(std::string(8, '\0')), "");
  std::string long_header;
  long_header.resize(100'000'001, ' ');
  EXPECT_NE(file_error(file_with(long_header, 0)).find("at most 100000000"), std::string::npos);
}

TEST(Safetensors, OffsetsMustBeContiguous) {
  const auto two = [](const std::string& one, const std::string& other) {
    return R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + one +
           R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + other + "}}";
  };

  EXPECT_EQ(file_error(file_with(two("[0,2]", "[2,4]"), 4)), "");
  EXPECT_EQ(file_error(file_with(two("[2,4]", "[0,2]"), 4)), "");
  expect_file_refused(two("[0,2]", "[1,3]"), 3, "overlap or gap");
  expect_file_refused(two("[0,2]", "[0,2]"), 2, "overlap or gap");
  expect_file_refused(two("[0,2]", "[3,5]"), 5, "overlap or gap");
  expect_file_refused(two("[1,3]", "[3,5]"), 5, "overlap or gap");
  expect_file_refused(two("[0,2]", "[4,2]"), 4, "overlap or gap");
  expect_file_refused(two("[0,2]", "[2,4]"), 3, "truncated");
  expect_file_refused(two("[0,2]", "[2,4]"), 5, "1 bytes after the last tensor");
  expect_file_refused(two("[0,2]", "[2,18446744073709551615]"), 4, "truncated");
}

TEST(Safetensors, ShapesMustMatchTheirBytesWithoutOverflow) {
  const auto one = [](const std::string& shape, const std::string& end) {
    return R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":[0,)" + end + "]}}";
  };

  EXPECT_EQ(file_error(file_with(one("[]", "4"), 4)), "");
  EXPECT_EQ(file_error(file_with(one("[7,0]", "0"), 0)), "");
  expect_file_refused(one("[2]", "4"), 4, "do not match");
  // 4 x 2^32 x 2^30 x ... wraps to 0, and to 4.
  expect_file_refused(one("[4294967296,1073741824]", "0"), 0, "do not match");
  expect_file_refused(one("[4611686018427387905]", "4"), 4, "do not match");
  expect_file_refused(one("[60000000000]", "240000000000"), 4, "truncated");
}

// Mutates the file once: a changed byte, inserted JSON, removed bytes or a flipped bit. Often also
// corrects the header length, so that the parser reaches the mutation.
void mutate(std::string& bytes, base::Random& random) {
  static const std::vector<std::string> pieces = {"[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  "\"",
                                                  ",",
                                                  ":",
                                                  "-1",
                                                  "1e9",
                                                  "null",
                                                  "18446744073709551615",
                                                  "BF16",
                                                  "9223372036854775807",
                                                  "\"dtype\":\"F32\"",
                                                  "\"shape\":[0]",
                                                  "__metadata__",
                                                  "\\u0000",
                                                  "data_offsets",
                                                  "\xff"};
  const std::size_t at = random.below(bytes.size());
  switch (random.below(4)) {
    case 0:
      bytes[at] = static_cast<char>(random.next());
      break;
    case 1:
      bytes.insert(at, pieces[random.below(pieces.size())]);
      break;
    case 2:
      bytes.erase(at, 1 + random.below(8));
      break;
    default:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
  }
  const std::uint64_t header = bytes.find("}}") - 6;
  if (random.below(2) == 0 && bytes.size() > 8) std::memcpy(bytes.data(), &header, sizeof(header));
}

TEST(Safetensors, FuzzedFilesAreReadOrRefused) {
  const std::vector<std::string> seeds = {
      safetensors_bytes(SmallCheckpoint(1).content().model, {{"format", "pt"}}),
      safetensors_bytes(SmallCheckpoint(2).content().trainer, {})};
  base::Random random(7);
  int refused = 0;
  const int count = 10'000 * support::test_scale();

  for (int i = 0; i < count; ++i) {
    std::string bytes = seeds[random.below(seeds.size())];
    for (std::uint64_t mutations = 1 + random.below(4); mutations > 0; --mutations)
      mutate(bytes, random);
    if (!file_error(bytes).empty()) ++refused;
  }

  EXPECT_GT(refused, count / 2);
  EXPECT_LT(refused, count);  // changed tensor bytes are valid
}

}  // namespace
}  // namespace myxtts::checkpoint
