#include "base/parallel_for_with_timeout.h"

#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace xtts::base {
namespace {

using std::chrono::milliseconds;

// What work waits for that does not end; it outlives the threads that wait.
struct Gate {
  std::promise<void> opens;
  std::shared_future<void> opened = opens.get_future().share();
};

void fail_if_stuck(std::size_t index) {
  ADD_FAILURE() << index;
}

TEST(PatientFor, DeliversEveryIndexOnceOnTheCallersThread) {
  for (const int num_workers : {0, 1, 2, 4, 9}) {
    std::vector<int> delivered(100);
    const auto caller = std::this_thread::get_id();

    parallel_for_with_timeout(delivered.size(),
                              num_workers,
                              {.work = [&](std::size_t i) -> Delivery {
                                 EXPECT_NE(std::this_thread::get_id(), caller);
                                 return [&, i] {
                                   EXPECT_EQ(std::this_thread::get_id(), caller);
                                   ++delivered[i];
                                 };
                               },
                               .on_stuck = fail_if_stuck,
                               .patience = milliseconds(10000)});

    EXPECT_EQ(delivered, std::vector<int>(100, 1)) << num_workers << " workers";
  }
}

TEST(PatientFor, OneWorkerTakesThemInOrder) {
  std::vector<std::size_t> order;

  parallel_for_with_timeout(
      50,
      1,
      {.work = [&order](std::size_t i) -> Delivery { return [&order, i] { order.push_back(i); }; },
       .on_stuck = fail_if_stuck,
       .patience = milliseconds(10000)});

  for (std::size_t i = 0; i < 50; ++i)
    EXPECT_EQ(order.at(i), i);
}

TEST(PatientFor, WorkThatDoesNotEndIsLeftAndTheRestIsDone) {
  const auto gate = std::make_shared<Gate>();
  for (const int num_workers : {1, 3}) {
    std::set<std::size_t> delivered;
    std::set<std::size_t> stuck;

    parallel_for_with_timeout(20,
                              num_workers,
                              {.work = [gate, &delivered](std::size_t i) -> Delivery {
                                 if (i == 4 || i == 5 || i == 19) gate->opened.wait();
                                 return [i, &delivered] { delivered.insert(i); };
                               },
                               .on_stuck = [&stuck](std::size_t i) { stuck.insert(i); },
                               .patience = milliseconds(100)});

    EXPECT_EQ(stuck, (std::set<std::size_t>{4, 5, 19}));
    EXPECT_EQ(delivered.size(), 17U);
  }
  gate->opens.set_value();
}

TEST(PatientFor, WhatComesLateIsDeliveredAllTheSame) {
  const auto gate = std::make_shared<Gate>();
  const auto first_came = std::make_shared<Gate>();
  std::map<std::size_t, int> delivered;
  std::vector<std::size_t> stuck;

  parallel_for_with_timeout(3,
                            1,
                            {.work = [=, &delivered](std::size_t i) -> Delivery {
                               if (i == 0) gate->opened.wait();
                               if (i == 2) first_came->opened.wait();
                               return [=, &delivered] {
                                 ++delivered[i];
                                 if (i == 0) first_came->opens.set_value();
                               };
                             },
                             .on_stuck =
                                 [&](std::size_t i) {
                                   stuck.push_back(i);
                                   gate->opens.set_value();
                                 },
                             .patience = milliseconds(500)});

  EXPECT_EQ(stuck, (std::vector<std::size_t>{0}));
  EXPECT_EQ(delivered, (std::map<std::size_t, int>{{0, 1}, {1, 1}, {2, 1}}));
}

TEST(PatientFor, TheFirstExceptionStopsTheRestAndArrives) {
  std::atomic<int> calls{0};
  const auto work = [&](std::size_t) -> Delivery {
    ++calls;
    throw std::runtime_error("broken");
  };

  EXPECT_THROW(parallel_for_with_timeout(
                   1000000, 3, {.work = work, .on_stuck = {}, .patience = milliseconds(10000)}),
               std::runtime_error);

  EXPECT_LE(calls, 3);
}

TEST(PatientFor, AnExceptionOfTheCallersOwnStopsTheRestToo) {
  const auto gate = std::make_shared<Gate>();
  const auto work = [gate](std::size_t i) -> Delivery {
    if (i == 7) gate->opened.wait();
    return [] {};
  };
  const auto on_stuck = [](std::size_t) { throw std::runtime_error("too many"); };

  EXPECT_THROW(parallel_for_with_timeout(
                   1000, 2, {.work = work, .on_stuck = on_stuck, .patience = milliseconds(50)}),
               std::runtime_error);

  gate->opens.set_value();
}

}  // namespace
}  // namespace xtts::base
