#pragma once

#include <string>
#include <vector>

#include "step/graph_device.h"

namespace myxtts::step {

// Fake of GraphDevice that runs work at once instead of asynchronously. A capture only stores the
// work, so that captured constants and moved memory are detected.
class ImmediateDevice : public GraphDevice {
 public:
  void warm_up(const Work& work) override { work(); }
  GraphId capture(const Work& work) override {
    if (!capture_error.empty()) throw CaptureError(capture_error);
    graphs_.push_back(work);
    return graphs_.size() - 1;
  }
  void replay(GraphId graph) override { graphs_.at(graph)(); }
  void run(const Work& work) override { work(); }
  void stage(std::size_t, const Work& copy) override { copy(); }
  void take(std::size_t, const Work& move) override { move(); }
  void send_report(std::size_t, const Work& copy) override { copy(); }
  void await_report(std::size_t) override {}

  std::string capture_error;  // reason with which captures fail; empty: they succeed

 private:
  std::vector<Work> graphs_;
};

}  // namespace myxtts::step
