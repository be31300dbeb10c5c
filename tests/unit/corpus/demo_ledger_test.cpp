#include "corpus/demo_ledger.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/sha256.h"
#include "support/temp_dir.h"

namespace xtts::corpus {
namespace {

using support::contents;

TEST(DemoLedger, RemembersWhatItRecorded) {
  const support::TempDir dir;
  DemoLedger(dir.path()).record("train/wavs/a.wav", {"source", base::sha256_hex("sound")});
  dir.write("train/wavs/a.wav", "sound");

  const DemoLedger ledger(dir.path());

  EXPECT_EQ(ledger.read_if_fits("train/wavs/a.wav", "source"), "sound");
  EXPECT_FALSE(ledger.read_if_fits("train/wavs/a.wav", "other source"));
  EXPECT_FALSE(ledger.read_if_fits("train/wavs/b.wav", "source"));
}

TEST(DemoLedger, ADamagedOrMissingFileDoesNotFit) {
  const support::TempDir dir;
  DemoLedger(dir.path()).record("a.wav", {"source", base::sha256_hex("sound")});
  const DemoLedger ledger(dir.path());

  EXPECT_FALSE(ledger.read_if_fits("a.wav", "source"));
  dir.write("a.wav", "soun");
  EXPECT_FALSE(ledger.read_if_fits("a.wav", "source"));
  dir.write("a.wav", "sound");
  EXPECT_TRUE(ledger.read_if_fits("a.wav", "source"));
}

TEST(DemoLedger, ATornLineCostsOnlyItself) {
  const support::TempDir dir;
  dir.write("made.jsonl",
            "{\"file\":\"a.wav\",\"made_from\":\"1\",\"sha256\":\"2\"}\n"
            "[]\n\xFF\xFE\n{\"file\":7}\n{\"file\":\"b.wav\",\"made_fr");

  DemoLedger(dir.path()).record("c.wav", {"3", "4"});
  const DemoLedger ledger(dir.path());

  EXPECT_EQ(ledger.entries().size(), 2U);
  EXPECT_EQ(ledger.entries().at("a.wav"), (LedgerEntry{"1", "2"}));
  EXPECT_EQ(ledger.entries().at("c.wav"), (LedgerEntry{"3", "4"}));
}

TEST(DemoLedger, ARunKilledWhileItBeganIsGoneOver) {
  const support::TempDir dir;
  const auto left = dir.write("demo/made.jsonl.tmp.AbCdEf", "");

  EXPECT_NO_THROW(DemoLedger(dir.path() / "demo"));

  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "demo/made.jsonl"));
}

TEST(DemoLedger, RemovesWhatKilledRunsLeftAndNothingElse) {
  const support::TempDir dir;
  dir.write("made.jsonl", "");
  const std::vector<std::filesystem::path> left = {
      dir.write("made.jsonl.tmp.AbCdEf", ""),
      dir.write("train/metadata.csv.tmp.012345", "half"),
      dir.write("train/wavs/rms_00001.wav.tmp.zZzZzZ", "half"),
      dir.write("val/metadata.csv.tmp.012345", "half"),
      dir.write("val/wavs/rms_00002.wav.tmp.zZzZzZ", "half")};
  const std::vector<std::filesystem::path> others = {dir.write("notes.tmp.AbCdEf", "mine"),
                                                     dir.write("made.jsonl.tmp.AbCdEfG", "mine"),
                                                     dir.write("train/wavs/a.wav", "sound")};

  const DemoLedger ledger(dir.path());

  for (const auto& path : left)
    EXPECT_FALSE(std::filesystem::exists(path)) << path;
  for (const auto& path : others)
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

TEST(DemoLedger, AFolderOfSomebodyElseIsRefusedAndLeftAsItIs) {
  const support::TempDir dir;
  const auto mine = dir.write("a.wav.tmp.AbCdEf", "mine");

  EXPECT_THROW(DemoLedger{dir.path()}, UsageError);
  EXPECT_TRUE(std::filesystem::exists(mine));
}

TEST(DemoLedger, TheLaterLineCounts) {
  const support::TempDir dir;
  DemoLedger writer(dir.path());
  writer.record("a.wav", {"1", "1"});
  writer.record("a.wav", {"2", "2"});

  EXPECT_EQ(DemoLedger(dir.path()).entries().at("a.wav"), (LedgerEntry{"2", "2"}));
}

TEST(DemoLedger, IsRewrittenInOrder) {
  const support::TempDir dir;
  DemoLedger ledger(dir.path());
  ledger.record("b.wav", {"1", "1"});
  ledger.record("a.wav", {"2", "2"});

  ledger.replace({{"b.wav", {"1", "1"}}, {"a.wav", {"2", "2"}}});

  EXPECT_EQ(contents(dir.path() / "made.jsonl"),
            "{\"file\":\"a.wav\",\"made_from\":\"2\",\"sha256\":\"2\"}\n"
            "{\"file\":\"b.wav\",\"made_from\":\"1\",\"sha256\":\"1\"}\n");
}

TEST(DemoLedger, RefusesAFolderThatIsNotOurs) {
  const support::TempDir dir;
  dir.write("precious/metadata.csv", "a|b|c\n");
  const auto file = dir.write("file", "x");

  EXPECT_THROW(DemoLedger(dir.path() / "precious"), UsageError);
  EXPECT_THROW(DemoLedger{file}, UsageError);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "precious/made.jsonl"));
}

TEST(DemoLedger, ARewriteOfTheSameTouchesNothing) {
  const support::TempDir dir;
  const auto path = dir.write("metadata.csv", "same");
  const auto long_ago = std::filesystem::last_write_time(path) - std::chrono::hours(1);
  std::filesystem::last_write_time(path, long_ago);

  write_if_changed(path, "same");
  EXPECT_EQ(std::filesystem::last_write_time(path), long_ago);

  write_if_changed(path, "other");
  EXPECT_NE(std::filesystem::last_write_time(path), long_ago);
  EXPECT_EQ(contents(path), "other");
}

}  // namespace
}  // namespace xtts::corpus
