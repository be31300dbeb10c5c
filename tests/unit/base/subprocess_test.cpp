#include "base/subprocess.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/parallel.h"

namespace myxtts::base {
namespace {

using namespace std::chrono_literals;

ChildResult shell(const std::string& script,
                  std::string input = "",
                  std::chrono::milliseconds timeout = 5s) {
  return run_child({.argv = {"sh", "-c", script}, .input = std::move(input), .timeout = timeout});
}

TEST(RunChild, ReturnsOutputErrorsAndExitCode) {
  const ChildResult result = shell("cat; echo trouble >&2; exit 3", "hello");

  EXPECT_EQ(result.end, ChildEnd::kExited);
  EXPECT_EQ(result.code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.output, "hello");
  EXPECT_EQ(result.errors, "trouble\n");
}

TEST(RunChild, TransfersMoreThanAPipeHolds) {
  const std::string input(1 << 19, 'x');

  const ChildResult result = shell("cat", input);

  EXPECT_TRUE(result.ok()) << result.message();
  EXPECT_EQ(result.output, input);
}

TEST(RunChild, KillsAHangingChild) {
  const auto start = std::chrono::steady_clock::now();

  const ChildResult result = shell("exec sleep 60", "", 100ms);

  EXPECT_EQ(result.end, ChildEnd::kTimedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST(RunChild, KillsAHangingChildThatClosedItsOutput) {
  EXPECT_EQ(shell("exec >&- 2>&-; exec sleep 60", "", 200ms).end, ChildEnd::kTimedOut);
}

TEST(RunChild, ReportsASignal) {
  const ChildResult result = shell("kill -ABRT $$");

  EXPECT_EQ(result.end, ChildEnd::kSignalled);
  EXPECT_NE(result.message().find("signal 6"), std::string::npos) << result.message();
}

TEST(RunChild, StopsEndlessOutput) {
  const ChildResult result =
      run_child({.argv = {"yes"}, .input = "", .timeout = 20s, .max_output_bytes = 1000});

  EXPECT_EQ(result.end, ChildEnd::kTooMuchOutput);
  EXPECT_LT(result.output.size(), std::size_t{100000});
}

TEST(RunChild, ChildMayIgnoreItsInput) {
  EXPECT_TRUE(shell("exit 0", std::string(1 << 20, 'x')).ok());
}

TEST(RunChild, MissingProgramIsAResultValue) {
  EXPECT_EQ(run_child({.argv = {"no-such-program-here"}, .input = ""}).end, ChildEnd::kNotFound);
  EXPECT_FALSE(program_exists("no-such-program-here"));
  EXPECT_TRUE(program_exists("sh"));
}

TEST(RunChild, KeepsTheEndOfALongErrorOutput) {
  const ChildResult result = shell("yes noise | head -c 1000000 >&2; echo the reason >&2");

  EXPECT_TRUE(result.ok()) << result.message();
  EXPECT_TRUE(result.errors.ends_with("the reason\n"));
  EXPECT_LT(result.errors.size(), std::size_t{200'000});
}

TEST(RunChild, ForwardsErrorOutputWhileRunning) {
  std::string received;

  const ChildResult result =
      run_child({.argv = {"sh", "-c", "echo one >&2; echo two >&2"},
                 .input = "",
                 .on_stderr = [&](std::string_view text) { received += text; }});

  EXPECT_EQ(received, "one\ntwo\n");
  EXPECT_EQ(result.errors, received);
}

// The background process of the job would outlive a kill of the shell alone.
TEST(RunChild, JobIsKilledWithAllItsProcesses) {
  const ChildResult result = run_child({.argv = {"sh", "-c", "sleep 60 & echo $!; wait"},
                                        .input = "",
                                        .timeout = 300ms,
                                        .is_job = true});

  EXPECT_EQ(result.end, ChildEnd::kTimedOut);
  const int started = std::stoi(result.output);
  // A killed process is a zombie until its new parent reaps it.
  for (int i = 0; i < 100; ++i) {
    std::ifstream file("/proc/" + std::to_string(started) + "/stat");
    std::string number;
    std::string name;
    std::string state;
    if (!(file >> number >> name >> state) || state == "Z") return;
    std::this_thread::sleep_for(50ms);
  }
  FAIL() << "process " << started << " still runs";
}

TEST(RunChildDeathTest, JobEndsAfterAnInterrupt) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGTERM);
        const ChildResult result =
            run_child({.argv = {"sleep", "60"}, .input = "", .timeout = 30s, .is_job = true});
        std::exit(result.end == ChildEnd::kInterrupted ? 42 : 1);
      },
      testing::ExitedWithCode(42),
      "");
}

// Returns the signal mask of one line of /proc/self/status in a child process.
std::uint64_t signals_of_child(const std::string& line) {
  const ChildResult result =
      run_child({.argv = {"grep", line + ":", "/proc/self/status"}, .input = ""});
  return result.ok() ? std::stoull(result.output.substr(line.size() + 1), nullptr, 16) : ~0ULL;
}

std::uint64_t bit_of(int number) {
  return std::uint64_t{1} << static_cast<unsigned>(number - 1);
}

// All signals are blocked while a child starts. Neither process may keep that mask.
TEST(RunChild, InheritsTheSignalMask) {
  sigset_t some;
  sigset_t before;
  sigset_t after;
  ::sigemptyset(&some);
  ::sigaddset(&some, SIGUSR2);
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &some, &before), 0);
  const std::uint64_t blocked = signals_of_child("SigBlk");
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, &after), 0);

  EXPECT_EQ(blocked, bit_of(SIGUSR2));
  EXPECT_EQ(::sigismember(&after, SIGUSR2), 1);
  EXPECT_EQ(::sigismember(&after, SIGINT), 0);
}

TEST(RunChild, InheritsIgnoredSignalsExceptSigpipe) {
  const auto on_pipe = ::signal(SIGPIPE, SIG_IGN);
  const auto on_user = ::signal(SIGUSR1, SIG_IGN);
  const std::uint64_t ignored = signals_of_child("SigIgn");
  ::signal(SIGPIPE, on_pipe);
  ::signal(SIGUSR1, on_user);

  EXPECT_EQ(ignored & (bit_of(SIGPIPE) | bit_of(SIGUSR1)), bit_of(SIGUSR1));
}

// After fork() every page would fault again, which would stall a training with much memory.
TEST(RunChild, StartingAChildCausesNoPageFaults) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer replaces vfork by fork";
#endif
  constexpr std::size_t kPages = 4096;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const mapped =
      ::mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  ::madvise(mapped, kPages * page, MADV_NOHUGEPAGE);
  char* const memory = static_cast<char*>(mapped);
  const auto touch = [&] {
    for (std::size_t i = 0; i < kPages; ++i)
      ++memory[i * page];
  };
  touch();
  const bool started = shell("true").ok();
  rusage before{};
  rusage after{};
  ::getrusage(RUSAGE_THREAD, &before);
  touch();
  ::getrusage(RUSAGE_THREAD, &after);
  ::munmap(mapped, kPages * page);

  EXPECT_TRUE(started);
  EXPECT_LT(after.ru_minflt - before.ru_minflt, static_cast<long>(kPages / 10));
}

TEST(RunChild, ConcurrentChildrenDoNotMixTheirPipes) {
  parallel_for(40, 4, [](std::size_t i) {
    const std::string word = std::to_string(i);
    const ChildResult result = shell("cat", word);
    EXPECT_EQ(result.output, word);
  });
}

}  // namespace
}  // namespace myxtts::base
