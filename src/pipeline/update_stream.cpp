// Note [Tickets]: every update has a number, handed out under the lock together with its place in
// the epoch's order. A worker makes the update without the lock and lays it into the slot of its
// number; next() takes the slots in order. A seek begins a new generation: what workers still make
// for an older one is thrown away when they come back.
#include "pipeline/update_stream.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/threads.h"
#include "base/trace.h"
#include "pipeline/update_slots.h"

namespace xtts::pipeline {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// What a thread's work takes, of its processor and beside it.
class WorkClock {
 public:
  double busy_s() const { return base::thread_cpu_s() - cpu_s_; }
  double wall_s() const { return seconds(Clock::now() - wall_); }

 private:
  double cpu_s_ = base::thread_cpu_s();
  Clock::time_point wall_ = Clock::now();
};

// Before who waits has a guest's work done by the rescue.
constexpr std::chrono::milliseconds kWaitForAGuest(2);
// Times the patience, with one that has no core rather than no data: a guest on a busy machine.
constexpr int kPatienceWithoutCore = 10;

}  // namespace

class UpdateStream::State : public std::enable_shared_from_this<UpdateStream::State> {
 public:
  State(Loader& loader, StreamSettings settings)
      : loader_(loader), settings_(std::move(settings)), slots_(settings_.buffer) {}

  void start() {
    const std::scoped_lock lock(mutex_);
    for (int i = 0; i < settings_.num_workers; ++i)
      start_worker(settings_.is_guest ? Role::kGuest : Role::kWorker);
    if (settings_.is_guest && settings_.num_workers > 0) start_worker(Role::kRescue);
  }

  void stop() {
    std::vector<std::shared_ptr<Worker>> workers;
    {
      const std::scoped_lock lock(mutex_);
      is_stopping_ = true;
      workers = workers_;
    }
    room_.notify_all();
    for (const auto& worker : workers)
      worker->scratch.is_given_up.store(true, std::memory_order_release);
    for (const auto& worker : workers)
      join_or_leave(*worker);
  }

  // Nothing if it is not ready at `end`.
  std::unique_ptr<Update> next(Clock::time_point end) {
    std::unique_lock lock(mutex_);
    if (workers_.empty()) return make_here(lock);
    if (!wait_until(lock, end, [&] { return fault_ || slots_.is_ready(); })) return nullptr;
    if (fault_) std::rethrow_exception(std::exchange(fault_, {}));
    Slot taken = slots_.take();
    lock.unlock();
    room_.notify_all();
    if (taken.fault) std::rethrow_exception(taken.fault);
    return std::move(taken.update);
  }

  std::unique_ptr<Update> next_if_ready() {
    Slot taken;
    {
      const std::scoped_lock lock(mutex_);
      if (workers_.empty() || !slots_.is_ready() || has_fault()) return nullptr;
      taken = slots_.take();
    }
    room_.notify_all();
    return std::move(taken.update);
  }

  void give_back(std::unique_ptr<Update> update) {
    const std::scoped_lock lock(mutex_);
    slots_.keep(std::move(update));
  }

  void seek(const LoaderPosition& position) {
    {
      const std::scoped_lock lock(mutex_);
      loader_.seek(position);
      ++generation_;
      slots_.clear();
      orphans_.clear();
      is_filling_ = true;
    }
    room_.notify_all();
  }

  bool wait_until_ready(std::int64_t count, std::chrono::milliseconds deadline) {
    std::unique_lock lock(mutex_);
    if (workers_.empty()) return false;
    is_filling_ = true;
    return wait_until(lock, Clock::now() + deadline, [&] {
      return slots_.num_in_order() >= std::min(count, slots_.capacity()) || has_fault();
    });
  }

  void fill_up() {
    {
      const std::scoped_lock lock(mutex_);
      is_filling_ = true;
    }
    room_.notify_all();
  }

  void resize(std::int64_t buffer) {
    {
      const std::scoped_lock lock(mutex_);
      slots_.resize(std::max<std::int64_t>(1, buffer));
    }
    room_.notify_all();
  }

  StreamReport report() const {
    const std::scoped_lock lock(mutex_);
    StreamReport report = report_;
    report.num_workers = settings_.num_workers;
    report.depth = slots_.num_in_order();
    report.held = slots_.num_ready();
    const auto now = Clock::now();
    for (const auto& worker : workers_) {
      if (worker->blocked_since) report.blocked_s += seconds(now - *worker->blocked_since);
    }
    return report;
  }

  const UpdateMaker& maker() const { return loader_.maker(); }

 private:
  struct Ticket {
    std::int64_t number = 0;
    std::int64_t generation = 0;
    UpdateJob job;
  };

  enum class Role {
    kWorker,  // fills the buffer
    kGuest,   // the same where nobody else wants the core
    kRescue,  // beside guests, for who waits: a guest may have to wait for its core for very long
  };

  struct Worker {
    Role role = Role::kWorker;
    std::thread thread;
    MakerScratch scratch;
    std::optional<Ticket> ticket;  // under the lock; taken away: what it makes is thrown away
    std::atomic<int> thread_id = 0;
    std::optional<Clock::time_point> blocked_since;  // under the lock; never of the rescue
    std::atomic<bool> has_ended = false;
  };

