#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/batch.h"
#include "train/evaluation.h"
#include "train/plateau.h"

namespace myxtts::train {

// The progress of a run, stored in every checkpoint.
//
// With weights, optimiser and random generator it is all that an exact resume needs.
struct TrainState {
  std::int64_t step = 0;            // finished steps, including skipped ones
  data::LoaderPosition position;    // of the next batch
  std::int64_t schedule_steps = 0;  // length of the schedule; 0: not known yet
  double trained_s = 0.0;           // time in steps, over all starts
  std::int64_t skipped_steps = 0;   // steps without update because loss or gradient was not finite
  std::int64_t bad_in_a_row = 0;    // consecutive skipped steps at the end
  std::int64_t retraces = 0;        // see step/retrace_monitor.h
  PlateauState plateau;
  std::int64_t best_step = 0;             // of the best validation; 0: none
  std::int64_t validated_step = 0;        // of the last validation
  std::int64_t sampled_step = 0;          // of the last samples
  std::optional<double> validation_loss;  // of the last validation
  std::int64_t evaluated_step = 0;        // of the last judgement
  std::optional<JudgedStep> judged;       // last result of the judge
  std::optional<JudgedStep> judged_best;  // best result of the judge
  std::string corpus_hash;    // of the utterances and the shape plan that determine the batch order
  std::string mel_extractor;  // name of the mel extractor; empty: unknown
  bool stopped = false;       // by early stopping
};

// Serialises the state bit-exactly.
std::string to_json_text(const TrainState& state);

// Throws UserError that names a missing or invalid key.
TrainState parse_train_state(std::string_view json_text, const std::string& source);

}  // namespace myxtts::train
