#include "config/validate.h"

#include <algorithm>
#include <bit>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest.h"
#include "config/field.h"
#include "config/mel_scale.h"
#include "config/value.h"

namespace xtts::config {
namespace {

// Collects a sentence for each check that fails.
class Findings {
 public:
  template <typename... Args>
  void expect(bool ok, fmt::format_string<Args...> sentence, Args&&... args) {
    if (!ok) sentences_.push_back(fmt::format(sentence, std::forward<Args>(args)...));
  }

  std::vector<std::string> take() { return std::move(sentences_); }

 private:
  std::vector<std::string> sentences_;
};

std::optional<double> number_in(const Field& field) {
  struct Number {
    std::optional<double> operator()(const int* value) const { return *value; }
    std::optional<double> operator()(const double* value) const { return *value; }
    std::optional<double> operator()(const std::optional<int>* value) const {
      return value->has_value() ? std::optional<double>(**value) : std::nullopt;
    }
    std::optional<double> operator()(const std::optional<double>* value) const { return *value; }
    std::optional<double> operator()(const void* /*no number*/) const { return std::nullopt; }
  };
  return std::visit(Number{}, field.value);
}

std::vector<std::string> words_in(const Field& field) {
  if (const auto* const* word = std::get_if<std::string*>(&field.value)) return {**word};
  const auto* const* list = std::get_if<std::vector<std::string>*>(&field.value);
  return list == nullptr ? std::vector<std::string>{} : **list;
}

void check_words(const Field& field, Findings& findings) {
  const std::vector<std::string> choices = field.choices();
  if (choices.empty()) return;
  const bool is_list = std::holds_alternative<std::vector<std::string>*>(field.value);
  for (const std::string& word : words_in(field)) {
    findings.expect(std::ranges::find(choices, word) != choices.end(),
                    "{} {} '{}'; expected {}{}",
                    field.key(),
                    is_list ? "holds" : "is",
                    word,
                    fmt::join(choices, ", "),
                    base::suggestion(word, choices));
  }
}

void check_each_field(Config config, Findings& findings) {
  for (const Field& field : fields_of(config)) {
    if (const std::optional<double> number = number_in(field)) {
      findings.expect(field.meta.range.contains(*number),
                      "{} is {}; expected a value {}",
                      field.key(),
                      to_yaml(field),
                      field.meta.range.describe());
    }
    check_words(field, findings);
  }
}

void check_mel(const ModelConfig& model, Findings& findings) {
  findings.expect(std::has_single_bit(static_cast<unsigned>(std::max(model.n_fft, 0))),
                  "model.n_fft is {}; expected a power of two such as 512, 1024 or 2048",
                  model.n_fft);
  findings.expect(model.win_length <= model.n_fft,
                  "model.win_length ({}) is longer than model.n_fft ({})",
                  model.win_length,
                  model.n_fft);
  findings.expect(model.hop_length <= model.win_length,
                  "model.hop_length ({}) is longer than model.win_length ({}): samples between the "
                  "windows would be lost",
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
  const std::optional<int> deaf = first_deaf_channel(model);
  findings.expect(!deaf,
                  "mel channel {} covers no bin of the Fourier transform: lower model.n_mels ({}) "
                  "or raise model.n_fft ({})",
                  deaf.value_or(0),
                  model.n_mels,
                  model.n_fft);
}

// "12 or 18" for 16 in steps of 6.
std::string nearest_multiples(int value, int step) {
  const int below = value / step * step;
  if (below == 0) return fmt::format("{}", step);
  return fmt::format("{} or {}", below, below + step);
}

bool is_multiple(int value, int step) {
  return step < 1 || value < 1 || value % step == 0;
}

void check_batches(const Config& config, Findings& findings) {
  const int batch_size = config.data.batch_size;
  const int splits = config.training.gradient_accumulation_steps;
  findings.expect(is_multiple(batch_size, splits),
                  "data.batch_size ({}) is not divisible by training.gradient_accumulation_steps "
                  "({}); the nearest batch sizes are {}",
                  batch_size,
                  splits,
                  nearest_multiples(batch_size, std::max(splits, 1)));
  findings.expect(config.data.min_audio_length < config.data.max_audio_length,
                  "data.min_audio_length ({} s) is not below data.max_audio_length ({} s)",
                  config.data.min_audio_length,
                  config.data.max_audio_length);
  if (!config.data.pad_to_fixed_length || !config.data.shape_buckets) return;
  findings.expect(*config.data.pad_to_fixed_length,
                  "data.shape_buckets ({}) has no meaning with data.pad_to_fixed_length: false "
                  "(dynamic shapes); set one of them to auto",
                  *config.data.shape_buckets);
  findings.expect(!*config.data.pad_to_fixed_length || *config.data.shape_buckets == 1,
                  "data.pad_to_fixed_length: true is one shape, but data.shape_buckets is {}; set "
                  "one of them to auto",
                  *config.data.shape_buckets);
}

void check_model_sizes(const ModelConfig& model, Findings& findings) {
  findings.expect(is_multiple(model.text_encoder_dim, model.text_encoder_heads),
                  "model.text_encoder_dim ({}) is not divisible by model.text_encoder_heads ({}); "
                  "the nearest widths are {}",
                  model.text_encoder_dim,
                  model.text_encoder_heads,
                  nearest_multiples(model.text_encoder_dim, std::max(model.text_encoder_heads, 1)));
}

void check_schedule(const TrainingConfig& training, Findings& findings) {
  findings.expect(training.min_learning_rate <= training.learning_rate,
                  "training.min_learning_rate ({}) is above training.learning_rate ({})",
                  training.min_learning_rate,
                  training.learning_rate);
  findings.expect(!training.schedule_steps || training.warmup_steps < *training.schedule_steps,
                  "training.warmup_steps ({}) is not below training.schedule_steps ({})",
                  training.warmup_steps,
                  training.schedule_steps.value_or(0));
}

void expect_device(const char* key,
                   const std::optional<std::string>& device,
                   const char* pattern,
                   const char* expected,
                   Findings& findings) {
  const bool ok =
      !device || (device->size() < 16 && std::regex_match(*device, std::regex(pattern)));
  findings.expect(ok, "{} is '{}'; expected {}", key, device.value_or(""), expected);
}

void check_machine(const Config& config, Findings& findings) {
  constexpr const char* kLane = "(cpu|cuda):[0-9]{1,3}";
  constexpr const char* kLanes = "a lane such as cpu:0 or cuda:1";
  const DataConfig& data = config.data;
  expect_device("training.device",
                config.training.device,
                "auto|cpu|cuda|cuda:[0-9]{1,3}",
                "auto, cpu or cuda:N",
                findings);
  expect_device("data.data_device", data.data_device, kLane, kLanes, findings);
  expect_device("data.model_device", data.model_device, kLane, kLanes, findings);
  findings.expect(!data.data_gpu || !data.data_device,
                  "data.data_gpu and data.data_device are two names of one lane; keep one");
  findings.expect(!data.model_gpu || !data.model_device,
                  "data.model_gpu and data.model_device are two names of one lane; keep one");
  const std::string& precision = config.training.precision;
  if (!data.mixed_precision || precision == "auto") return;
  findings.expect(*data.mixed_precision == (precision != "fp32"),
                  "data.mixed_precision is {}, but training.precision is {}; set one of them to "
                  "auto",
                  *data.mixed_precision,
                  precision);
}

void check_corpus(const DataConfig& data, Findings& findings) {
  constexpr std::size_t kLongestPattern = 200;
  if (!data.speaker_id_pattern) return;
  const std::string& pattern = *data.speaker_id_pattern;
  findings.expect(pattern.size() <= kLongestPattern,
                  "data.speaker_id_pattern has {} characters; expected at most {}",
                  pattern.size(),
                  kLongestPattern);
  if (pattern.size() > kLongestPattern) return;
  try {
    const std::regex compiled(pattern);
  } catch (const std::regex_error& error) {
    findings.expect(
        false, "data.speaker_id_pattern '{}' is no regular expression: {}", pattern, error.what());
  }
}

}  // namespace

std::vector<std::string> contradictions(const Config& config) {
  Findings findings;
  check_each_field(config, findings);
  check_corpus(config.data, findings);
  check_mel(config.model, findings);
  check_model_sizes(config.model, findings);
  check_batches(config, findings);
  check_schedule(config.training, findings);
  check_machine(config, findings);
  return findings.take();
}

void validate(const Config& config) {
  refuse_if_any(contradictions(config));
}

void refuse_if_any(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  if (problems.size() == 1) throw UsageError(problems.front());
  throw UsageError(fmt::format(
      "{} problems in the configuration:\n  - {}", problems.size(), fmt::join(problems, "\n  - ")));
}

}  // namespace xtts::config