  // What follows is called with the lock held, unless it says otherwise.

  bool has_fault() const { return fault_ || slots_.has_fault(); }

  // Sleeps until something is so; meanwhile the rescue works too and nobody is stuck for long.
  template <typename Condition>
  bool wait_until(std::unique_lock<std::mutex>& lock,
                  Clock::time_point end,
                  const Condition& condition) {
    if (condition()) return true;
    is_asking_ = true;
    room_.notify_all();
    while (!condition() && Clock::now() < end) {
      ready_.wait_for(lock, kWaitForAGuest);
      if (!condition()) hand_over_the_first();
      if (!condition()) give_up_who_is_stuck();
    }
    is_asking_ = false;
    return condition();
  }

  bool has_room() {
    if (slots_.num_ahead() >= slots_.capacity()) return false;
    // A guest begins again when half is used up, and then fills the whole.
    if (settings_.is_guest && !is_filling_ && slots_.num_ahead() > slots_.capacity() / 2) {
      return false;
    }
    is_filling_ = true;
    return true;
  }

  bool has_work_for(Role role) {
    if (role == Role::kGuest) return has_room();
    if (role == Role::kWorker) return !orphans_.empty() || has_room();
    return is_asking_ && (!orphans_.empty() || slots_.num_ahead() == 0);
  }

  // Without its job.
  Ticket take_ticket() {
    const std::int64_t number = slots_.hand_out();
    if (slots_.num_ahead() >= slots_.capacity()) is_filling_ = false;
    return {.number = number, .generation = generation_, .job = {}};
  }

  void start_worker(Role role) {
    auto worker = std::make_shared<Worker>();
    worker->role = role;
    worker->thread = std::thread([state = shared_from_this(), worker] {
      try {
        state->work(*worker);
      } catch (...) {
        state->fail(std::current_exception());
      }
      worker->has_ended = true;
    });
    workers_.push_back(std::move(worker));
  }

  // Without workers: the lock is of no importance, as nobody else is there.
  std::unique_ptr<Update> make_here(std::unique_lock<std::mutex>& lock) {
    take_ticket();
    slots_.skip();
    const UpdateJob job = loader_.take();
    std::unique_ptr<Update> update = slots_.spare();
    lock.unlock();
    const WorkClock clock;
    loader_.make(job, scratch_, *update);
    const double busy_s = clock.busy_s();
    const double wall_s = clock.wall_s();
    lock.lock();
    count_made(busy_s, wall_s);
    return update;
  }

  void count_made(double busy_s, double wall_s) {
    ++report_.num_made;
    report_.busy_s += busy_s;
    report_.waiting_s += std::max(0.0, wall_s - busy_s);
  }

  // Who waits does not wait for a guest: the rescue makes the same again.
  void hand_over_the_first() {
    for (const auto& worker : workers_) {
      const bool has_first = worker->role == Role::kGuest && worker->ticket &&
                             worker->ticket->generation == generation_ &&
                             worker->ticket->number == slots_.first();
      if (!has_first) continue;
      orphans_.push_back(*std::exchange(worker->ticket, {}));
      room_.notify_all();
    }
  }

  bool is_stuck(const Worker& worker) const {
    if (worker.scratch.is_given_up.load(std::memory_order_relaxed)) return false;
    const Clock::duration taken = worker.scratch.watch.taken();
    if (taken < settings_.patience) return false;
    return taken >= kPatienceWithoutCore * settings_.patience ||
           !base::wants_core(worker.thread_id);
  }

