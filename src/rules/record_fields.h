// Lists the fields of a record: visit_fields() calls `visit(name, member)` for each, in file order.
// Templates serve both readers (mutable references) and writers (const references).
#pragma once

#include <type_traits>

#include "rules/record.h"

namespace myxtts::rules {

template <typename T, typename Plain>
concept IsOf = std::is_same_v<std::remove_const_t<T>, Plain>;

template <IsOf<Shape> T, typename Visit>
void visit_fields(T& shape, Visit&& visit) {
  visit("batch", shape.batch);
  visit("text", shape.text);
  visit("mel", shape.mel);
  visit("share", shape.share);
}

template <IsOf<Settings> T, typename Visit>
void visit_fields(T& settings, Visit&& visit) {
  visit("shape_mode", settings.shape_mode);
  visit("pad_to_fixed_length", settings.pad_to_fixed_length);
  visit("signatures", settings.signatures);
  visit("batch_size", settings.batch_size);
  visit("grad_accum", settings.grad_accum);
  visit("num_workers", settings.num_workers);
  visit("buffer", settings.buffer);
  visit("cache", settings.cache);
  visit("cache_limit_bytes", settings.cache_limit_bytes);
  visit("precision", settings.precision);
  visit("threads", settings.threads);
  visit("device", settings.device);
  visit("mode", settings.mode);
  visit("model_cores", settings.model_cores);
  visit("data_cores", settings.data_cores);
  visit("loader_is_idle_priority", settings.loader_is_idle_priority);
  visit("trim_silence", settings.trim_silence);
  visit("planned_epochs", settings.planned_epochs);
  visit("planned_steps", settings.planned_steps);
}

template <IsOf<Machine> T, typename Visit>
void visit_fields(T& machine, Visit&& visit) {
  visit("cores", machine.cores);
  visit("usable_cores", machine.usable_cores);
  visit("load_by_others", machine.load_by_others);
  visit("total_memory_bytes", machine.total_memory_bytes);
  visit("free_memory_bytes", machine.free_memory_bytes);
  visit("cpu_features", machine.cpu_features);
  visit("bf16_works", machine.bf16_works);
  visit("bf16_gain", machine.bf16_gain);
  visit("disk_bytes_per_s", machine.disk_bytes_per_s);
  visit("open_s", machine.open_s);
}

template <IsOf<CorpusStats> T, typename Visit>
void visit_fields(T& corpus, Visit&& visit) {
  visit("utterances", corpus.utterances);
  visit("hours", corpus.hours);
  visit("mel_p50", corpus.mel_p50);
  visit("mel_p95", corpus.mel_p95);
  visit("mel_p99", corpus.mel_p99);
  visit("mel_max", corpus.mel_max);
  visit("text_p99", corpus.text_p99);
  visit("text_max", corpus.text_max);
  visit("bad_share", corpus.bad_share);
  visit("bad_reason", corpus.bad_reason);
  visit("silence_share", corpus.silence_share);
  visit("longest_silence_s", corpus.longest_silence_s);
  visit("resampled_share", corpus.resampled_share);
  visit("resampled_from_hz", corpus.resampled_from_hz);
  visit("encoded_share", corpus.encoded_share);
  visit("encoded_mean_s", corpus.encoded_mean_s);
  visit("mean_file_bytes", corpus.mean_file_bytes);
}

template <IsOf<Stage> T, typename Visit>
void visit_fields(T& stage, Visit&& visit) {
  visit("name", stage.name);
  visit("cpu_s", stage.cpu_s);
  visit("wall_s", stage.wall_s);
}

template <IsOf<Loading> T, typename Visit>
void visit_fields(T& loading, Visit&& visit) {
  visit("stages", loading.stages);
  visit("batch_cpu_s", loading.batch_cpu_s);
  visit("batch_wall_s", loading.batch_wall_s);
  visit("preparation_s", loading.preparation_s);
  visit("text_restarts", loading.text_restarts);
}

template <IsOf<Step> T, typename Visit>
void visit_fields(T& step, Visit&& visit) {
  visit("step_s", step.step_s);
  visit("wait_s", step.wait_s);
  visit("copy_s", step.copy_s);
  visit("host_s", step.host_s);
  visit("buffer_depth", step.buffer_depth);
  visit("epoch", step.epoch);
  visit("signature", step.signature);
  visit("retraces", step.retraces);
}

template <IsOf<Cache> T, typename Visit>
void visit_fields(T& cache, Visit&& visit) {
  visit("hits", cache.hits);
  visit("misses", cache.misses);
  visit("bytes", cache.bytes);
  visit("limit_bytes", cache.limit_bytes);
  visit("stopped", cache.stopped);
}

template <IsOf<Memory> T, typename Visit>
void visit_fields(T& memory, Visit&& visit) {
  visit("resident_bytes", memory.resident_bytes);
  visit("peak_bytes", memory.peak_bytes);
  visit("need_bytes", memory.need_bytes);
  visit("budget_bytes", memory.budget_bytes);
}

template <IsOf<Model> T, typename Visit>
void visit_fields(T& model, Visit&& visit) {
  visit("parameters", model.parameters);
  visit("multiply_adds", model.multiply_adds);
  visit("machine_multiply_adds_per_s", model.machine_multiply_adds_per_s);
}

template <IsOf<Record> T, typename Visit>
void visit_fields(T& record, Visit&& visit) {
  visit("settings", record.settings);
  visit("machine", record.machine);
  visit("corpus", record.corpus);
  visit("loading", record.loading);
  visit("steps", record.steps);
  visit("cache", record.cache);
  visit("memory", record.memory);
  visit("model", record.model);
}

}  // namespace myxtts::rules
