#include "base/persistent_child.h"

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

namespace myxtts::base {
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

// Stops the child unless its response was read completely: the rest would be read as the next one.
struct ResponseGuard {
  explicit ResponseGuard(PersistentChild& guarded_child) : child(guarded_child) {}
  ~ResponseGuard() {
    if (!is_complete) child.stop();
  }
  ResponseGuard(const ResponseGuard&) = delete;
  ResponseGuard& operator=(const ResponseGuard&) = delete;

  PersistentChild& child;
  bool is_complete = false;
};

}  // namespace

PersistentChild::PersistentChild(std::vector<std::string> argv) : argv_(std::move(argv)) {
  invariant(!argv_.empty(), "a child command has a program");
}

PersistentChild::~PersistentChild() {
  stop();
}

bool PersistentChild::start() {
  if (pid_ != 0) return true;
  const std::optional<std::string> program = find_program(argv_.front());
  if (!program) return false;
  auto in = std::make_unique<Pipe>();
  auto out = std::make_unique<Pipe>();
  const NullFile null_file;
  // Without dies_with_thread: the calling thread may end before the process does.
  pid_ =
      start_child(*program,
                  argv_,
                  {.in = in->read_end(), .out = out->write_end(), .err = null_file.descriptor()});
  in->close_read();
  out->close_write();
  ::fcntl(in->write_end(), F_SETFL, O_NONBLOCK);
  ::fcntl(out->read_end(), F_SETFL, O_NONBLOCK);
  in_ = std::move(in);
  out_ = std::move(out);
  return true;
}

void PersistentChild::stop() {
  if (pid_ == 0) return;
  in_.reset();
  out_.reset();
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

// Returns false if the child has closed its input.
bool PersistentChild::write_some(std::string_view& rest) const {
  const SigpipeBlock sigpipe_block;
  const ssize_t count = ::write(in_->write_end(), rest.data(), rest.size());
  if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  return count > 0 || errno == EAGAIN || errno == EINTR;
}

// Returns false if the child has closed its output.
bool PersistentChild::read_some(std::string& response) const {
  std::array<char, 1 << 14> block{};
  const ssize_t count = ::read(out_->read_end(), block.data(), block.size());
  if (count > 0) response.append(block.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

std::optional<std::string> PersistentChild::ask(
    std::string_view request,
    const std::function<bool(std::string_view)>& is_complete,
    std::chrono::milliseconds timeout) {
  if (!start()) return std::nullopt;
  ResponseGuard guard(*this);
  const Clock::time_point end = Clock::now() + timeout;
  std::string response;
  while (!request.empty() || !is_complete(response)) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    std::array<pollfd, 2> waits{pollfd{request.empty() ? -1 : in_->write_end(), POLLOUT, 0},
                                pollfd{out_->read_end(), POLLIN, 0}};
    bool is_ok = left > 0;
    if (is_ok && ::poll(waits.data(), waits.size(), static_cast<int>(left)) > 0) {
      if (waits[0].revents != 0) is_ok = write_some(request);
      if (is_ok && waits[1].revents != 0) is_ok = read_some(response);
    }
    if (!is_ok || response.size() > max_response_bytes) return std::nullopt;
  }
  guard.is_complete = true;
  return response;
}

}  // namespace myxtts::base
