#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "checkpoint/checkpoint_metadata.h"
#include "checkpoint/checkpoint_name.h"
#include "checkpoint/checkpoint_store.h"
#include "support/command_line.h"
#include "support/temp_dir.h"
#include "text/symbol_table.h"
#include "unit/checkpoint/fault_injecting_files.h"
#include "unit/checkpoint/small_checkpoint.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

using support::CommandResult;

CommandResult run_inspect(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "inspect");
  return support::run_myxtts(std::move(arguments));
}

// Returns config.json as the trainer writes it.
std::string config_json(std::int64_t step) {
  checkpoint::CheckpointMetadata metadata;
  metadata.program_version = "0.1.0";
  metadata.step = step;
  metadata.speakers = {"rms", "slt"};
  metadata.mel_spec_fingerprint = "abc123";
  metadata.symbols = text::SymbolTable().to_text();
  metadata.config_yaml = "training:\n  seed: 42\n  precision: auto\n";
  metadata.precision = "bf16";
  metadata.state_json = R"({"epoch": 3, "batch": 7, "validation_loss": 1.25})";
  return checkpoint::to_json_text(metadata);
}

class InspectCommand : public testing::Test {
 protected:
  void write(std::int64_t step) {
    const checkpoint::SmallCheckpoint small(step);
    checkpoint::CheckpointContent content = small.content();
    content.config_json = config_json(step);
    checkpoint::CheckpointStore(run() / "checkpoints", files_).write(content);
  }
  fs::path run() const { return dir_.path() / "run"; }
  fs::path folder(std::int64_t step) const {
    return run() / "checkpoints" / checkpoint::checkpoint_name(step);
  }

  support::TempDir dir_{support::in_memory_folder()};
  checkpoint::FaultInjectingFiles files_;
};

TEST_F(InspectCommand, PrintsTheCheckpointsOfARunAsJson) {
  write(10);
  write(20);
  write(30);
  checkpoint::overwrite(folder(30) / "model.safetensors", "cut");

  const CommandResult result = run_inspect({run().string(), "--json"});

  ASSERT_EQ(result.code, 0) << result.errors;
  const nlohmann::json report = nlohmann::json::parse(result.output);
  ASSERT_EQ(report["checkpoints"].size(), 3U);
  EXPECT_EQ(report["checkpoints"][1]["good"], true);
  EXPECT_GT(report["checkpoints"][1]["bytes"], 1000);
  EXPECT_EQ(report["checkpoints"][2]["good"], false);
  EXPECT_NE(report["checkpoints"][2]["reason"].get<std::string>().find("truncated"),
            std::string::npos);
  const nlohmann::json& shown = report["checkpoint"];
  EXPECT_EQ(shown["step"], 20);
  EXPECT_EQ(shown["epoch"], 3);
  EXPECT_EQ(shown["parameters"], 14);  // without the 12 EMA weights
  EXPECT_EQ(shown["speakers"], (nlohmann::json{"rms", "slt"}));
  EXPECT_EQ(shown["mel_spec_fingerprint"], "abc123");
  EXPECT_EQ(shown["symbols_hash"], text::SymbolTable().hash());
  EXPECT_EQ(shown["precision"], "bf16");
  EXPECT_EQ(shown["seed"], 42);
  EXPECT_EQ(shown["validation_loss"], 1.25);
  ASSERT_EQ(shown["tensors"].size(), 3U);
  EXPECT_EQ(shown["tensors"][2]["name"], "encoder.weight");
  EXPECT_EQ(shown["tensors"][2]["dtype"], "F32");
  EXPECT_EQ(shown["tensors"][2]["shape"], (nlohmann::json{4, 3}));
  EXPECT_EQ(shown["trainer_tensors"], 2);
}

TEST_F(InspectCommand, PrintsTheCheckpointsOfARunAsText) {
  write(10);
  write(20);
  checkpoint::overwrite(folder(20) / "config.json", "{}");

  const CommandResult result = run_inspect({run().string()});

  ASSERT_EQ(result.code, 0) << result.errors;
  for (const char* part : {"2 checkpoints",
                           "intact",
                           "broken: ",
                           "rms, slt",
                           "validation loss      1.25",
                           "encoder.weight      F32    [4,3]"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part << "\n" << result.output;
  EXPECT_NE(result.errors.find("Next: myxtts speak --checkpoint"), std::string::npos);
}

TEST_F(InspectCommand, AcceptsOneCheckpointOrOneFile) {
  write(10);
  write(20);

  const CommandResult one = run_inspect({folder(10).string(), "--json"});
  const CommandResult file = run_inspect({(folder(10) / "trainer.safetensors").string(), "--json"});

  ASSERT_EQ(one.code, 0) << one.errors;
  EXPECT_EQ(nlohmann::json::parse(one.output)["checkpoint"]["step"], 10);
  ASSERT_EQ(file.code, 0) << file.errors;
  const nlohmann::json report = nlohmann::json::parse(file.output);
  EXPECT_EQ(report["metadata"]["format"], "pt");
  EXPECT_EQ(report["tensors"].size(), 2U);
}

TEST_F(InspectCommand, ARunWithoutAnIntactCheckpointExitsWithOneAndAReason) {
  write(10);
  fs::remove(folder(10) / "manifest.json");

  const CommandResult text = run_inspect({run().string()});
  const CommandResult json = run_inspect({run().string(), "--json"});

  EXPECT_EQ(text.code, 1);
  EXPECT_NE(text.output.find("broken: "), std::string::npos);
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(nlohmann::json::parse(json.output)["checkpoint"].is_null());
}

TEST_F(InspectCommand, MissingAndInvalidKeysAreAccepted) {
  const checkpoint::SmallCheckpoint small(1);
  std::int64_t step = 0;
  for (const char* config : {"{}",
                             "[1, 2]",
                             R"({"speakers": 7, "symbols": "x", "config": "no: such: yaml"})",
                             R"({"best_validation_loss": null, "config": {"a": 1}})"}) {
    checkpoint::CheckpointContent content = small.content();
    content.step = ++step;
    content.config_json = config;
    checkpoint::CheckpointStore(run() / "checkpoints", files_).write(content);

    const CommandResult result = run_inspect({run().string()});
    EXPECT_EQ(result.code, 0) << config << result.errors;
    EXPECT_EQ(run_inspect({run().string(), "--json"}).code, 0) << config;
  }
}

TEST_F(InspectCommand, AMissingFolderIsReportedWithTheNearestName) {
  write(10);

  const CommandResult absent = run_inspect({(dir_.path() / "rum").string()});
  const CommandResult empty = run_inspect({dir_.path().string()});

  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.errors.find("did you mean 'run'"), std::string::npos) << absent.errors;
  EXPECT_EQ(empty.code, 1);
  EXPECT_NE(empty.errors.find("has no checkpoint"), std::string::npos) << empty.errors;
}

TEST_F(InspectCommand, AnInvalidSafetensorsFileIsReportedWithAReason) {
  const CommandResult result =
      run_inspect({dir_.write("x.safetensors", "hello world, hello").string()});

  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("expected at most"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace myxtts::cli
