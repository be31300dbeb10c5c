// Note [Tickets]: every update has a number, handed out together with its place in the epoch's
// order. Whoever has the ticket makes the update and lays it into the slot of its number; slots
// leave in order. A seek begins a new generation: what is still made for an older one is thrown
// away when it comes. Whoever's ticket was taken away may go on as well, for nothing.
#include "pipeline/work_queue.h"

#include <utility>

namespace xtts::pipeline {

bool WorkQueue::has_room() {
  if (slots_.num_ahead() >= slots_.capacity()) return false;
  // A guest begins again when half is used up, and then fills the whole.
  if (is_for_guests_ && !is_filling_ && slots_.num_ahead() > slots_.capacity() / 2) return false;
  is_filling_ = true;
  return true;
}

bool WorkQueue::has_work_for(WorkerRole role) {
  if (role == WorkerRole::kIdlePriority) return has_room();
  if (role == WorkerRole::kWorker) return !orphans_.empty() || has_room();
  return is_asking_ && (!orphans_.empty() || slots_.num_ahead() == 0);
}

// Without its job.
WorkItem WorkQueue::number_next() {
  const std::int64_t number = slots_.hand_out();
  if (slots_.num_ahead() >= slots_.capacity()) is_filling_ = false;
  return {.number = number, .generation = generation_, .job = {}};
}

std::optional<WorkItem> WorkQueue::take_work(WorkerRole role, std::unique_ptr<Batch>& update) {
  const bool is_new = role == WorkerRole::kIdlePriority || orphans_.empty();
  WorkItem ticket;
  if (is_new) {
    ticket = number_next();
  } else {
    ticket = std::move(orphans_.back());
    orphans_.pop_back();
  }
  try {
    if (is_new) ticket.job = loader_.take();
    update = slots_.spare();
    return ticket;
  } catch (...) {
    slots_.lay(ticket.number, {.update = nullptr, .fault = std::current_exception()});
    return std::nullopt;
  }
}

void WorkQueue::hand_over(std::optional<WorkItem> ticket) {
  if (is_wanted(ticket)) orphans_.push_back(*std::move(ticket));
}

bool WorkQueue::lay(const std::optional<WorkItem>& ticket, Slot made) {
  const bool is_laid = is_wanted(ticket);
  if (made.fault || !is_laid) slots_.keep(std::exchange(made.update, nullptr));
  if (is_laid) slots_.lay(ticket->number, std::move(made));
  return is_laid;
}

BatchJob WorkQueue::take_for_oneself(std::unique_ptr<Batch>& update) {
  number_next();
  slots_.skip();
  BatchJob job = loader_.take();
  update = slots_.spare();
  return job;
}

void WorkQueue::seek(const LoaderPosition& position) {
  loader_.seek(position);
  ++generation_;
  slots_.clear();
  orphans_.clear();
  is_filling_ = true;
}

}  // namespace xtts::pipeline
