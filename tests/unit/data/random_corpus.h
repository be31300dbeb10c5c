// Random corpora and settings for property tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "data/features.h"
#include "data/shape_plan.h"

namespace myxtts::data {

inline std::int64_t between(base::Random& random, std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
}

// Returns lengths like those of speech: about 500 frames, about 6 frames per symbol, and a few
// unusually long texts.
inline std::vector<Lengths> speech_lengths(base::Random& random, std::size_t count) {
  std::vector<Lengths> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    const double normal = std::sqrt(-2.0 * std::log(1.0 - random.unit())) *
                          std::cos(2.0 * std::numbers::pi * random.unit());
    const auto mel = std::clamp<std::int64_t>(std::llround(500.0 + 220.0 * normal), 20, 2584);
    const double frames_per_symbol = random.unit() < 0.01 ? 1.5 : 5.0 + 2.0 * random.unit();
    const auto text = std::llround(static_cast<double>(mel) / frames_per_symbol);
    lengths.push_back({.text = std::max<std::int64_t>(1, text), .mel = mel});
  }
  return lengths;
}

// Returns 13,100 lengths distributed as in LJSpeech: 1.1 to 10.1 s, 6.6 s on average, more long
// than short ones. Deterministic.
inline std::vector<Lengths> ljspeech_lengths() {
  constexpr int kCount = 13100;
  base::Random random(13);
  std::vector<Lengths> lengths;
  for (int i = 0; i < kCount; ++i) {
    const double rank = (i + 0.5) / kCount;
    const auto mel = std::llround(96.0 + 774.0 * std::pow(rank, 1.0 / 1.55));
    const double frames_per_symbol = 4.5 + 2.5 * random.unit();
    lengths.push_back(
        {.text = std::llround(static_cast<double>(mel) / frames_per_symbol), .mel = mel});
  }
  return lengths;
}

// Returns the lengths of the demo corpus from tests/golden/demo_lengths.txt, written by
// tools/golden/make_demo_lengths.py.
inline std::vector<Lengths> demo_corpus_lengths() {
  std::ifstream file(MYXTTS_SOURCE_DIR "/tests/golden/demo_lengths.txt");
  std::vector<Lengths> lengths;
  for (Lengths one; file >> one.text >> one.mel;)
    lengths.push_back(one);
  return lengths;
}

// Returns one of: speech, a single length, few lengths, arbitrary lengths.
inline std::vector<Lengths> any_lengths(base::Random& random, std::size_t count) {
  const std::uint64_t kind = random.below(4);
  if (kind == 0) return speech_lengths(random, count);
  const std::int64_t most = kind == 1 ? 1 : kind == 2 ? 40 : 9000;
  const std::int64_t shift = between(random, 0, 300);
  std::vector<Lengths> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t mel = shift + between(random, 1, most);
    lengths.push_back({.text = between(random, 1, mel), .mel = mel});
  }
  return lengths;
}

inline PlanSettings settings_with(int batch_size,
                                  int grad_accum = 1,
                                  std::optional<int> most = {}) {
  return {.batch_size = batch_size, .grad_accum = grad_accum, .max_signatures = most};
}

inline PlanSettings any_settings(base::Random& random) {
  PlanSettings settings;
  settings.grad_accum = static_cast<int>(between(random, 1, 4));
  settings.batch_size = settings.grad_accum * static_cast<int>(between(random, 1, 12));
  if (random.below(2) == 0) settings.max_signatures = static_cast<int>(between(random, 1, 10));
  if (random.below(3) == 0)
    settings.must_hold = {.text = between(random, 0, 500), .mel = between(random, 0, 3000)};
  return settings;
}

// Returns features of these lengths with two channels and identifiable values: symbol t of
// utterance i is 1 + (i + t) mod 50, frame m of channel c is i + m / 1000 + c / 10.
inline FeatureSet synthetic_features(const std::vector<Lengths>& lengths,
                                     std::size_t num_speakers) {
  FeatureSet set;
  std::vector<std::vector<float>> mels;
  for (std::size_t s = 0; s < num_speakers; ++s)
    set.speakers.push_back("speaker" + std::to_string(s));
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    Features features;
    features.id = "u" + std::to_string(i);
    features.speaker = i % num_speakers;
    for (std::int64_t t = 0; t < lengths[i].text; ++t)
      features.text.push_back(1 + (static_cast<std::int64_t>(i) + t) % 50);
    std::vector<float> mel;
    for (std::int64_t m = 0; m < lengths[i].mel; ++m) {
      for (int c = 0; c < 2; ++c) {
        mel.push_back(static_cast<float>(i) + static_cast<float>(m) / 1000.0F +
                      static_cast<float>(c) / 10.0F);
      }
    }
    mels.push_back(std::move(mel));
    set.utterances.push_back(std::move(features));
  }
  set_memory_mels(set, 2, std::move(mels));
  return set;
}

}  // namespace myxtts::data
