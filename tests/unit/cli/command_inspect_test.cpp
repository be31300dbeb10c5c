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
#include "unit/checkpoint/small_checkpoint.h"
#include "unit/checkpoint/watched_files.h"

namespace xtts::cli {
namespace {

namespace fs = std::filesystem;

using support::Ended;

Ended run_inspect(std::vector<std::string> words) {
  words.insert(words.begin(), "inspect");
  return support::run_myxtts(std::move(words));
}

// As the trainer writes it.
std::string config_json(std::int64_t step) {
  checkpoint::CheckpointMetadata facts;
  facts.program_version = "0.1.0";
  facts.step = step;
  facts.speakers = {"rms", "slt"};
  facts.mel_spec_fingerprint = "abc123";
  facts.symbols = text::SymbolTable().to_text();
  facts.config_yaml = "training:\n  seed: 42\n  precision: auto\n";
  facts.precision = "bf16";
  facts.state_json = R"({"epoch": 3, "update": 7, "validation_loss": 1.25})";
  return checkpoint::to_json_text(facts);
}

class InspectCommand : public testing::Test {
 protected:
  void write(std::int64_t step) {
    const checkpoint::SmallSave save(step);
    checkpoint::CheckpointContent content = save.content();
    content.config_json = config_json(step);
    checkpoint::CheckpointStore(run() / "checkpoints", files_).write(content);
  }
  fs::path run() const { return dir_.path() / "run"; }
  fs::path folder(std::int64_t step) const {
    return run() / "checkpoints" / checkpoint::checkpoint_name(step);
  }

  support::TempDir dir_{support::fast_folder()};
  checkpoint::WatchedFiles files_;
};

TEST_F(InspectCommand, TellsMachinesWhatIsInARun) {
  write(10);
  write(20);
  write(30);
  checkpoint::overwrite(folder(30) / "model.safetensors", "cut");

  const Ended ended = run_inspect({run().string(), "--json"});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  const nlohmann::json report = nlohmann::json::parse(ended.output);
  ASSERT_EQ(report["saves"].size(), 3U);
  EXPECT_EQ(report["saves"][1]["good"], true);
  EXPECT_GT(report["saves"][1]["bytes"], 1000);
  EXPECT_EQ(report["saves"][2]["good"], false);
  EXPECT_NE(report["saves"][2]["reason"].get<std::string>().find("cut off"), std::string::npos);
  const nlohmann::json& save = report["save"];
  EXPECT_EQ(save["step"], 20);
  EXPECT_EQ(save["epoch"], 3);
  EXPECT_EQ(save["parameters"], 14);  // without the averaged twelve
  EXPECT_EQ(save["speakers"], (nlohmann::json{"rms", "slt"}));
  EXPECT_EQ(save["mel_spec_fingerprint"], "abc123");
  EXPECT_EQ(save["symbols_hash"], text::SymbolTable().hash());
  EXPECT_EQ(save["precision"], "bf16");
  EXPECT_EQ(save["seed"], 42);
  EXPECT_EQ(save["validation_loss"], 1.25);
  ASSERT_EQ(save["tensors"].size(), 3U);
  EXPECT_EQ(save["tensors"][2]["name"], "encoder.weight");
  EXPECT_EQ(save["tensors"][2]["dtype"], "F32");
  EXPECT_EQ(save["tensors"][2]["shape"], (nlohmann::json{4, 3}));
  EXPECT_EQ(save["trainer_tensors"], 2);
}

TEST_F(InspectCommand, TellsPeopleTheSame) {
  write(10);
  write(20);
  checkpoint::overwrite(folder(20) / "config.json", "{}");

  const Ended ended = run_inspect({run().string()});

  ASSERT_EQ(ended.code, 0) << ended.errors;
  for (const char* words : {"2 saves",
                            "good",
                            "broken: ",
                            "rms, slt",
                            "validation loss    1.25",
                            "encoder.weight      F32    [4,3]"})
    EXPECT_NE(ended.output.find(words), std::string::npos) << words << "\n" << ended.output;
  EXPECT_NE(ended.errors.find("Next: myxtts speak --checkpoint"), std::string::npos);
}

TEST_F(InspectCommand, TakesOneSaveOrOneFile) {
  write(10);
  write(20);

  const Ended save = run_inspect({folder(10).string(), "--json"});
  const Ended file = run_inspect({(folder(10) / "trainer.safetensors").string(), "--json"});

  ASSERT_EQ(save.code, 0) << save.errors;
  EXPECT_EQ(nlohmann::json::parse(save.output)["save"]["step"], 10);
  ASSERT_EQ(file.code, 0) << file.errors;
  const nlohmann::json report = nlohmann::json::parse(file.output);
  EXPECT_EQ(report["metadata"]["format"], "pt");
  EXPECT_EQ(report["tensors"].size(), 2U);
}

TEST_F(InspectCommand, ARunWithoutAGoodSaveIsAFailureThatIsExplained) {
  write(10);
  fs::remove(folder(10) / "manifest.json");

  const Ended text = run_inspect({run().string()});
  const Ended json = run_inspect({run().string(), "--json"});

  EXPECT_EQ(text.code, 1);
  EXPECT_NE(text.output.find("broken: "), std::string::npos);
  EXPECT_EQ(json.code, 1);
  EXPECT_TRUE(nlohmann::json::parse(json.output)["save"].is_null());
}

TEST_F(InspectCommand, AbsentAndStrangeKeysAreNoFault) {
  const checkpoint::SmallSave save(1);
  std::int64_t step = 0;
  for (const char* config : {"{}",
                             "[1, 2]",
                             R"({"speakers": 7, "symbols": "x", "config": "no: such: yaml"})",
                             R"({"best_validation_loss": null, "config": {"a": 1}})"}) {
    checkpoint::CheckpointContent content = save.content();
    content.step = ++step;
    content.config_json = config;
    checkpoint::CheckpointStore(run() / "checkpoints", files_).write(content);

    const Ended ended = run_inspect({run().string()});
    EXPECT_EQ(ended.code, 0) << config << ended.errors;
    EXPECT_EQ(run_inspect({run().string(), "--json"}).code, 0) << config;
  }
}

TEST_F(InspectCommand, WhatIsNotThereIsAnsweredWithTheNearestName) {
  write(10);

  const Ended absent = run_inspect({(dir_.path() / "rum").string()});
  const Ended empty = run_inspect({dir_.path().string()});

  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.errors.find("did you mean 'run'"), std::string::npos) << absent.errors;
  EXPECT_EQ(empty.code, 1);
  EXPECT_NE(empty.errors.find("has no save yet"), std::string::npos) << empty.errors;
}

TEST_F(InspectCommand, AFileThatIsNoneOfOursSaysWhy) {
  const Ended ended = run_inspect({dir_.write("x.safetensors", "hello world, hello").string()});

  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.errors.find("claims a header"), std::string::npos) << ended.errors;
}

}  // namespace
}  // namespace xtts::cli
