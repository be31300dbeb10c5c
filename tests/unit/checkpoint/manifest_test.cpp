#include "checkpoint/manifest.h"

#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/sha256.h"

namespace myxtts::checkpoint {
namespace {

Manifest small_manifest() {
  return {1234,
          "0.1.0",
          {{"model.safetensors",
            5678,
            base::sha256_hex("model"),
            {{"a.weight", 0x1234U}, {"b \"\n", 0xFFFFFFFFU}}},
           {"config.json", 2, base::sha256_hex("{}"), {}}}};
}

std::string manifest_error(const std::string& text) {
  try {
    parse_manifest(text, "manifest.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// Replaces text and recomputes the checksum, as a newer program would.
std::string with_new_checksum(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  const std::size_t checksum_line = text.rfind("  \"manifest_sha256\"");
  const std::string body = text.substr(0, checksum_line);
  return body + "  \"manifest_sha256\": \"" + base::sha256_hex(body) + "\"\n}\n";
}

TEST(Manifest, RoundTripIsExact) {
  const Manifest manifest = small_manifest();

  const Manifest read = parse_manifest(manifest_text(manifest), "manifest.json");

  EXPECT_EQ(read.step, 1234);
  EXPECT_EQ(read.program_version, "0.1.0");
  ASSERT_EQ(read.files.size(), 2U);
  const FileRecord* model = read.find("model.safetensors");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->bytes, 5678U);
  EXPECT_EQ(model->sha256, base::sha256_hex("model"));
  EXPECT_EQ(model->tensors, manifest.files[0].tensors);
  EXPECT_EQ(read.find("config.json")->bytes, 2U);
  EXPECT_EQ(read.find("else"), nullptr);
}

TEST(Manifest, EveryFlippedBitIsDetected) {
  const std::string text = manifest_text(small_manifest());

  for (std::size_t i = 0; i < text.size() * 8; ++i) {
    std::string changed = text;
    changed[i / 8] = static_cast<char>(changed[i / 8] ^ (1 << (i % 8)));
    ASSERT_NE(manifest_error(changed), "") << "bit " << i;
  }
}

TEST(Manifest, EveryTruncationIsDetected) {
  const std::string text = manifest_text(small_manifest());

  for (std::size_t length = 0; length < text.size(); ++length)
    ASSERT_NE(manifest_error(text.substr(0, length)), "") << length;
  EXPECT_NE(manifest_error(text + " "), "");
  EXPECT_EQ(manifest_error(text), "");
}

TEST(Manifest, NewerVersionIsRefusedWithBothVersions) {
  const std::string text = manifest_text(small_manifest());
  const std::string newer =
      with_new_checksum(text, "\"format_version\": 1", "\"format_version\": 2");

  EXPECT_EQ(manifest_error(newer),
            "manifest.json: format version 2, this program reads up to 1; use a newer myxtts");
}

TEST(Manifest, UnknownFieldsAreIgnored) {
  const std::string text = manifest_text(small_manifest());

  EXPECT_EQ(manifest_error(with_new_checksum(text, "\"step\"", "\"more\": [{\"a\": 1}], \"step\"")),
            "");
}

TEST(Manifest, MissingFieldsAreRefused) {
  const std::string text = manifest_text(small_manifest());

  EXPECT_NE(manifest_error(with_new_checksum(text, "\"step\"", "\"stop\"")), "");
  EXPECT_NE(manifest_error(with_new_checksum(text, "\"format_version\"", "\"version\"")), "");
  EXPECT_NE(manifest_error(with_new_checksum(text, "\"00001234\"", "\"1234\"")), "");
  EXPECT_NE(manifest_error("[]"), "");
}

}  // namespace
}  // namespace myxtts::checkpoint
