#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "step/graph_device.h"

namespace myxtts::step {

using Calls = std::vector<std::string>;

// Fake of GraphDevice and StepWork that records every call: "stage 0: fill 4x8x32". Graphs are
// named after the captured work, so that a replay of the wrong graph is detected.
class Recorder : public GraphDevice, public StepWork {
 public:
  void warm_up(const Work& work) override { note("warm up: " + inside(work)); }

  GraphId capture(const Work& work) override {
    const std::string content = inside(work);
    note("capture: " + content);
    if (uncapturable.contains(content))
      throw CaptureError("operation not permitted when capturing");
    graphs.push_back(content);
    return graphs.size() - 1;
  }

  void replay(GraphId graph) override { note("replay: " + graphs.at(graph)); }
  void run(const Work& work) override { note("run: " + inside(work)); }

  void stage(std::size_t slot, const Work& copy) override {
    note(fmt::format("stage {}: {}", slot, inside(copy)));
  }
  void take(std::size_t slot, const Work& move) override {
    note(fmt::format("take {}: {}", slot, inside(move)));
  }
  void send_report(std::size_t slot, const Work& copy) override {
    note(fmt::format("send {}: {}", slot, inside(copy)));
  }
  void await_report(std::size_t slot) override { note(fmt::format("await {}", slot)); }

  void make_inputs(const data::Signature& signature) override {
    note("make inputs " + data::name_of(signature));
  }
  void fill_slot(std::size_t slot, const data::MicroBatch& batch) override {
    note(fmt::format("fill {} with {}", slot, batch.ids.at(0)));
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_to_fill));
  }
  void consume_slot(std::size_t slot, const data::Signature& signature) override {
    note(fmt::format("{} to {}", slot, data::name_of(signature)));
  }
  void write_scalars(const StepScalars& scalars) override {
    note(fmt::format(
        "scalars {} {} {}", scalars.learning_rate, scalars.diagonal, scalars.counts.frames));
  }
  void clear() override { note("clear"); }
  void forward_backward(const data::Signature& signature) override {
    note("forward " + data::name_of(signature));
  }
  void set_gradients_to_nan() override { note("set to nan"); }
  void update() override { note("update"); }
  void copy_report(std::size_t slot) override {
    note(fmt::format("report {}", slot));
    slots[slot] = next_report;
  }
  StepReport read_report(std::size_t slot) override {
    note(fmt::format("read {}", slot));
    return slots.at(slot);
  }

  // Returns the calls since the last take_calls().
  Calls take_calls() { return std::exchange(calls_, {}); }

  double seconds_to_fill = 0.0;        // duration of fill_slot()
  std::set<std::string> uncapturable;  // works whose capture fails
  std::vector<std::string> graphs;     // captured work of each graph
  StepReport next_report;              // of the next step
  std::map<std::size_t, StepReport> slots;

 private:
  void note(std::string call) { calls_.push_back(std::move(call)); }

  // Returns the calls that `work` makes as one string.
  std::string inside(const Work& work) {
    Calls before = std::exchange(calls_, {});
    work();
    const std::string content = fmt::format("{}", fmt::join(calls_, ", "));
    calls_ = std::move(before);
    return content;
  }

  Calls calls_;
};

}  // namespace myxtts::step
