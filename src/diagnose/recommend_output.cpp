// Text and JSON output of `diagnose recommend`.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/format.h"
#include "diagnose/recommend.h"
#include "rules/time_split.h"

namespace myxtts::diagnose {
namespace {

constexpr double kLeastGain = 1.03;

std::string trials_text(const std::vector<Trial>& trials) {
  std::string text = "TRIALS (short training runs)\n";
  const double base = trials.empty() ? 0.0 : trials.front().speed.value_or(0.0);
  for (const Trial& trial : trials) {
    if (!trial.speed) {
      text += fmt::format("  {:<48} {}\n", trial.name, trial.fault);
      continue;
    }
    text += fmt::format("  {:<48} {:>6.1f} s of speech per second, {:.2f} x; step {}, waited {}\n",
                        trial.name,
                        *trial.speed,
                        base > 0.0 ? *trial.speed / base : 0.0,
                        base::format_seconds(trial.step_s),
                        base::format_percent(trial.wait_share));
  }
  return text;
}

std::string advice_text(const std::vector<Advice>& all) {
  std::string text = "\nRECOMMENDATION\n";
  for (const Advice& advice : all) {
    text += fmt::format("{} {:<28} {}\n    {}\n",
                        advice.is_change() ? '*' : ' ',
                        advice.key,
                        advice.is_change() ? fmt::format("{} -> {}", advice.now, advice.value)
                                           : fmt::format("{} (keep)", advice.now),
                        advice.reason);
  }
  return text;
}

std::string check_text(const ApplyCheck& check) {
  std::string text = "\nBEFORE AND AFTER (seconds of speech per second, alternating)\n";
  for (std::size_t i = 0; i < check.before.size(); ++i) {
    text += fmt::format("  round {}  {:>7.1f}  {:>7.1f}  {:.2f} x\n",
                        i + 1,
                        check.before[i],
                        check.after[i],
                        check.before[i] > 0.0 ? check.after[i] / check.before[i] : 0.0);
  }
  return text + "  result " + check.conclusion() + "\n";
}

}  // namespace

double ApplyCheck::ratio() const {
  if (before.empty() || after.empty()) return 1.0;
  const double middle = rules::median_of(before);
  return middle > 0.0 ? rules::median_of(after) / middle : 1.0;
}

double ApplyCheck::least() const {
  double least = ratio();
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    if (before[i] > 0.0) least = std::min(least, after[i] / before[i]);
  return least;
}

double ApplyCheck::most() const {
  double most = ratio();
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    if (before[i] > 0.0) most = std::max(most, after[i] / before[i]);
  return most;
}

bool ApplyCheck::is_gain() const {
  return fault.empty() && least() > 1.0 && ratio() >= kLeastGain;
}

std::string ApplyCheck::conclusion() const {
  if (!fault.empty()) return "no gain: a training run failed: " + fault;
  if (before.empty()) return "no gain: no change is recommended";
  return fmt::format("{}: {:.2f} x ({:.2f} to {:.2f} in {})",
                     is_gain() ? "gain" : "no gain",
                     ratio(),
                     least(),
                     most(),
                     base::format_count(std::ssize(before), "round"));
}

std::string to_text(const Recommendation& recommendation) {
  std::string text = recommendation.corpus + "\n\n" + trials_text(recommendation.measured.trials) +
                     advice_text(recommendation.advice);
  if (recommendation.check) text += check_text(*recommendation.check);
  const std::string flags = flags_of(changes_of(recommendation.advice));
  return text + (flags.empty() ? "\nNo change is recommended for this corpus on this machine.\n"
                               : fmt::format("\nRecommended flags: {}\n", flags));
}

nlohmann::ordered_json to_json(const Recommendation& recommendation) {
  nlohmann::ordered_json trials = nlohmann::ordered_json::array();
  for (const Trial& trial : recommendation.measured.trials) {
    nlohmann::ordered_json one = {{"name", trial.name},
                                  {"speed", nullptr},
                                  {"step_s", trial.step_s},
                                  {"wait_share", trial.wait_share},
                                  {"fault", trial.fault}};
    if (trial.speed) one["speed"] = *trial.speed;
    trials.push_back(std::move(one));
  }
  nlohmann::ordered_json advice = nlohmann::ordered_json::array();
  for (const Advice& one : recommendation.advice) {
    advice.push_back({{"key", one.key},
                      {"now", one.now},
                      {"value", one.value},
                      {"change", one.is_change()},
                      {"reason", one.reason}});
  }
  nlohmann::ordered_json json = {{"recommendations", std::move(advice)},
                                 {"flags", flags_of(changes_of(recommendation.advice))},
                                 {"trials", std::move(trials)},
                                 {"check", nullptr}};
  if (recommendation.check) {
    const ApplyCheck& check = *recommendation.check;
    json["check"] = {{"before", check.before},
                     {"after", check.after},
                     {"ratio", check.ratio()},
                     {"least", check.least()},
                     {"most", check.most()},
                     {"gain", check.is_gain()},
                     {"fault", check.fault},
                     {"result", check.conclusion()}};
  }
  return json;
}

}  // namespace myxtts::diagnose
