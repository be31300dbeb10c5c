// What the sources say about who reads a key. An effect is tested where it happens; this test sees
// a key that was forgotten.

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

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

const fs::path& source_root() {
  static const fs::path root = fs::path(XTTS_SOURCE_DIR) / "src";
  return root;
}

// All sources but those of config/, where every key is named.
std::string sources_that_read() {
  std::string text;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_root())) {
    const bool is_source = entry.path().extension() == ".cpp" || entry.path().extension() == ".h";
    const bool is_config = entry.path().parent_path().filename() == "config";
    if (!is_source || is_config) continue;
    std::ifstream file(entry.path());
    text += (std::ostringstream() << file.rdbuf()).str();
  }
  // A key that is named in a string, as for its flag, is not read by that.
  return std::regex_replace(text, std::regex("\"(data|model|training)\\."), "\"$1:");
}

// How the sources spell the reading of a key: the member, or the function that decides for it.
std::string spelling_of(const config::Field& field) {
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

bool mentions(const std::string& text, const std::string& words) {
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; at += words.size()) {
    const char next = at + words.size() < text.size() ? text[at + words.size()] : ' ';
    const bool goes_on = std::isalnum(static_cast<unsigned char>(next)) != 0 || next == '_';
    if (!goes_on || words.back() == '(') return true;
  }
  return false;
}

bool is_name_of_a_set(const config::Field& field) {
  return field.key() == "model.model_size" || field.key() == "model.vocoder_size" ||
         field.key() == "training.optimization_level";
}

bool has_training() {
  for (const fs::directory_entry& entry : fs::directory_iterator(source_root() / "cli")) {
    if (entry.path().filename().string().starts_with("command_train")) return true;
  }
  return false;
}

TEST(ConfigReads, SomebodyReadsEveryKey) {
  if (!has_training()) GTEST_SKIP() << "the keys of training have no reader before it is there";
  const std::string sources = sources_that_read();
  config::Config defaults;

  for (const config::Field& field : config::fields_of(defaults)) {
    if (is_name_of_a_set(field)) continue;
    EXPECT_TRUE(mentions(sources, spelling_of(field)))
        << field.key() << " is read by nobody: use it, or leave it out";
  }
}

}  // namespace
}  // namespace xtts::cli