  // A worker whose read does not end is left to itself, with work that is wanted or without: a new
  // one takes its place. Its utterance is lost, and another worker makes its update.
  void give_up_who_is_stuck() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const std::shared_ptr<Worker> worker = workers_[i];
      if (!is_stuck(*worker)) continue;
      const std::optional<Ticket> ticket = std::exchange(worker->ticket, {});
      const bool is_wanted = ticket && ticket->generation == generation_;
      const std::size_t utterance = worker->scratch.watch.utterance();
      worker->scratch.is_given_up.store(true, std::memory_order_release);
      ++report_.num_stuck;
      start_worker(worker->role);
      try {
        maker().lost().lose(
            utterance, maker().features_of(utterance).id, stuck_reason(settings_.patience));
        if (is_wanted) orphans_.push_back(*ticket);
      } catch (const UserError&) {
        if (is_wanted) {
          slots_.lay(ticket->number, {.update = nullptr, .fault = std::current_exception()});
        } else {
          fault_ = std::current_exception();
        }
      }
      room_.notify_all();
    }
  }

  // The body of a thread, without the lock.
  void work(Worker& worker) {
    if (!settings_.cores.empty()) base::run_on(settings_.cores);
    if (worker.role == Role::kGuest) base::run_when_idle();
    worker.thread_id = base::thread_id();
    base::name_thread(worker.role == Role::kRescue ? "loader (rescue)" : "loader");
    std::unique_ptr<Update> update;
    while (const std::optional<UpdateJob> job = wait_for_work(worker, update)) {
      std::exception_ptr fault;
      const WorkClock clock;
      try {
        const base::Span span("make update", job->next.update);
        loader_.make(*job, worker.scratch, *update);
      } catch (const GivenUp&) {
        return;  // everything but this state and the store may be gone
      } catch (...) {
        fault = std::current_exception();
      }
      lay_down(worker, std::move(update), std::move(fault), clock);
    }
  }

  // Without the lock, as the next two.
  std::optional<UpdateJob> wait_for_work(Worker& worker, std::unique_ptr<Update>& update) {
    std::unique_lock lock(mutex_);
    while (true) {
      const auto start = Clock::now();
      if (worker.role != Role::kRescue) worker.blocked_since = start;
      room_.wait(lock, [&] { return is_stopping_ || has_work_for(worker.role); });
      if (std::exchange(worker.blocked_since, {})) {
        report_.blocked_s += seconds(Clock::now() - start);
      }
      if (is_stopping_) return std::nullopt;
      if (take_work(worker, update)) return worker.ticket->job;
      ready_.notify_all();
    }
  }

  // False: there is no memory for it, and its slot says so.
  bool take_work(Worker& worker, std::unique_ptr<Update>& update) {
    const bool is_new = worker.role == Role::kGuest || orphans_.empty();
    if (is_new) {
      worker.ticket = take_ticket();
    } else {
      worker.ticket = std::move(orphans_.back());
      orphans_.pop_back();
    }
    try {
      if (is_new) worker.ticket->job = loader_.take();
      update = slots_.spare();
      return true;
    } catch (...) {
      slots_.lay(worker.ticket->number, {.update = nullptr, .fault = std::current_exception()});
      worker.ticket.reset();
      return false;
    }
  }

  // A worker has ended by what no update stands for.
  void fail(std::exception_ptr fault) {
    {
      const std::scoped_lock lock(mutex_);
      if (!fault_) fault_ = std::move(fault);
    }
    ready_.notify_all();
  }

  void lay_down(Worker& worker,
                std::unique_ptr<Update> update,
                std::exception_ptr fault,
                const WorkClock& clock) {
    const double busy_s = clock.busy_s();
    const double wall_s = clock.wall_s();
    {
      const std::scoped_lock lock(mutex_);
      count_made(busy_s, wall_s);
      const std::optional<Ticket> ticket = std::exchange(worker.ticket, {});
      const bool is_wanted = ticket && ticket->generation == generation_;
      if (fault || !is_wanted) {
        slots_.keep(std::move(update));
        update = nullptr;
      }
      if (!is_wanted) return;
      // Who asks is the last to have the exception, and frees it.
      slots_.lay(ticket->number, {.update = std::move(update), .fault = std::move(fault)});
    }
    ready_.notify_all();
  }

  // One that is stuck may never return; it holds this state and the store, and nothing else.
  void join_or_leave(Worker& worker) const {
    while (!worker.has_ended && worker.scratch.watch.taken() < settings_.patience)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (worker.has_ended) {
      worker.thread.join();
    } else {
      worker.thread.detach();
    }
  }

  Loader& loader_;
  const StreamSettings settings_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;  // for who asks
  std::condition_variable room_;   // for the workers
  UpdateSlots slots_;
  std::vector<Ticket> orphans_;  // of workers that no longer have them
  std::vector<std::shared_ptr<Worker>> workers_;
  MakerScratch scratch_;  // of who asks
  std::int64_t generation_ = 0;
  bool is_asking_ = false;
  bool is_filling_ = true;
  bool is_stopping_ = false;
  std::exception_ptr fault_;  // of nobody's update
  StreamReport report_;
};

UpdateStream::UpdateStream(Loader& loader, StreamSettings settings)
    : state_(std::make_shared<State>(loader, std::move(settings))) {
  state_->start();
}

UpdateStream::~UpdateStream() {
  state_->stop();
}

std::unique_ptr<Update> UpdateStream::next() {
  return state_->next(Clock::time_point::max());
}

std::unique_ptr<Update> UpdateStream::next_within(std::chrono::milliseconds time) {
  return state_->next(Clock::now() + time);
}

std::unique_ptr<Update> UpdateStream::next_if_ready() {
  return state_->next_if_ready();
}

void UpdateStream::give_back(std::unique_ptr<Update> update) {
  state_->give_back(std::move(update));
}

void UpdateStream::seek(const LoaderPosition& position) {
  state_->seek(position);
}

bool UpdateStream::wait_until_ready(std::int64_t count, std::chrono::milliseconds deadline) {
  return state_->wait_until_ready(count, deadline);
}

void UpdateStream::fill_up() {
  state_->fill_up();
}

void UpdateStream::resize(std::int64_t buffer) {
  state_->resize(buffer);
}

StreamReport UpdateStream::report() const {
  return state_->report();
}

const UpdateMaker& UpdateStream::maker() const {
  return state_->maker();
}

}  // namespace xtts::pipeline
