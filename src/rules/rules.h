// Declares the rule families, each a pure function that appends its findings.
//
// Only apply_rules() and unit tests call them. A rule that lacks a measurement appends nothing.
// Thresholds are constants at the top of each file. They lie well outside the range of healthy
// runs: a missed finding is better than a false alarm.
#pragma once

#include <string>

#include "rules/finding.h"
#include "rules/record.h"

namespace myxtts::rules {

// Returns true if other programs use so many cores that short times are unreliable.
bool is_machine_busy(const Record& record);

// Returns the flag that makes a run compute each mel once and then read it from the cache.
std::string mel_cache_flag(const Record& record);

// dynamic_shapes batch_size_not_fixed remainder_batch retraces oversized_signature
void shape_findings(const Record& record, Findings& findings);
// threads_oversubscribed shared_core memory_nearly_full
void machine_findings(const Record& record, Findings& findings);
// slow_text huge_mp3s resampling_every_file slow_disk file_latency
void stage_findings(const Record& record, Findings& findings);
// one_worker tiny_buffer
void loading_findings(const Record& record, Findings& findings);
// cache_off cache_full
void cache_findings(const Record& record, Findings& findings);
// few_workers: the model waits for data and no rule above found the cause
void starvation_findings(const Record& record, Findings& findings);
// bad_files long_silences
void corpus_findings(const Record& record, Findings& findings);
// precision_not_used model_too_small
void model_findings(const Record& record, Findings& findings);
// cyclic_variation high_variation machine_busy: symptoms, independent of their cause
void symptom_findings(const Record& record, Findings& findings);

}  // namespace myxtts::rules
