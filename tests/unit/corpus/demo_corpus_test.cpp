#include "corpus/demo_corpus.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"
#include "corpus/check.h"
#include "corpus/reader.h"
#include "support/temp_dir.h"
#include "unit/corpus/corpus_folder.h"

namespace myxtts::corpus {
namespace {

using support::contents;

namespace fs = std::filesystem;

// Short sentences of the fastest voice, so that a test takes milliseconds.
DemoRequest small_request(const fs::path& out) {
  DemoRequest request;
  request.out = out;
  request.utterances = 5;
  request.voices = {"kal16"};
  request.words = WordRange{2, 3};
  request.val_share = 0.2;
  return request;
}

DemoResult write(const DemoRequest& request) {
  return write_demo_corpus(request, plan_demo_corpus(request));
}

std::map<std::string, std::string> files_in(const fs::path& dir) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(dir)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), dir).string()] = contents(entry.path());
    }
  }
  return files;
}

TEST(DemoCorpus, OneVoiceGivesAValidLjspeechCorpus) {
  const support::TempDir dir;
  const DemoResult result = write(small_request(dir.path() / "demo"));

  const config::Config config = grapheme_config();
  const Corpus train = read_corpus(dir.path() / "demo", config.data, Split::kTrain);
  const Corpus val = read_corpus(dir.path() / "demo", config.data, Split::kValidation);

  EXPECT_EQ(result.created, 5U);
  EXPECT_GT(result.seconds, 2.0);
  EXPECT_EQ(train.layout, Layout::kLjspeech);
  EXPECT_EQ(train.utterances.size(), 4U);
  EXPECT_EQ(val.utterances.size(), 1U);
  EXPECT_TRUE(check_corpus(train, config, 1).bad.empty());
  EXPECT_TRUE(check_corpus(val, config, 1).bad.empty());
}

TEST(DemoCorpus, SeveralVoicesAreSpeakers) {
  const support::TempDir dir;
  DemoRequest request = small_request(dir.path() / "demo");
  request.voices = {"kal16", "slt"};
  write(request);

  const Corpus train = read_corpus(dir.path() / "demo", config::DataConfig{}, Split::kTrain);

  EXPECT_EQ(train.layout, Layout::kPiper);
  ASSERT_GE(train.utterances.size(), 3U);
  EXPECT_EQ(train.utterances[0].speaker, "kal16");
  EXPECT_EQ(train.utterances[1].speaker, "slt");
}

TEST(DemoCorpus, BytesDoNotDependOnTheNumberOfWorkers) {
  const support::TempDir dir;
  DemoRequest request = small_request(dir.path() / "one");
  request.num_workers = 0;
  write(request);
  request.out = dir.path() / "two";
  request.num_workers = 3;
  write(request);

  EXPECT_EQ(files_in(dir.path() / "one"), files_in(dir.path() / "two"));
}

TEST(DemoCorpus, ValidRecordingsAreKept) {
  const support::TempDir dir;
  const DemoRequest request = small_request(dir.path() / "demo");
  write(request);
  const auto before = files_in(request.out);
  const auto written = fs::last_write_time(request.out / "train/wavs/kal16_00001.wav");

  std::size_t num_done = 0;
  const DemoResult again = write_demo_corpus(
      request, plan_demo_corpus(request), [&](std::size_t count) { num_done += count; });

  EXPECT_EQ(again.created, 0U);
  EXPECT_EQ(again.kept, 5U);
  EXPECT_EQ(num_done, 5U);
  EXPECT_EQ(files_in(request.out), before);
  EXPECT_EQ(fs::last_write_time(request.out / "train/wavs/kal16_00001.wav"), written);
}

TEST(DemoCorpus, DamagedRecordingsAreRecreated) {
  const support::TempDir dir;
  const DemoRequest request = small_request(dir.path() / "demo");
  write(request);
  const auto before = files_in(request.out);
  fs::resize_file(request.out / "train/wavs/kal16_00001.wav", 100);
  fs::remove(request.out / "train/wavs/kal16_00002.wav");

  const DemoResult repaired = write(request);

  EXPECT_EQ(repaired.created, 2U);
  EXPECT_EQ(files_in(request.out), before);
}

TEST(DemoCorpus, InterruptedRunResumes) {
  const support::TempDir dir;
  const DemoRequest request = small_request(dir.path() / "demo");
  const std::vector<DemoUtterance> plan = plan_demo_corpus(request);
  struct Stop : std::exception {};
  std::size_t num_done = 0;
  const auto stop_after_two = [&](std::size_t) {
    if (++num_done == 2) throw Stop{};
  };

  EXPECT_THROW(write_demo_corpus(request, plan, stop_after_two), Stop);
  EXPECT_FALSE(fs::exists(request.out / "train/metadata.csv"));
  const DemoResult rest = write(request);

  EXPECT_EQ(rest.kept, 2U);
  EXPECT_EQ(rest.created, 3U);
  DemoRequest fresh = request;
  fresh.out = dir.path() / "fresh";
  write(fresh);
  EXPECT_EQ(files_in(request.out), files_in(fresh.out));
}

TEST(DemoCorpus, AnotherRequestRemovesOldFiles) {
  const support::TempDir dir;
  DemoRequest request = small_request(dir.path() / "demo");
  write(request);
  request.utterances = 2;
  request.seed = 2;
  request.val_share = 0.0;

  const DemoResult result = write(request);

  EXPECT_EQ(result.created, 2U);
  EXPECT_EQ(result.removed, 3U);
  EXPECT_FALSE(fs::exists(request.out / "val"));
  EXPECT_EQ(files_in(request.out).size(), 4U);  // two recordings, metadata, manifest
}

// A manipulated manifest must not cause the removal of other files.
TEST(DemoCorpus, RemovesOnlyRecordingsInsideTheCorpus) {
  const support::TempDir dir;
  const auto precious = dir.write("precious.wav", "x");
  const auto notes = dir.write("demo/notes.txt", "x");
  dir.write("demo/manifest.jsonl",
            "{\"file\":\"../precious.wav\"}\n{\"file\":\"notes.txt\"}\n"
            "{\"file\":\"" +
                precious.string() + "\"}\n");

  write(small_request(dir.path() / "demo"));

  EXPECT_TRUE(fs::exists(precious));
  EXPECT_TRUE(fs::exists(notes));
}

TEST(DemoCorpus, SecondRunInTheSameFolderIsRefused) {
  const support::TempDir dir;
  const DemoRequest request = small_request(dir.path() / "demo");
  std::string refusal;

  write_demo_corpus(request, plan_demo_corpus(request), [&](std::size_t) {
    try {
      write(request);
    } catch (const UserError& error) {
      refusal = error.what();
    }
  });

  EXPECT_NE(refusal.find("another run (pid "), std::string::npos) << refusal;
  EXPECT_EQ(write(request).kept, 5U);
}

TEST(DemoCorpus, RefusesAFolderWithOtherFiles) {
  const support::TempDir dir;
  dir.write("mine/train/metadata.csv", "a|b|c\n");

  EXPECT_THROW(write(small_request(dir.path() / "mine")), UsageError);
  EXPECT_EQ(contents(dir.path() / "mine/train/metadata.csv"), "a|b|c\n");
}

}  // namespace
}  // namespace myxtts::corpus
