#include "rules/apply_rules.h"

#include <algorithm>

#include "rules/rules.h"

namespace myxtts::rules {

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

// Applies each group of rules in the order of rule_ids(). Within a severity, causes come before
// their effects.
Findings apply_rules(const Record& record) {
  Findings findings;
  shape_findings(record, findings);
  machine_findings(record, findings);
  stage_findings(record, findings);
  loading_findings(record, findings);
  cache_findings(record, findings);
  starvation_findings(record, findings);
  corpus_findings(record, findings);
  model_findings(record, findings);
  symptom_findings(record, findings);
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

}  // namespace myxtts::rules
