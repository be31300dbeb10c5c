#include "base/version.h"

#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace myxtts::base {
namespace {

TEST(Version, IsThreeNumbers) {
  EXPECT_TRUE(std::regex_match(version(), std::regex(R"(\d+\.\d+\.\d+)"))) << version();
}

TEST(Version, TextNamesProgramLibraryAndMachine) {
  const std::string text = version_text();

  EXPECT_TRUE(text.starts_with("myxtts " + version())) << text;
  EXPECT_NE(text.find("LibTorch"), std::string::npos) << text;
  EXPECT_NE(text.find(machine_text()), std::string::npos) << text;
}

TEST(Version, JsonHasTheSameValues) {
  const nlohmann::json json = version_json();

  EXPECT_EQ(json["version"], version());
  EXPECT_EQ(json["git"], git_version());
  EXPECT_EQ(json["libtorch"], libtorch_version());
  EXPECT_GE(json["machine"]["cores"].get<int>(), 1);
}

}  // namespace
}  // namespace myxtts::base
