#include "checkpoint/run_lock.h"

#include <string>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "support/temp_dir.h"

namespace myxtts::checkpoint {
namespace {

std::string lock_error(const std::filesystem::path& run) {
  try {
    const RunLock lock(run);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// A process that holds the lock of a folder until it is killed.
class LockHolder {
 public:
  explicit LockHolder(const std::filesystem::path& run) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("pipe() failed");
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
  ~LockHolder() { kill(); }
  LockHolder(const LockHolder&) = delete;
  LockHolder& operator=(const LockHolder&) = delete;

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

TEST(RunLock, SecondProcessIsRefusedWithThePidOfTheFirst) {
  const support::TempDir dir;
  const LockHolder holder(dir.path() / "run");
  ASSERT_TRUE(holder.held());

  const std::string reason = lock_error(dir.path() / "run");

  EXPECT_NE(reason.find("another run (pid " + std::to_string(holder.pid()) + ")"),
            std::string::npos)
      << reason;
}

TEST(RunLock, KillReleasesTheLock) {
  const support::TempDir dir;
  LockHolder holder(dir.path());
  ASSERT_TRUE(holder.held());

  holder.kill();

  EXPECT_EQ(lock_error(dir.path()), "");
}

TEST(RunLock, DestructorReleasesTheLock) {
  const support::TempDir dir;
  {
    const RunLock lock(dir.path());
    EXPECT_NE(lock_error(dir.path()), "");
  }
  EXPECT_EQ(lock_error(dir.path()), "");
}

TEST(RunLock, OtherRunFoldersAreNotLocked) {
  const support::TempDir dir;
  const RunLock lock(dir.path() / "one");

  EXPECT_EQ(lock_error(dir.path() / "two"), "");
}

TEST(RunLock, RefusesAFileAsRunFolder) {
  const support::TempDir dir;

  EXPECT_THROW(RunLock{dir.write("run", "x")}, UsageError);
}

TEST(RunningPid, IsTheHolderUntilItEnds) {
  const support::TempDir dir;
  EXPECT_EQ(running_pid(dir.path()), std::nullopt);
  EXPECT_EQ(running_pid(dir.path() / "nowhere"), std::nullopt);

  LockHolder holder(dir.path());
  ASSERT_TRUE(holder.held());
  EXPECT_EQ(running_pid(dir.path()), holder.pid());

  holder.kill();  // its pid stays in the file
  EXPECT_NE(support::contents(dir.path() / "lock"), "");
  EXPECT_EQ(running_pid(dir.path()), std::nullopt);
}

TEST(RunningPid, ReusedPidIsNotTheHolder) {
  const support::TempDir dir;
  dir.write("lock", std::to_string(::getpid()) + "\n");

  EXPECT_EQ(running_pid(dir.path()), std::nullopt);
}

TEST(RunningPid, DoesNotDisturbTheLock) {
  const support::TempDir dir;
  const RunLock lock(dir.path());

  EXPECT_EQ(running_pid(dir.path()), ::getpid());
  EXPECT_NE(lock_error(dir.path()), "");
}

TEST(RunningPid, NormalExitAndDamagedFileGiveNoPid) {
  const support::TempDir dir;
  { const RunLock lock(dir.path()); }
  EXPECT_EQ(running_pid(dir.path()), std::nullopt);

  for (const char* bytes : {"", "-1", "0", "x", "99999999999999999999"}) {
    dir.write("lock", bytes);
    EXPECT_EQ(running_pid(dir.path()), std::nullopt) << bytes;
  }
}

}  // namespace
}  // namespace myxtts::checkpoint
