#include "corpus/find_audio.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace myxtts::corpus {
namespace {

namespace fs = std::filesystem;

TEST(AudioFinder, TriesEverySuffixForAnId) {
  const support::TempDir dir;
  dir.write("wavs/a.wav", "x");
  dir.write("wavs/b.flac", "x");
  dir.write("c.mp3", "x");
  AudioFinder finder(dir.path(), {"wavs", "."});

  EXPECT_EQ(finder.find("a"), fs::path("wavs/a.wav"));
  EXPECT_EQ(finder.find("b"), fs::path("wavs/b.flac"));
  EXPECT_EQ(finder.find("c"), fs::path("c.mp3"));
  EXPECT_EQ(finder.find("c.mp3"), fs::path("c.mp3"));
}

TEST(AudioFinder, MissingFileGivesTheFirstCandidate) {
  const support::TempDir dir;
  AudioFinder finder(dir.path(), {"wavs", "."});

  EXPECT_EQ(finder.find("gone"), fs::path("wavs/gone.wav"));
  EXPECT_EQ(finder.find("gone.ogg"), fs::path("wavs/gone.ogg"));
  EXPECT_EQ(finder.find(std::string(5000, 'x')),
            fs::path("wavs/" + std::string(5000, 'x') + ".wav"));
}

TEST(AudioFinder, FindsNonAsciiNames) {
  const support::TempDir dir;
  const std::string name = "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 \xC3\xA9";
  dir.write("wavs/" + name + ".wav", "x");
  AudioFinder finder(dir.path(), {"wavs"});

  EXPECT_EQ(finder.find(name), fs::path("wavs/" + name + ".wav"));
}

TEST(AudioFinder, RefusesPathsOutsideTheRoot) {
  const support::TempDir outside;
  outside.write("secret.wav", "x");
  const support::TempDir dir;
  dir.write("wavs/a.wav", "x");
  fs::create_symlink(outside.path() / "secret.wav", dir.path() / "wavs/link.wav");
  fs::create_directory_symlink(outside.path(), dir.path() / "wavs/door");
  AudioFinder finder(dir.path(), {"wavs", "."});

  EXPECT_FALSE(finder.find("../secret.wav"));
  EXPECT_FALSE(finder.find("x/../../../secret"));
  EXPECT_FALSE(finder.find((outside.path() / "secret.wav").string()));
  EXPECT_FALSE(finder.find("link"));
  EXPECT_FALSE(finder.find("link.wav"));
  EXPECT_FALSE(finder.find("door/secret.wav"));
  EXPECT_FALSE(finder.find("door/nothing"));
}

TEST(AudioFinder, FollowsLinksThatStayInside) {
  const support::TempDir dir;
  dir.write("store/a.wav", "x");
  fs::create_directories(dir.path() / "wavs");
  fs::create_symlink("../store/a.wav", dir.path() / "wavs/b.wav");
  AudioFinder finder(dir.path(), {"wavs"});

  EXPECT_EQ(finder.find("b"), fs::path("wavs/b.wav"));
}

TEST(AudioFinder, FindsUpperCaseSuffixes) {
  const support::TempDir dir;
  dir.write("wavs/a.WAV", "x");
  dir.write("wavs/b.FLAC", "x");
  AudioFinder finder(dir.path(), {"wavs"});

  EXPECT_EQ(finder.find("a"), "wavs/a.WAV");
  EXPECT_EQ(finder.find("b"), "wavs/b.FLAC");
  EXPECT_EQ(finder.find("c"), "wavs/c.wav");
}

}  // namespace
}  // namespace myxtts::corpus
