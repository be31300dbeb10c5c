#include "verdict/judge.h"

#include <algorithm>

#include "verdict/rules.h"

namespace xtts::verdict {

const std::vector<std::string>& rule_ids() {
  static const std::vector<std::string> ids = {"dynamic_shapes",
                                               "batch_size_not_fixed",
                                               "remainder_batch",
                                               "retraces",
                                               "oversized_signature",
                                               "threads_oversubscribed",
                                               "shared_core",
                                               "memory_nearly_full",
                                               "slow_text",
                                               "huge_mp3s",
                                               "resampling_every_file",
                                               "slow_disk",
                                               "file_latency",
                                               "one_worker",
                                               "tiny_buffer",
                                               "cache_off",
                                               "cache_full",
                                               "few_workers",
                                               "bad_files",
                                               "long_silences",
                                               "precision_not_used",
                                               "model_too_small",
                                               "cyclic_variation",
                                               "high_variation",
                                               "machine_busy"};
  return ids;
}

// In the order of the list above: what is behind another thing stands before it.
Findings judge(const Record& record) {
  Findings findings;
  judge_shapes(record, findings);
  judge_machine(record, findings);
  judge_stages(record, findings);
  judge_loading(record, findings);
  judge_cache(record, findings);
  judge_starvation(record, findings);
  judge_corpus(record, findings);
  judge_model(record, findings);
  judge_symptoms(record, findings);
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

}  // namespace xtts::verdict
