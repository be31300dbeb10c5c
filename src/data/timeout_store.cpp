#include "data/timeout_store.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace myxtts::data {
namespace {

// Owned by the reader thread and the caller: the reader may return after the timeout.
struct TimedRead {
  const std::function<std::vector<float>()> read;
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;  // guarded by mutex, as the members below
  std::vector<float> values;
  std::exception_ptr fault;

  explicit TimedRead(std::function<std::vector<float>()> read_values)
      : read(std::move(read_values)) {}

  void run() {
    std::vector<float> result;
    std::exception_ptr failure;
    try {
      result = read();
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex);
      values = std::move(result);
      fault = std::move(failure);
      has_ended = true;
    }
    ended.notify_one();
  }
};

std::vector<float> read_with_timeout(std::function<std::vector<float>()> read,
                                     std::chrono::milliseconds timeout) {
  const auto timed = std::make_shared<TimedRead>(std::move(read));
  std::thread reader([timed] { timed->run(); });
  std::unique_lock lock(timed->mutex);
  const bool has_ended =
      timed->ended.wait_for(lock, timeout, [&timed] { return timed->has_ended; });
  lock.unlock();
  if (!has_ended) {
    reader.detach();
    throw UnreadableUtterance(read_timeout_reason(timeout));
  }
  reader.join();
  if (timed->fault) std::rethrow_exception(timed->fault);
  return std::move(timed->values);
}

}  // namespace

TimeoutMelStore::TimeoutMelStore(std::shared_ptr<const MelStore> mels,
                                 std::chrono::milliseconds timeout)
    : mels_(std::move(mels)), timeout_(timeout) {}

std::span<const float> TimeoutMelStore::read(std::size_t utterance, MelScratch& scratch) const {
  const auto read_one = [mels = mels_, utterance] {
    MelScratch own;
    const std::span<const float> mel = mels->read(utterance, own);
    return std::vector<float>(mel.begin(), mel.end());
  };
  scratch.values = read_with_timeout(read_one, timeout_);
  return scratch.values;
}

TimeoutWaveformStore::TimeoutWaveformStore(std::shared_ptr<const WaveformStore> waveforms,
                                           std::chrono::milliseconds timeout)
    : waveforms_(std::move(waveforms)), timeout_(timeout) {}

std::int64_t TimeoutWaveformStore::copy(std::size_t utterance,
                                        std::int64_t start,
                                        std::span<float> samples,
                                        MelScratch& /*scratch*/) const {
  const auto num_samples =
      std::make_shared<std::int64_t>(0);  // shared with a read that may not end
  const auto read_one =
      [waveforms = waveforms_, utterance, start, num_samples, size = samples.size()] {
        MelScratch own;
        std::vector<float> values(size);
        *num_samples = waveforms->copy(utterance, start, values, own);
        return values;
      };
  std::ranges::copy(read_with_timeout(read_one, timeout_), samples.begin());
  return *num_samples;
}

}  // namespace myxtts::data
