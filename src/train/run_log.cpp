#include "train/run_log.h"

#include <array>
#include <ctime>

#include "base/terminal.h"

namespace myxtts::train {
namespace {

std::string time_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ ", &parts);
  return {text.data(), size};
}

}  // namespace

void RunLog::write(std::string_view text) {
  const std::scoped_lock lock(mutex_);
  base::write_log(text);

  const std::string stamp = time_stamp();
  std::string stamped;
  for (const char letter : text) {
    if (at_line_start_) stamped += stamp;
    stamped += letter;
    at_line_start_ = letter == '\n';
  }
  file_.append(stamped);
  file_.flush();  // keeps the last lines if the process is killed
}

}  // namespace myxtts::train
