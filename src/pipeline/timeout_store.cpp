#include "pipeline/timeout_store.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace xtts::pipeline {
namespace {

// Owned by both sides: the reader may come back when nobody waits any more.
struct PatientRead {
  const std::function<std::vector<float>()> read;
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;  // under the lock, as the rest
  std::vector<float> values;
  std::exception_ptr fault;

  explicit PatientRead(std::function<std::vector<float>()> its_read) : read(std::move(its_read)) {}

  void run() {
    std::vector<float> found;
    std::exception_ptr failure;
    try {
      found = read();
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

std::vector<float> read_patiently(std::function<std::vector<float>()> read,
                                  std::chrono::milliseconds patience) {
  const auto going = std::make_shared<PatientRead>(std::move(read));
  std::thread reader([going] { going->run(); });
  std::unique_lock lock(going->mutex);
  const bool has_ended =
      going->ended.wait_for(lock, patience, [&going] { return going->has_ended; });
  lock.unlock();
  if (!has_ended) {
    reader.detach();
    throw UnreadableUtterance(stuck_reason(patience));
  }
  reader.join();
  if (going->fault) std::rethrow_exception(going->fault);
  return std::move(going->values);
}

}  // namespace

TimeoutMelStore::TimeoutMelStore(std::shared_ptr<const MelStore> mels,
                                 std::chrono::milliseconds patience)
    : mels_(std::move(mels)), patience_(patience) {}

std::span<const float> TimeoutMelStore::read(std::size_t utterance, MelScratch& scratch) const {
  const auto read_one = [mels = mels_, utterance] {
    MelScratch own;
    const std::span<const float> mel = mels->read(utterance, own);
    return std::vector<float>(mel.begin(), mel.end());
  };
  scratch.values = read_patiently(read_one, patience_);
  return scratch.values;
}

TimeoutWaveformStore::TimeoutWaveformStore(std::shared_ptr<const WaveformStore> sounds,
                                           std::chrono::milliseconds patience)
    : sounds_(std::move(sounds)), patience_(patience) {}

std::int64_t TimeoutWaveformStore::copy(std::size_t utterance,
                                        std::int64_t start,
                                        std::span<float> place,
                                        MelScratch& /*scratch*/) const {
  const auto num_samples = std::make_shared<std::int64_t>(0);  // with a read that may not end
  const auto read_one = [sounds = sounds_, utterance, start, num_samples, size = place.size()] {
    MelScratch own;
    std::vector<float> values(size);
    *num_samples = sounds->copy(utterance, start, values, own);
    return values;
  };
  std::ranges::copy(read_patiently(read_one, patience_), place.begin());
  return *num_samples;
}

}  // namespace xtts::pipeline
