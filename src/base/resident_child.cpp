#include "base/resident_child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/error.h"

namespace xtts::base {
namespace {

using Clock = std::chrono::steady_clock;

class NullFile {
 public:
  NullFile() : descriptor_(::open("/dev/null", O_WRONLY | O_CLOEXEC)) {}
  ~NullFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  NullFile(const NullFile&) = delete;
  NullFile& operator=(const NullFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// Ends a child in the middle of whose answer we leave: the rest would be taken for the next one.
struct HalfDone {
  explicit HalfDone(ResidentChild& its_child) : child(its_child) {}
  ~HalfDone() {
    if (!is_whole) child.end();
  }
  HalfDone(const HalfDone&) = delete;
  HalfDone& operator=(const HalfDone&) = delete;

  ResidentChild& child;
  bool is_whole = false;
};

}  // namespace

ResidentChild::ResidentChild(std::vector<std::string> argv) : argv_(std::move(argv)) {
  invariant(!argv_.empty(), "a child command has a program");
}

ResidentChild::~ResidentChild() {
  end();
}

bool ResidentChild::start() {
  if (pid_ != 0) return true;
  const std::optional<std::string> program = find_program(argv_.front());
  if (!program) return false;
  auto in = std::make_unique<Pipe>();
  auto out = std::make_unique<Pipe>();
  const NullFile nowhere;
  // Not bound to this thread, which may end before we do.
  pid_ = start_child(*program,
                     argv_,
                     {.in = in->read_end(), .out = out->write_end(), .err = nowhere.descriptor()});
  in->close_read();
  out->close_write();
  ::fcntl(in->write_end(), F_SETFL, O_NONBLOCK);
  ::fcntl(out->read_end(), F_SETFL, O_NONBLOCK);
  in_ = std::move(in);
  out_ = std::move(out);
  return true;
}

void ResidentChild::end() {
  if (pid_ == 0) return;
  in_.reset();
  out_.reset();
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

// False: nobody reads any more.
bool ResidentChild::write_some(std::string_view& rest) const {
  const PipeSignalHeld held;
  const ssize_t count = ::write(in_->write_end(), rest.data(), rest.size());
  if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  return count > 0 || errno == EAGAIN || errno == EINTR;
}

// False: it has closed its output.
bool ResidentChild::read_some(std::string& answer) const {
  std::array<char, 1 << 14> block{};
  const ssize_t count = ::read(out_->read_end(), block.data(), block.size());
  if (count > 0) answer.append(block.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

std::optional<std::string> ResidentChild::ask(std::string_view request,
                                              const std::function<bool(std::string_view)>& is_whole,
                                              std::chrono::milliseconds deadline) {
  if (!start()) return std::nullopt;
  HalfDone half_done(*this);
  const Clock::time_point last = Clock::now() + deadline;
  std::string answer;
  while (!request.empty() || !is_whole(answer)) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(last - Clock::now()).count();
    std::array<pollfd, 2> waits{pollfd{request.empty() ? -1 : in_->write_end(), POLLOUT, 0},
                                pollfd{out_->read_end(), POLLIN, 0}};
    bool goes_on = left > 0;
    if (goes_on && ::poll(waits.data(), waits.size(), static_cast<int>(left)) > 0) {
      if (waits[0].revents != 0) goes_on = write_some(request);
      if (goes_on && waits[1].revents != 0) goes_on = read_some(answer);
    }
    if (!goes_on || answer.size() > max_answer_bytes) return std::nullopt;
  }
  half_done.is_whole = true;
  return answer;
}

}  // namespace xtts::base
