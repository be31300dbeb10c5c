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

namespace xtts::base {

namespace detail {

// A thread in a trace. The thread shares it with the trace: either may end first.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): what the ring is for
struct Track {
  Track(std::int64_t its_number, std::int64_t capacity) : number(its_number), ring(capacity) {}

  const std::int64_t number;  // "tid"
  TraceRing ring;
  std::atomic<bool> has_ended = false;
  std::int64_t told_dropped = 0;  // the writer's
  std::string name;               // g_mutex holds these two
  bool name_is_new = false;
};

// The open trace as threads see it that come to it.
struct OpenTrace {
  std::uint64_t session = 0;
  std::int64_t events_per_thread = 0;
  std::int64_t next_number = 1;
  std::vector<std::shared_ptr<Track>> tracks;  // of threads that live or have left events
};

}  // namespace detail

namespace {

using detail::OpenTrace;
using detail::Track;

constexpr std::size_t kMostTracks = 512;  // threads at a time that have a ring
constexpr int kWriterNiceness = 10;       // the trained model goes first

std::mutex g_mutex;                // for whoever comes, goes or is named; never while recording
OpenTrace* g_open = nullptr;       // under g_mutex
std::uint64_t g_num_sessions = 0;  // under g_mutex
std::atomic<std::uint64_t> g_session = 0;
std::atomic<std::int64_t> g_trackless = 0;  // events of threads beyond kMostTracks

struct OwnThread {
  OwnThread() = default;
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;
  ~OwnThread() {
    if (track) track->has_ended.store(true, std::memory_order_release);
  }

  std::string name;
  std::uint64_t session = 0;     // that it has asked for a track
  std::shared_ptr<Track> track;  // of that session; none: there were too many
};

thread_local OwnThread own_thread;

void join_trace(std::uint64_t session) {
  const std::lock_guard lock(g_mutex);
  if (own_thread.track) own_thread.track->has_ended.store(true, std::memory_order_release);
  own_thread.track.reset();
  own_thread.session = session;
  if (g_open == nullptr || g_open->session != session) return;
  if (g_open->tracks.size() >= kMostTracks) return;
  auto track = std::make_shared<Track>(g_open->next_number++, g_open->events_per_thread);
  track->name = own_thread.name;
  track->name_is_new = !track->name.empty();
  g_open->tracks.push_back(track);
  own_thread.track = std::move(track);
}

void add_to_track(const TraceEvent& event) {
  const std::uint64_t session = g_session.load(std::memory_order_relaxed);
  if (own_thread.session != session) [[unlikely]]
    join_trace(session);
  if (own_thread.track) [[likely]] {
    own_thread.track->ring.add(event);
  } else {
    g_trackless.fetch_add(1, std::memory_order_relaxed);
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

struct TraceFile::Inside {
  Inside(const std::filesystem::path& path, const TraceSettings& settings)
      : writer(path, trace_clock_ns(), settings.most_bytes), write_every(settings.write_every) {
    open.events_per_thread = settings.events_per_thread;
  }

  void write_now();
  void write_track(Track& track);
  void write_until(const std::stop_token& stop);

  OpenTrace open;
  std::mutex writing;  // before g_mutex, if both
  TraceWriter writer;
  std::int64_t dropped = 0;  // by rings
  std::chrono::milliseconds write_every;
  std::condition_variable_any wake;
  std::mutex wake_mutex;
  std::jthread thread;
  std::optional<TraceSummary> summary;  // once it is finished
};

void TraceFile::Inside::write_track(Track& track) {
  track.ring.drain([&](const TraceEvent& event) { writer.add(event, track.number); });
  const std::int64_t now_dropped = track.ring.dropped();
  if (now_dropped == track.told_dropped) return;
  dropped += now_dropped - std::exchange(track.told_dropped, now_dropped);
  writer.note_dropped(track.number, trace_clock_ns(), now_dropped);
}

void TraceFile::Inside::write_now() {
  const std::lock_guard one_at_a_time(writing);
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
    const bool was_its_last = track->has_ended.load(std::memory_order_acquire);  // before draining
    write_track(*track);
    if (was_its_last) ended.push_back(track);
  }
  writer.write();
  if (ended.empty()) return;
  const std::lock_guard lock(g_mutex);
  for (const std::shared_ptr<Track>& track : ended)
    std::erase(open.tracks, track);
}

void TraceFile::Inside::write_until(const std::stop_token& stop) {
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
    invariant(g_open == nullptr, "there is one trace at a time");
  }
  inside_ = std::make_unique<Inside>(path, settings);
  Inside& inside = *inside_;
  // Signals are for the threads that look at them.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  inside.thread =
      std::jthread([&inside](const std::stop_token& stop) { inside.write_until(stop); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const std::lock_guard lock(g_mutex);
  inside.open.session = ++g_num_sessions;
  g_open = &inside.open;
  g_session.store(g_num_sessions, std::memory_order_relaxed);
  g_trackless.store(0, std::memory_order_relaxed);
  detail::g_is_tracing.store(true);
}

TraceFile::~TraceFile() {
  try {
    finish();
  } catch (...) {
    // Without memory for its last events a trace lacks them; a run is worth more.
  }
}

void TraceFile::flush() {
  if (!inside_->summary) inside_->write_now();
}

TraceSummary TraceFile::finish() {
  Inside& inside = *inside_;
  if (inside.summary) return *inside.summary;
  detail::g_is_tracing.store(false);
  inside.thread.request_stop();
  inside.thread.join();
  inside.write_now();
  const std::lock_guard lock(g_mutex);
  g_open = nullptr;
  inside.open.tracks.clear();  // a span that ends now goes nowhere
  inside.summary = {.events = inside.writer.num_events(),
                    .dropped = inside.dropped + inside.writer.num_dropped() +
                               g_trackless.load(std::memory_order_relaxed),
                    .lost = inside.writer.lost()};
  return *inside.summary;
}

std::string describe(const TraceSummary& summary, const std::filesystem::path& path) {
  std::string words = fmt::format("{} events in {}", summary.events, path.string());
  if (summary.dropped > 0) words += fmt::format(", {} dropped", summary.dropped);
  if (!summary.lost.empty()) words += fmt::format(", then: {}", summary.lost);
  return words;
}

void name_thread(std::string name) {
  own_thread.name = std::move(name);
  if (is_tracing()) {
    const std::uint64_t session = g_session.load(std::memory_order_relaxed);
    if (own_thread.session != session) return join_trace(session);
  }
  const std::lock_guard lock(g_mutex);
  if (!own_thread.track) return;
  own_thread.track->name = own_thread.name;
  own_thread.track->name_is_new = true;
}

}  // namespace xtts::base
