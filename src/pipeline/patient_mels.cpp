#include "pipeline/patient_mels.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace xtts::pipeline {
namespace {

// Owned by both sides: the reader may come back when nobody waits any more.
struct PatientRead {
  const std::shared_ptr<const MelStore> mels;
  const std::size_t utterance = 0;
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;     // under the lock, as the rest
  std::vector<float> values;  // [M, C]
  std::exception_ptr fault;

  PatientRead(std::shared_ptr<const MelStore> store, std::size_t index)
      : mels(std::move(store)), utterance(index) {}

  void run() {
    std::vector<float> found;
    std::exception_ptr failure;
    try {
      MelScratch scratch;
      const std::span<const float> mel = mels->read(utterance, scratch);
      found.assign(mel.begin(), mel.end());
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex);
      values = std::move(found);
      fault = std::move(failure);
      has_ended = true;
    }
    ended.notify_one();
  }
};

}  // namespace

PatientMels::PatientMels(std::shared_ptr<const MelStore> mels, std::chrono::milliseconds patience)
    : mels_(std::move(mels)), patience_(patience) {}

std::span<const float> PatientMels::read(std::size_t utterance, MelScratch& scratch) const {
  const auto going = std::make_shared<PatientRead>(mels_, utterance);
  std::thread reader([going] { going->run(); });
  std::unique_lock lock(going->mutex);
  const bool has_ended =
      going->ended.wait_for(lock, patience_, [&going] { return going->has_ended; });
  lock.unlock();
  if (!has_ended) {
    reader.detach();
    throw LostUtterance(stuck_reason(patience_));
  }
  reader.join();
  if (going->fault) std::rethrow_exception(going->fault);
  scratch.values = std::move(going->values);
  return scratch.values;
}

}  // namespace xtts::pipeline
