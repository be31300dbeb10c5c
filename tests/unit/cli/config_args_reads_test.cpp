// Tests that the sources read every configuration key. Effects are tested elsewhere; this test
// finds forgotten keys.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "cli/config_args.h"
#include "config/field.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

const fs::path& source_root() {
  static const fs::path root = fs::path(MYXTTS_SOURCE_DIR) / "src";
  return root;
}

// Returns all sources except config/, which names every key.
std::string sources_that_read() {
  std::string text;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_root())) {
    const bool is_source = entry.path().extension() == ".cpp" || entry.path().extension() == ".h";
    const bool is_config = entry.path().parent_path().filename() == "config";
    if (!is_source || is_config) continue;
    std::ifstream file(entry.path());
    text += (std::ostringstream() << file.rdbuf()).str();
  }
  // A key in a string, e.g. for a flag, does not count as read.
  return std::regex_replace(text, std::regex("\"(data|model|training)\\."), "\"$1:");
}

// Returns how sources read a key: the member access or the function that resolves the key.
std::string reading_of(const config::Field& field) {
  static const std::map<std::string, std::string> functions = {
      {"data.num_workers", "num_workers_of("},
      {"data.data_gpu", "data_lane_of("},
      {"data.data_device", "data_lane_of("},
      {"data.model_gpu", "model_lane_of("},
      {"data.model_device", "model_lane_of("},
      {"data.mixed_precision", "precision_of("},
      {"training.precision", "precision_of("},
      {"training.threads", "threads_of("},
      {"training.min_learning_rate", "min_learning_rate_of("},
      {"training.vocoder_learning_rate", "for_vocoder("},
      {"training.vocoder_scheduler", "for_vocoder("},
  };
  const auto found = functions.find(field.key());
  return found == functions.end() ? "." + field.name : found->second;
}

bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    const bool is_prefix = std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_';
    if (!is_prefix || name.back() == '(') return true;
  }
  return false;
}

bool is_preset_name(const config::Field& field) {
  return field.key() == "model.model_size" || field.key() == "model.vocoder_size" ||
         field.key() == "training.optimization_level";
}

bool has_training() {
  for (const fs::directory_entry& entry : fs::directory_iterator(source_root() / "cli")) {
    if (entry.path().filename().string().starts_with("command_train")) return true;
  }
  return false;
}

TEST(ConfigReads, EveryKeyIsRead) {
  if (!has_training()) GTEST_SKIP() << "this build has no training command, which reads most keys";
  const std::string sources = sources_that_read();
  config::Config defaults;

  for (const config::Field& field : config::fields_of(defaults)) {
    if (is_preset_name(field)) continue;
    EXPECT_TRUE(mentions(sources, reading_of(field)))
        << field.key() << " is not read: use or remove it";
  }
}

}  // namespace
}  // namespace myxtts::cli
