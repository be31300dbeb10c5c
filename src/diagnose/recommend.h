// What `myxtts diagnose recommend` advises: the settings that suit this corpus on this machine,
// each with the measurement behind it. The advice is a pure function of what was measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "config/config.h"
#include "config/resolve.h"
#include "diagnose/short_run.h"
#include "pipeline/signature.h"
#include "rules/record.h"

namespace xtts::diagnose {

// A short training with some settings changed.
struct Trial {
  std::string name;  // "as it is", "--batch-size 32"
  std::vector<config::Override> changes = {};
  std::optional<double> speed = {};  // seconds of speech trained per second, with every wait
  double step_s = 0.0;               // the usual step
  double wait_share = 0.0;
  std::string fault = {};  // why it could not run
};

// Of a training that ran: its seconds of speech per second of everything, the first step too.
double speed_of(const train::TrainSummary& summary);

// The trials that are worth their time: the configuration as it is first, then one change each.
std::vector<Trial> trials_for(const config::Config& config, const rules::Machine& machine);
// Where the largest batch so far was the fastest by far, a larger one; absent: enough is known.
std::optional<Trial> further_trial(const config::Config& config, const std::vector<Trial>& known);

// The longest time from one update of a loader to the next, without that to the first, which no
// buffer could have made shorter. 0 for fewer than two.
double longest_pause_of(const std::vector<double>& batch_s);

struct RecommendMeasured {
  config::Config config = {};
  std::vector<pipeline::Lengths> lengths = {};  // of a sample of the training set
  std::int64_t num_utterances = 0;              // of all of it; 0: the sample is all
  rules::Record record = {};                    // of the trial as it is, with stages and disk
  double longest_pause_s = 0.0;                 // longest_pause_of() the loader alone
  std::vector<Trial> trials = {};
};

struct Advice {
  std::string key;     // "data.batch_size"
  std::string now;     // as it would be typed
  std::string value;   // what is advised; the same as `now` where nothing is to be changed
  std::string reason;  // with its numbers
  bool is_change() const { return now != value; }
};

// Lengths, buckets, batch size, workers, buffer, cache, precision, devices, in this order. The
// first of the trials is the configuration as it is.
std::vector<Advice> advise(const RecommendMeasured& measured);

// What has to be typed for the advice; none where nothing is to be changed.
std::vector<config::Override> changes_of(const std::vector<Advice>& advice);
std::string flags_of(const std::vector<config::Override>& changes);

// Speeds before and after the advice, measured in turns.
struct ApplyCheck {
  std::vector<double> before = {};
  std::vector<double> after = {};
  std::string fault = {};  // why a training with the advice, or the next turn, could not run

  double ratio() const;  // of the medians
  double least() const;  // of the ratios of a turn
  double most() const;
  bool is_gain() const;  // every turn ran and was faster, in the middle by 3 % or more
  std::string verdict() const;
};

struct Recommendation {
  std::string corpus = {};
  RecommendMeasured measured = {};
  std::vector<Advice> advice = {};
  std::optional<ApplyCheck> check = {};
};

std::string to_text(const Recommendation& recommendation);
nlohmann::ordered_json to_json(const Recommendation& recommendation);

}  // namespace xtts::diagnose
