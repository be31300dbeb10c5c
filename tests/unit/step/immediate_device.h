#pragma once

#include <string>
#include <vector>

#include "step/graph_device.h"

namespace xtts::step {

// A device that does at once what a GPU would do later. A capture runs nothing and remembers the
// work, so that a number that was frozen into it, or memory that moved, would be seen.
class ImmediateDevice : public GraphDevice {
 public:
  void warm_up(const Work& work) override { work(); }
  GraphId capture(const Work& work) override {
    if (!refusal.empty()) throw CaptureFailed(refusal);
    graphs_.push_back(work);
    return graphs_.size() - 1;
  }
  void replay(GraphId graph) override { graphs_.at(graph)(); }
  void run(const Work& work) override { work(); }
  void stage(std::size_t, const Work& copy) override { copy(); }
  void take(std::size_t, const Work& move) override { move(); }
  void send_report(std::size_t, const Work& copy) override { copy(); }
  void await_report(std::size_t) override {}

  std::string refusal;  // what captures fail with; empty: they do not

 private:
  std::vector<Work> graphs_;
};

}  // namespace xtts::step
