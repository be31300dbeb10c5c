#include "base/resident_child.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"

namespace xtts::base {
namespace {

using namespace std::chrono_literals;

bool is_line(std::string_view answer) {
  return answer.ends_with('\n');
}

ResidentChild resident_shell(const std::string& script) {
  return ResidentChild({"sh", "-c", script});
}

// One that has ended and waits for who started it to ask counts as gone.
bool is_running(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string number;
  std::string name;
  std::string state;
  file >> number >> name >> state;
  return !state.empty() && state != "Z" && state != "X";
}

bool ends_soon(pid_t pid) {
  for (int i = 0; i < 1000 && is_running(pid); ++i)
    std::this_thread::sleep_for(10ms);
  return !is_running(pid);
}

TEST(ResidentChild, AnswersOneRequestAfterTheOther) {
  ResidentChild child({"cat"});

  EXPECT_EQ(child.ask("one\n", is_line, 5s), "one\n");
  const pid_t first = child.pid();
  EXPECT_EQ(child.ask("two\n", is_line, 5s), "two\n");

  EXPECT_EQ(child.pid(), first);
}

TEST(ResidentChild, FeedsAndReadsMoreThanAPipeHolds) {
  ResidentChild child({"cat"});
  const std::string request = std::string(1 << 19, 'x') + '\n';

  EXPECT_EQ(child.ask(request, is_line, 10s), request);
  EXPECT_EQ(child.ask("small\n", is_line, 5s), "small\n");
}

TEST(ResidentChild, OneThatDiesCostsOneAnswer) {
  ResidentChild child = resident_shell("read line; echo $line; read line; exit 3");

  EXPECT_EQ(child.ask("one\n", is_line, 5s), "one\n");
  EXPECT_EQ(child.ask("two\n", is_line, 5s), std::nullopt);
  EXPECT_EQ(child.pid(), 0);
  EXPECT_EQ(child.ask("three\n", is_line, 5s), "three\n");
}

TEST(ResidentChild, OneThatHasGoneBeforeIsNoSignalToUs) {
  ResidentChild child = resident_shell("exit 0");
  ASSERT_TRUE(child.start());
  ASSERT_TRUE(ends_soon(child.pid()));

  EXPECT_EQ(child.ask(std::string(1 << 18, 'x'), is_line, 5s), std::nullopt);
}

TEST(ResidentChild, OneThatDoesNotAnswerIsEnded) {
  ResidentChild child({"sleep", "60"});
  ASSERT_TRUE(child.start());
  const pid_t asleep = child.pid();
  const auto begin = std::chrono::steady_clock::now();

  EXPECT_EQ(child.ask("hello\n", is_line, 100ms), std::nullopt);

  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
  EXPECT_FALSE(is_running(asleep));
}

TEST(ResidentChild, OneThatPrintsWithoutEndIsEnded) {
  ResidentChild child({"yes"});
  child.max_answer_bytes = 1000;

  EXPECT_EQ(child.ask(
                "", [](std::string_view) { return false; }, 30s),
            std::nullopt);
  EXPECT_EQ(child.pid(), 0);
}

TEST(ResidentChild, AProgramThatIsNotThereGivesNoAnswer) {
  ResidentChild child({"no-such-program-of-myxtts"});

  EXPECT_FALSE(child.start());
  EXPECT_EQ(child.ask("hello\n", is_line, 5s), std::nullopt);
}

TEST(ResidentChild, ItEndsWithItsOwner) {
  pid_t pid = 0;
  {
    ResidentChild child({"cat"});
    ASSERT_TRUE(child.start());
    pid = child.pid();
    EXPECT_TRUE(is_running(pid));
  }
  EXPECT_FALSE(is_running(pid));
}

TEST(ResidentChild, ItOutlivesTheThreadThatStartedIt) {
  ResidentChild child({"cat"});
  std::thread([&] { child.start(); }).join();
  const pid_t first = child.pid();

  EXPECT_EQ(child.ask("hello\n", is_line, 5s), "hello\n");
  EXPECT_EQ(child.pid(), first);
}

// In a process of its own: starts a child, tells its number and waits to be killed.
[[noreturn]] void start_and_wait(int told) {
  try {
    ResidentChild child({"cat"});
    child.start();
    const pid_t pid = child.pid();
    if (::write(told, &pid, sizeof pid) == sizeof pid) {
      while (true)
        ::pause();
    }
  } catch (...) {
    ::_exit(2);
  }
  ::_exit(1);
}

TEST(ResidentChild, ItEndsWhenWeAreKilled) {
  Pipe told;
  const pid_t owner = ::fork();
  if (owner == 0) start_and_wait(told.write_end());
  told.close_write();
  pid_t resident = 0;
  const ssize_t heard = ::read(told.read_end(), &resident, sizeof resident);
  const bool was_running = heard == sizeof resident && is_running(resident);

  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);

  EXPECT_TRUE(was_running);
  EXPECT_TRUE(ends_soon(resident));
}

}  // namespace
}  // namespace xtts::base
