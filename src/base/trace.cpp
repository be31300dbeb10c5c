#include "base/trace.h"

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/trace_ring.h"
#include "base/trace_writer.h"

namespace myxtts::base {

namespace detail {

// A thread in a trace. Owned by the thread and the trace, because either may end first.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the ring separates cache lines
struct Track {
  Track(std::int64_t track_number, std::int64_t capacity) : number(track_number), ring(capacity) {}

  const std::int64_t number;  // "tid"
  TraceRing ring;
  std::atomic<bool> has_ended = false;
  std::int64_t reported_dropped = 0;  // used by the writer only
  std::string name;                   // guarded by g_mutex
  bool name_is_new = false;           // guarded by g_mutex
};

// The part of the open trace that recording threads register with.
struct OpenTrace {
  std::uint64_t session = 0;
  std::int64_t events_per_thread = 0;
  std::int64_t next_number = 1;
  std::vector<std::shared_ptr<Track>> tracks;  // of threads that run or have unwritten events
};

}  // namespace detail

namespace {

using detail::OpenTrace;
using detail::Track;

constexpr std::size_t kMaxTracks = 512;  // threads with a ring at the same time
constexpr int kWriterNiceness = 10;      // the training threads have precedence

std::mutex g_mutex;                // taken to register or name a thread, never to record
OpenTrace* g_open = nullptr;       // guarded by g_mutex
std::uint64_t g_num_sessions = 0;  // guarded by g_mutex
std::atomic<std::uint64_t> g_session = 0;
std::atomic<std::int64_t> g_num_untracked = 0;  // events of threads beyond kMaxTracks

struct ThreadState {
  ThreadState() = default;
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState() {
    if (track) track->has_ended.store(true, std::memory_order_release);
  }

