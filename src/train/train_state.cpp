#include "train/train_state.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace myxtts::train {

std::string to_json_text(const TrainState& state) {
  nlohmann::ordered_json json = {
      {"step", state.step},
      {"epoch", state.position.epoch},
      {"batch", state.position.batch},
      {"schedule_steps", state.schedule_steps},
      {"trained_s", state.trained_s},
      {"skipped_steps", state.skipped_steps},
      {"bad_in_a_row", state.bad_in_a_row},
      {"retraces", state.retraces},
      {"best_step", state.best_step},
      {"validated_step", state.validated_step},
      {"sampled_step", state.sampled_step},
      {"corpus_hash", state.corpus_hash},
      {"mel_extractor", state.mel_extractor},
      {"stopped", state.stopped},
      {"since_best", state.plateau.since_best},
      {"since_halving", state.plateau.since_halving},
      {"learning_rate_scale", state.plateau.scale},
      {"best_validation_loss", nullptr},
      {"validation_loss", nullptr},
      {"evaluated_step", state.evaluated_step},
      {"judged", judged_json(state.judged)},
      {"judged_best", judged_json(state.judged_best)},
  };
  if (state.plateau.has_best) json["best_validation_loss"] = state.plateau.best;
  if (state.validation_loss) json["validation_loss"] = *state.validation_loss;
  return json.dump();
}

TrainState parse_train_state(std::string_view json_text, const std::string& source) try {
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(json_text);
  TrainState state;
  json.at("step").get_to(state.step);
  json.at("epoch").get_to(state.position.epoch);
  json.at("batch").get_to(state.position.batch);
  json.at("schedule_steps").get_to(state.schedule_steps);
  json.at("trained_s").get_to(state.trained_s);
  json.at("skipped_steps").get_to(state.skipped_steps);
  json.at("bad_in_a_row").get_to(state.bad_in_a_row);
  json.at("retraces").get_to(state.retraces);
  json.at("best_step").get_to(state.best_step);
  json.at("validated_step").get_to(state.validated_step);
  json.at("sampled_step").get_to(state.sampled_step);
  json.at("corpus_hash").get_to(state.corpus_hash);
  if (json.contains("mel_extractor"))
    json.at("mel_extractor").get_to(state.mel_extractor);  // not in older checkpoints
  json.at("stopped").get_to(state.stopped);
  json.at("since_best").get_to(state.plateau.since_best);
  json.at("since_halving").get_to(state.plateau.since_halving);
  json.at("learning_rate_scale").get_to(state.plateau.scale);
  const nlohmann::ordered_json& best = json.at("best_validation_loss");
  state.plateau.has_best = !best.is_null();
  if (state.plateau.has_best) best.get_to(state.plateau.best);
  const nlohmann::ordered_json& loss = json.at("validation_loss");
  if (!loss.is_null()) state.validation_loss = loss.get<double>();
  if (json.contains("evaluated_step")) {  // not in older checkpoints
    json.at("evaluated_step").get_to(state.evaluated_step);
    state.judged = parse_judged(json.at("judged"));
    state.judged_best = parse_judged(json.at("judged_best"));
  }
  return state;
} catch (const nlohmann::json::exception& error) {
  throw UserError(fmt::format("{} has no valid training state: {}", source, error.what()));
}

}  // namespace myxtts::train
