#include "corpus/demo_manifest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/sha256.h"
#include "support/temp_dir.h"

namespace myxtts::corpus {
namespace {

using support::contents;

TEST(DemoManifest, RecordedEntriesAreReadBack) {
  const support::TempDir dir;
  DemoManifest(dir.path()).record("train/wavs/a.wav", {"source", base::sha256_hex("audio")});
  dir.write("train/wavs/a.wav", "audio");

  const DemoManifest manifest(dir.path());

  EXPECT_EQ(manifest.read_if_valid("train/wavs/a.wav", "source"), "audio");
  EXPECT_FALSE(manifest.read_if_valid("train/wavs/a.wav", "other source"));
  EXPECT_FALSE(manifest.read_if_valid("train/wavs/b.wav", "source"));
}

TEST(DemoManifest, DamagedOrMissingFileIsInvalid) {
  const support::TempDir dir;
  DemoManifest(dir.path()).record("a.wav", {"source", base::sha256_hex("audio")});
  const DemoManifest manifest(dir.path());

  EXPECT_FALSE(manifest.read_if_valid("a.wav", "source"));
  dir.write("a.wav", "audi");
  EXPECT_FALSE(manifest.read_if_valid("a.wav", "source"));
  dir.write("a.wav", "audio");
  EXPECT_TRUE(manifest.read_if_valid("a.wav", "source"));
}

TEST(DemoManifest, PartialLinesAreSkipped) {
  const support::TempDir dir;
  dir.write("manifest.jsonl",
            "{\"file\":\"a.wav\",\"source_sha256\":\"1\",\"sha256\":\"2\"}\n"
            "[]\n\xFF\xFE\n{\"file\":7}\n{\"file\":\"b.wav\",\"made_fr");

  DemoManifest(dir.path()).record("c.wav", {"3", "4"});
  const DemoManifest manifest(dir.path());

  EXPECT_EQ(manifest.entries().size(), 2U);
  EXPECT_EQ(manifest.entries().at("a.wav"), (DemoManifestEntry{"1", "2"}));
  EXPECT_EQ(manifest.entries().at("c.wav"), (DemoManifestEntry{"3", "4"}));
}

TEST(DemoManifest, StartsAfterARunKilledWhileStarting) {
  const support::TempDir dir;
  const auto left = dir.write("demo/manifest.jsonl.tmp.AbCdEf", "");

  EXPECT_NO_THROW(DemoManifest(dir.path() / "demo"));

  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "demo/manifest.jsonl"));
}

TEST(DemoManifest, RemovesOnlyTheTemporaryFilesOfKilledRuns) {
  const support::TempDir dir;
  dir.write("manifest.jsonl", "");
  const std::vector<std::filesystem::path> left = {
      dir.write("manifest.jsonl.tmp.AbCdEf", ""),
      dir.write("train/metadata.csv.tmp.012345", "half"),
      dir.write("train/wavs/rms_00001.wav.tmp.zZzZzZ", "half"),
      dir.write("val/metadata.csv.tmp.012345", "half"),
      dir.write("val/wavs/rms_00002.wav.tmp.zZzZzZ", "half")};
  const std::vector<std::filesystem::path> others = {
      dir.write("notes.tmp.AbCdEf", "mine"),
      dir.write("manifest.jsonl.tmp.AbCdEfG", "mine"),
      dir.write("train/wavs/a.wav", "audio")};

  const DemoManifest manifest(dir.path());

  for (const auto& path : left)
    EXPECT_FALSE(std::filesystem::exists(path)) << path;
  for (const auto& path : others)
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
}

TEST(DemoManifest, FolderWithOtherFilesIsRefusedAndUnchanged) {
  const support::TempDir dir;
  const auto mine = dir.write("a.wav.tmp.AbCdEf", "mine");

  EXPECT_THROW(DemoManifest{dir.path()}, UsageError);
  EXPECT_TRUE(std::filesystem::exists(mine));
}

TEST(DemoManifest, LaterLineOfAFileCounts) {
  const support::TempDir dir;
  DemoManifest writer(dir.path());
  writer.record("a.wav", {"1", "1"});
  writer.record("a.wav", {"2", "2"});

  EXPECT_EQ(DemoManifest(dir.path()).entries().at("a.wav"), (DemoManifestEntry{"2", "2"}));
}

TEST(DemoManifest, ReplaceWritesSortedLines) {
  const support::TempDir dir;
  DemoManifest manifest(dir.path());
  manifest.record("b.wav", {"1", "1"});
  manifest.record("a.wav", {"2", "2"});

  manifest.replace({{"b.wav", {"1", "1"}}, {"a.wav", {"2", "2"}}});

  EXPECT_EQ(contents(dir.path() / "manifest.jsonl"),
            "{\"file\":\"a.wav\",\"source_sha256\":\"2\",\"sha256\":\"2\"}\n"
            "{\"file\":\"b.wav\",\"source_sha256\":\"1\",\"sha256\":\"1\"}\n");
}

TEST(DemoManifest, RefusesAFolderThatIsNotADemoCorpus) {
  const support::TempDir dir;
  dir.write("precious/metadata.csv", "a|b|c\n");
  const auto file = dir.write("file", "x");

  EXPECT_THROW(DemoManifest(dir.path() / "precious"), UsageError);
  EXPECT_THROW(DemoManifest{file}, UsageError);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "precious/manifest.jsonl"));
}

TEST(DemoManifest, WriteIfChangedKeepsAnEqualFile) {
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
}  // namespace myxtts::corpus
