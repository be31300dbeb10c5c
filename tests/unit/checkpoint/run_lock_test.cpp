#include "checkpoint/run_lock.h"

#include <string>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace xtts::checkpoint {
namespace {

std::string refusal(const std::filesystem::path& run) {
  try {
    const RunLock lock(run);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// A process that holds the lock of a folder until it is killed.
class Holder {
 public:
  explicit Holder(const std::filesystem::path& run) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("no pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      const RunLock lock(run);
      static_cast<void>(!::write(ready[1], "x", 1));
      ::pause();
      ::_exit(0);
    }
    char byte = 0;
    ::close(ready[1]);
    held_ = ::read(ready[0], &byte, 1) == 1;
    ::close(ready[0]);
  }
  ~Holder() { kill(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  void kill() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    pid_ = -1;
  }
  bool held() const { return held_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  bool held_ = false;
};

TEST(RunLock, TheSecondProcessIsRefusedAndTheFirstNamed) {
  const support::TempDir dir;
  const Holder holder(dir.path() / "run");
  ASSERT_TRUE(holder.held());

  const std::string reason = refusal(dir.path() / "run");

  EXPECT_NE(reason.find("another run (pid " + std::to_string(holder.pid()) + ")"),
            std::string::npos)
      << reason;
}

TEST(RunLock, AKilledRunLeavesNoLock) {
  const support::TempDir dir;
  Holder holder(dir.path());
  ASSERT_TRUE(holder.held());

  holder.kill();

  EXPECT_EQ(refusal(dir.path()), "");
}

TEST(RunLock, EndsWithItsScope) {
  const support::TempDir dir;
  {
    const RunLock lock(dir.path());
    EXPECT_NE(refusal(dir.path()), "");
  }
  EXPECT_EQ(refusal(dir.path()), "");
}

TEST(RunLock, OtherRunsAreFree) {
  const support::TempDir dir;
  const RunLock lock(dir.path() / "one");

  EXPECT_EQ(refusal(dir.path() / "two"), "");
}

TEST(RunLock, AFileIsNoRunFolder) {
  const support::TempDir dir;

  EXPECT_THROW(RunLock{dir.write("run", "x")}, UsageError);
}

TEST(PidAtWork, IsTheHolderAndNobodyAfterIt) {
  const support::TempDir dir;
  EXPECT_EQ(pid_at_work(dir.path()), std::nullopt);
  EXPECT_EQ(pid_at_work(dir.path() / "nowhere"), std::nullopt);

  Holder holder(dir.path());
  ASSERT_TRUE(holder.held());
  EXPECT_EQ(pid_at_work(dir.path()), holder.pid());

  holder.kill();  // its number stays in the file
  EXPECT_NE(support::contents(dir.path() / "lock"), "");
  EXPECT_EQ(pid_at_work(dir.path()), std::nullopt);
}

TEST(PidAtWork, APidThatIsAnotherProgramsByNowIsNobody) {
  const support::TempDir dir;
  dir.write("lock", std::to_string(::getpid()) + "\n");

  EXPECT_EQ(pid_at_work(dir.path()), std::nullopt);
}

TEST(PidAtWork, LookingDoesNotStandInTheWay) {
  const support::TempDir dir;
  const RunLock lock(dir.path());

  EXPECT_EQ(pid_at_work(dir.path()), ::getpid());
  EXPECT_NE(refusal(dir.path()), "");
}

TEST(PidAtWork, AnOrderlyEndAndADamagedFileAreNobody) {
  const support::TempDir dir;
  { const RunLock lock(dir.path()); }
  EXPECT_EQ(pid_at_work(dir.path()), std::nullopt);

  for (const char* bytes : {"", "-1", "0", "x", "99999999999999999999"}) {
    dir.write("lock", bytes);
    EXPECT_EQ(pid_at_work(dir.path()), std::nullopt) << bytes;
  }
}

}  // namespace
}  // namespace xtts::checkpoint