  std::string name;
  std::uint64_t session = 0;     // last session this thread registered with
  std::shared_ptr<Track> track;  // in that session; null if there were too many
};

thread_local ThreadState thread_state;

void join_trace(std::uint64_t session) {
  const std::lock_guard lock(g_mutex);
  if (thread_state.track) thread_state.track->has_ended.store(true, std::memory_order_release);
  thread_state.track.reset();
  thread_state.session = session;
  if (g_open == nullptr || g_open->session != session) return;
  if (g_open->tracks.size() >= kMaxTracks) return;
  auto track = std::make_shared<Track>(g_open->next_number++, g_open->events_per_thread);
  track->name = thread_state.name;
  track->name_is_new = !track->name.empty();
  g_open->tracks.push_back(track);
  thread_state.track = std::move(track);
}

void add_to_track(const TraceEvent& event) {
  const std::uint64_t session = g_session.load(std::memory_order_relaxed);
  if (thread_state.session != session) [[unlikely]]
    join_trace(session);
  if (thread_state.track) [[likely]] {
    thread_state.track->ring.add(event);
  } else {
    g_num_untracked.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace

namespace detail {

std::atomic<bool> g_is_tracing = false;

void record_span(const char* name, std::int64_t number, std::int64_t start_ns) {
  add_to_track({.name = name,
                .start_ns = start_ns,
                .duration_ns = trace_clock_ns() - start_ns,
                .number = number});
}

void record_counter(const char* name, std::int64_t value) {
  add_to_track({.name = name, .start_ns = trace_clock_ns(), .duration_ns = -1, .number = value});
}

}  // namespace detail

struct TraceFile::Impl {
  Impl(const std::filesystem::path& path, const TraceSettings& settings)
      : writer(path, trace_clock_ns(), settings.max_bytes), write_every(settings.write_every) {
    open.events_per_thread = settings.events_per_thread;
  }

  void write_now();
  void write_track(Track& track);
  void write_loop(const std::stop_token& stop);

  OpenTrace open;
  std::mutex writing;  // locked before g_mutex
  TraceWriter writer;
  std::int64_t dropped = 0;  // by full rings
  std::chrono::milliseconds write_every;
  std::condition_variable_any wake;
  std::mutex wake_mutex;
  std::jthread thread;
  std::optional<TraceSummary> summary;  // set by finish()
};

void TraceFile::Impl::write_track(Track& track) {
  track.ring.drain([&](const TraceEvent& event) { writer.add(event, track.number); });
  const std::int64_t now_dropped = track.ring.dropped();
  if (now_dropped == track.reported_dropped) return;
  dropped += now_dropped - std::exchange(track.reported_dropped, now_dropped);
  writer.note_dropped(track.number, trace_clock_ns(), now_dropped);
}

void TraceFile::Impl::write_now() {
  const std::lock_guard writing_lock(writing);
  std::vector<std::shared_ptr<Track>> tracks;
  {
    const std::lock_guard lock(g_mutex);
    tracks = open.tracks;
    for (const std::shared_ptr<Track>& track : tracks) {
      if (std::exchange(track->name_is_new, false)) writer.name_thread(track->number, track->name);
    }
  }
  std::vector<std::shared_ptr<Track>> ended;
  for (const std::shared_ptr<Track>& track : tracks) {
    // Read before draining, so that no event of an ended thread is missed.
    const bool has_ended = track->has_ended.load(std::memory_order_acquire);
    write_track(*track);
    if (has_ended) ended.push_back(track);
  }
  writer.write();
  if (ended.empty()) return;
  const std::lock_guard lock(g_mutex);
  for (const std::shared_ptr<Track>& track : ended)
    std::erase(open.tracks, track);
}

void TraceFile::Impl::write_loop(const std::stop_token& stop) {
  static_cast<void>(::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kWriterNiceness));
  std::unique_lock lock(wake_mutex);
  while (!stop.stop_requested()) {
    wake.wait_for(lock, stop, write_every, [] { return false; });
    write_now();
  }
}

TraceFile::TraceFile(const std::filesystem::path& path, const TraceSettings& settings) {
  {
    const std::lock_guard lock(g_mutex);
    invariant(g_open == nullptr, "at most one trace is open");
  }
  impl_ = std::make_unique<Impl>(path, settings);
  Impl& impl = *impl_;
  // The writer thread blocks all signals, so that other threads receive them.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  impl.thread = std::jthread([&impl](const std::stop_token& stop) { impl.write_loop(stop); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const std::lock_guard lock(g_mutex);
  impl.open.session = ++g_num_sessions;
  g_open = &impl.open;
  g_session.store(g_num_sessions, std::memory_order_relaxed);
  g_num_untracked.store(0, std::memory_order_relaxed);
  detail::g_is_tracing.store(true);
}

TraceFile::~TraceFile() {
  try {
    finish();
  } catch (...) {
    // Out of memory for the last events: the trace lacks them, the program continues.
  }
}

void TraceFile::flush() {
  if (!impl_->summary) impl_->write_now();
}

TraceSummary TraceFile::finish() {
  Impl& impl = *impl_;
  if (impl.summary) return *impl.summary;
  detail::g_is_tracing.store(false);
  impl.thread.request_stop();
  impl.thread.join();
  impl.write_now();
  const std::lock_guard lock(g_mutex);
  g_open = nullptr;
  impl.open.tracks.clear();  // later spans are not recorded
  impl.summary = {.events = impl.writer.num_events(),
                  .dropped = impl.dropped + impl.writer.num_dropped() +
                             g_num_untracked.load(std::memory_order_relaxed),
                  .error = impl.writer.error()};
  return *impl.summary;
}

std::string format_trace_summary(const TraceSummary& summary, const std::filesystem::path& path) {
  std::string text = fmt::format("{} events in {}", summary.events, path.string());
  if (summary.dropped > 0) text += fmt::format(", {} dropped", summary.dropped);
  if (!summary.error.empty()) text += fmt::format(", then failed: {}", summary.error);
  return text;
}

void name_thread(std::string name) {
  thread_state.name = std::move(name);
  if (is_tracing()) {
    const std::uint64_t session = g_session.load(std::memory_order_relaxed);
    if (thread_state.session != session) return join_trace(session);
  }
  const std::lock_guard lock(g_mutex);
  if (!thread_state.track) return;
  thread_state.track->name = thread_state.name;
  thread_state.track->name_is_new = true;
}

}  // namespace myxtts::base
