#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace myxtts::base {

class Pipe;

// A child process that keeps running and serves one request after the other, so that its start-up
// time is paid once. If it crashes, hangs or prints without end, that request fails, the child is
// killed and the next request restarts it. The child must exit at end of input, so that it also
// ends when this process is killed. Its standard error is discarded.
//
//   PersistentChild child({"cat"});
//   child.ask("hello\n", [](std::string_view text) { return text.ends_with('\n'); }, 1s);
//
// Not thread-safe.
class PersistentChild {
 public:
  // Does not start the child. argv[0] is looked up in PATH.
  explicit PersistentChild(std::vector<std::string> argv);
  ~PersistentChild();
  PersistentChild(const PersistentChild&) = delete;
  PersistentChild& operator=(const PersistentChild&) = delete;

  // Starts the child unless it runs. Returns false if the program does not exist.
  bool start();

  // Writes the request and reads until is_complete(response). Returns nullopt if the child could
  // not be started, died, printed more than max_response_bytes, or missed the timeout.
  std::optional<std::string> ask(std::string_view request,
                                 const std::function<bool(std::string_view)>& is_complete,
                                 std::chrono::milliseconds timeout);

  // Kills the child. The next request restarts it.
  void stop();

  pid_t pid() const { return pid_; }  // 0 if no child runs

  std::size_t max_response_bytes = std::size_t{1} << 20;

 private:
  bool write_some(std::string_view& rest) const;
  bool read_some(std::string& response) const;

  std::vector<std::string> argv_;
  std::unique_ptr<Pipe> in_, out_;
  pid_t pid_ = 0;
};

}  // namespace myxtts::base
