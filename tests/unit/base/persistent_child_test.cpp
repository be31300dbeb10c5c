#include "base/persistent_child.h"

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

namespace myxtts::base {
namespace {

using namespace std::chrono_literals;

bool is_line(std::string_view response) {
  return response.ends_with('\n');
}

PersistentChild shell_child(const std::string& script) {
  return PersistentChild({"sh", "-c", script});
}

// A zombie counts as not running.
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

TEST(PersistentChild, ServesOneRequestAfterTheOther) {
  PersistentChild child({"cat"});

  EXPECT_EQ(child.ask("one\n", is_line, 5s), "one\n");
  const pid_t first = child.pid();
  EXPECT_EQ(child.ask("two\n", is_line, 5s), "two\n");

  EXPECT_EQ(child.pid(), first);
}

TEST(PersistentChild, TransfersMoreThanAPipeHolds) {
  PersistentChild child({"cat"});
  const std::string request = std::string(1 << 19, 'x') + '\n';

  EXPECT_EQ(child.ask(request, is_line, 10s), request);
  EXPECT_EQ(child.ask("small\n", is_line, 5s), "small\n");
}

TEST(PersistentChild, CrashFailsOneRequestAndTheNextRestarts) {
  PersistentChild child = shell_child("read line; echo $line; read line; exit 3");

  EXPECT_EQ(child.ask("one\n", is_line, 5s), "one\n");
  EXPECT_EQ(child.ask("two\n", is_line, 5s), std::nullopt);
  EXPECT_EQ(child.pid(), 0);
  EXPECT_EQ(child.ask("three\n", is_line, 5s), "three\n");
}

TEST(PersistentChild, WritingToAnEndedChildRaisesNoSignal) {
  PersistentChild child = shell_child("exit 0");
  ASSERT_TRUE(child.start());
  ASSERT_TRUE(ends_soon(child.pid()));

  EXPECT_EQ(child.ask(std::string(1 << 18, 'x'), is_line, 5s), std::nullopt);
}

TEST(PersistentChild, HangingChildIsKilled) {
  PersistentChild child({"sleep", "60"});
  ASSERT_TRUE(child.start());
  const pid_t asleep = child.pid();
  const auto begin = std::chrono::steady_clock::now();

  EXPECT_EQ(child.ask("hello\n", is_line, 100ms), std::nullopt);

  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
  EXPECT_FALSE(is_running(asleep));
}

TEST(PersistentChild, EndlessOutputIsKilled) {
  PersistentChild child({"yes"});
  child.max_response_bytes = 1000;

  EXPECT_EQ(child.ask(
                "", [](std::string_view) { return false; }, 30s),
            std::nullopt);
  EXPECT_EQ(child.pid(), 0);
}

TEST(PersistentChild, MissingProgramGivesNoResponse) {
  PersistentChild child({"no-such-program-of-myxtts"});

  EXPECT_FALSE(child.start());
  EXPECT_EQ(child.ask("hello\n", is_line, 5s), std::nullopt);
}

TEST(PersistentChild, EndsWithItsOwner) {
  pid_t pid = 0;
  {
    PersistentChild child({"cat"});
    ASSERT_TRUE(child.start());
    pid = child.pid();
    EXPECT_TRUE(is_running(pid));
  }
  EXPECT_FALSE(is_running(pid));
}

TEST(PersistentChild, OutlivesTheThreadThatStartedIt) {
  PersistentChild child({"cat"});
  std::thread([&] { child.start(); }).join();
  const pid_t first = child.pid();

  EXPECT_EQ(child.ask("hello\n", is_line, 5s), "hello\n");
  EXPECT_EQ(child.pid(), first);
}

// Body of a separate process: starts a child, writes its pid and waits to be killed.
[[noreturn]] void start_and_wait(int pid_pipe) {
  try {
    PersistentChild child({"cat"});
    child.start();
    const pid_t pid = child.pid();
    if (::write(pid_pipe, &pid, sizeof pid) == sizeof pid) {
      while (true)
        ::pause();
    }
  } catch (...) {
    ::_exit(2);
  }
  ::_exit(1);
}

TEST(PersistentChild, EndsWhenTheParentIsKilled) {
  Pipe pid_pipe;
  const pid_t owner = ::fork();
  if (owner == 0) start_and_wait(pid_pipe.write_end());
  pid_pipe.close_write();
  pid_t child = 0;
  const ssize_t num_read = ::read(pid_pipe.read_end(), &child, sizeof child);
  const bool was_running = num_read == sizeof child && is_running(child);

  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);

  EXPECT_TRUE(was_running);
  EXPECT_TRUE(ends_soon(child));
}

}  // namespace
}  // namespace myxtts::base
