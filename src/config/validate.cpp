#include "config/validate.h"

#include <algorithm>
#include <bit>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest.h"
#include "config/config_errors.h"
#include "config/field.h"
#include "config/mel_scale.h"
#include "config/training_checks.h"
#include "config/value.h"

namespace myxtts::config {
namespace {

std::optional<double> number_in(const Field& field) {
  struct Number {
    std::optional<double> operator()(const int* value) const { return *value; }
    std::optional<double> operator()(const double* value) const { return *value; }
    std::optional<double> operator()(const std::optional<int>* value) const {
      return value->has_value() ? std::optional<double>(**value) : std::nullopt;
    }
    std::optional<double> operator()(const std::optional<double>* value) const { return *value; }
    std::optional<double> operator()(const void* /*other types*/) const { return std::nullopt; }
  };
  return std::visit(Number{}, field.value);
}

std::vector<std::string> strings_in(const Field& field) {
  if (const auto* const* text = std::get_if<std::string*>(&field.value)) return {**text};
  const auto* const* list = std::get_if<std::vector<std::string>*>(&field.value);
  return list == nullptr ? std::vector<std::string>{} : **list;
}

void check_choices(const Field& field, ConfigErrors& findings) {
  const std::vector<std::string> choices = field.choices();
  if (choices.empty()) return;
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(field.value);
  for (const std::string& value : strings_in(field)) {
    findings.expect(std::ranges::find(choices, value) != choices.end(),
                    "{} {} '{}'; expected {}{}",
                    field.key(),
                    is_list ? "contains" : "is",
                    value,
                    fmt::join(choices, ", "),
                    base::did_you_mean(value, choices));
  }
}

void check_each_field(Config config, ConfigErrors& findings) {
  for (const Field& field : fields_of(config)) {
    if (const std::optional<double> number = number_in(field)) {
      const bool may_be_auto = std::string_view(field.meta.unset) == "auto";
      findings.expect(field.meta.range.contains(*number),
                      "{} is {}; expected a value {}{}",
                      field.key(),
                      to_yaml(field),
                      field.meta.range.format(),
                      may_be_auto ? ", or auto" : "");
    }
    check_choices(field, findings);
  }
}

void check_mel(const ModelConfig& model, ConfigErrors& findings) {
  findings.expect(std::has_single_bit(static_cast<unsigned>(std::max(model.n_fft, 0))),
                  "model.n_fft is {}; expected a power of two such as 512, 1024 or 2048",
                  model.n_fft);
  findings.expect(model.win_length <= model.n_fft,
                  "model.win_length ({}) is longer than model.n_fft ({})",
                  model.win_length,
                  model.n_fft);
  findings.expect(model.hop_length <= model.win_length,
                  "model.hop_length ({}) is longer than model.win_length ({}); samples between the "
                  "windows would be skipped",
                  model.hop_length,
                  model.win_length);
  findings.expect(model.mel_fmax <= model.sample_rate / 2.0,
                  "model.mel_fmax ({} Hz) is above half of model.sample_rate ({} Hz)",
                  model.mel_fmax,
                  model.sample_rate / 2.0);
  findings.expect(model.mel_fmin < model.mel_fmax,
                  "model.mel_fmin ({} Hz) is not below model.mel_fmax ({} Hz)",
                  model.mel_fmin,
                  model.mel_fmax);
  const std::optional<int> empty_channel = first_empty_mel_channel(model);
  findings.expect(!empty_channel,
                  "mel channel {} covers no FFT bin; lower model.n_mels ({}) or raise model.n_fft "
                  "({})",
                  empty_channel.value_or(0),
                  model.n_mels,
                  model.n_fft);
}

void check_corpus(const DataConfig& data, ConfigErrors& findings) {
  constexpr std::size_t kMaxPatternSize = 200;
  if (!data.speaker_id_pattern) return;
  const std::string& pattern = *data.speaker_id_pattern;
  findings.expect(pattern.size() <= kMaxPatternSize,
                  "data.speaker_id_pattern has {} characters; expected at most {}",
                  pattern.size(),
                  kMaxPatternSize);
  if (pattern.size() > kMaxPatternSize) return;
  try {
    static_cast<void>(std::regex(pattern));  // throws if invalid
  } catch (const std::regex_error& error) {
    findings.expect(false,
                    "data.speaker_id_pattern '{}' is not a regular expression: {}",
                    pattern,
                    error.what());
  }
}

}  // namespace

std::vector<std::string> validation_errors(const Config& config) {
  ConfigErrors findings;
  check_each_field(config, findings);
  check_corpus(config.data, findings);
  check_mel(config.model, findings);
  check_training(config, findings);
  return findings.take();
}

void validate(const Config& config) {
  throw_if_any(validation_errors(config));
}

void throw_if_any(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  if (problems.size() == 1) throw UsageError(problems.front());
  throw UsageError(fmt::format(
      "{} problems in the configuration:\n  - {}", problems.size(), fmt::join(problems, "\n  - ")));
}

}  // namespace myxtts::config
