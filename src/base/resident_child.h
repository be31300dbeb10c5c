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

namespace xtts::base {

class Pipe;

// A program that is not ours and stays, to answer one request after the other: what starting it
// costs is paid once. It may crash, hang or print without end, which costs that one answer: it is
// ended, and the next request starts it anew. It ends when its standard input does, so also when we
// are killed. What it says on standard error is thrown away.
//
//   ResidentChild child({"cat"});
//   child.ask("hello\n", [](std::string_view answer) { return answer.ends_with('\n'); }, 1s);
//
// Not thread-safe.
class ResidentChild {
 public:
  // argv[0] is looked up in PATH. Nothing is started yet.
  explicit ResidentChild(std::vector<std::string> argv);
  ~ResidentChild();
  ResidentChild(const ResidentChild&) = delete;
  ResidentChild& operator=(const ResidentChild&) = delete;

  // Starts it ahead of the first request, if it does not run. False: there is no such program.
  bool start();

  // Writes the request and reads until is_whole(answer). Absent: it could not be started, died,
  // printed more than max_answer_bytes, or the deadline passed.
  std::optional<std::string> ask(std::string_view request,
                                 const std::function<bool(std::string_view)>& is_whole,
                                 std::chrono::milliseconds deadline);

  // Ends it, whatever it is doing; the next request starts it anew.
  void end();

  pid_t pid() const { return pid_; }  // 0 while none runs

  std::size_t max_answer_bytes = std::size_t{1} << 20;

 private:
  bool write_some(std::string_view& rest) const;
  bool read_some(std::string& answer) const;

  std::vector<std::string> argv_;
  std::unique_ptr<Pipe> in_, out_;
  pid_t pid_ = 0;
};

}  // namespace xtts::base
