// Recommends settings for a corpus and a machine, each with its measurement (`myxtts diagnose
// recommend`). The advice is a pure function of the measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "config/resolve.h"
#include "data/signature.h"
#include "diagnose/short_run.h"
#include "rules/record.h"

namespace myxtts::diagnose {

// A short training run with some settings changed.
struct Trial {
  std::string name;  // "current settings", "--batch-size 32"
  std::vector<config::Override> changes = {};
  std::optional<double> speed = {};  // seconds of speech trained per second, including waits
  double step_s = 0.0;               // median step
  double wait_share = 0.0;
  std::string fault = {};  // error message of a failed run
};

// Returns the seconds of speech per second of wall time of a run, including its first step.
double speed_of(const train::TrainSummary& summary);

// Returns the trials to run: first the current settings, then one change each.
std::vector<Trial> initial_trials(const config::Config& config, const rules::Machine& machine);
// Returns a trial with a larger batch if the largest batch so far was clearly the fastest.
std::optional<Trial> next_trial(const config::Config& config, const std::vector<Trial>& known);

// Returns the longest time between two batches of a loader, without the time to the first batch,
// which no buffer shortens. 0 for fewer than two batches.
double longest_pause(const std::vector<double>& batch_s);

struct RecommendMeasured {
  config::Config config = {};
  std::vector<data::Lengths> lengths = {};  // of a sample of the training set
  std::int64_t num_utterances = 0;          // of the training set; 0: the sample is complete
  rules::Record record = {};                // of the first trial, with stage and disk times
  double longest_pause_s = 0.0;             // longest_pause() of the loader alone
  std::vector<Trial> trials = {};
};

struct Advice {
  std::string key;     // "data.batch_size"
  std::string now;     // current value, as typed
  std::string value;   // recommended value; equals `now` if no change is recommended
  std::string reason;  // with measured numbers
  bool is_change() const { return now != value; }
};

// Returns advice on lengths, buckets, batch size, workers, buffer, cache, precision and devices, in
// this order. The first trial must be that of the current settings.
std::vector<Advice> advise(const RecommendMeasured& measured);

// Returns the overrides that apply the advice; empty if no change is recommended.
std::vector<config::Override> changes_of(const std::vector<Advice>& advice);
std::string flags_of(const std::vector<config::Override>& changes);

// Training speeds before and after the advice, measured alternately.
struct ApplyCheck {
  std::vector<double> before = {};
  std::vector<double> after = {};
  std::string fault = {};  // error message of a failed run

  double ratio() const;  // of the medians
  double least() const;  // of the ratios per round
  double most() const;
  bool is_gain() const;  // every round was faster, and the median by 3 % or more
  std::string conclusion() const;
};

struct Recommendation {
  std::string corpus = {};
  RecommendMeasured measured = {};
  std::vector<Advice> advice = {};
  std::optional<ApplyCheck> check = {};
};

std::string to_text(const Recommendation& recommendation);
nlohmann::ordered_json to_json(const Recommendation& recommendation);

}  // namespace myxtts::diagnose
