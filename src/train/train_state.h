#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/batch.h"
#include "train/evaluation.h"
#include "train/plateau.h"

namespace xtts::train {

// Where a run is. Together with weights, optimiser and generator it is all that a resumed run needs
// to go on as if it had never stopped; every save holds it. Plain values.
struct TrainState {
  std::int64_t step = 0;              // updates finished, with refused ones
  pipeline::LoaderPosition position;  // the next update
  std::int64_t schedule_steps = 0;    // length of the schedule; 0: not fixed yet
  double trained_s = 0.0;             // in steps, over all starts
  std::int64_t skipped_steps = 0;     // updates refused because something was not finite
  std::int64_t bad_in_a_row = 0;      // of them, the last ones
  std::int64_t retraces = 0;          // steps that nothing was prepared for
  PlateauState plateau;
  std::int64_t best_step = 0;             // of the best validation; 0: none
  std::int64_t validated_step = 0;        // the last validation that was taken into account
  std::int64_t sampled_step = 0;          // the last time that samples were spoken and drawn
  std::optional<double> validation_loss;  // of that validation
  std::int64_t evaluated_step = 0;        // the last time that a judge was asked
  std::optional<Judged> judged;           // its last answer
  std::optional<Judged> judged_best;      // the best of its answers
  std::string corpus_hash;                // of the utterances and the plan that made the order
  std::string mel_maker;                  // name of who made the mels; empty: not known
  bool stopped = false;                   // by early stopping
};

// Reading gives the same bits back.
std::string to_json_text(const TrainState& state);

// Throws UserError that says what is missing.
TrainState parse_train_state(std::string_view json_text, const std::string& source);

}  // namespace xtts::train
