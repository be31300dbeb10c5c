// The rules by family, each a pure function that adds what it finds. For judge() and their tests;
// others call judge(). A rule that lacks a measurement adds nothing.
//
// Thresholds are constants at the top of each file. They lie well away from what healthy runs show,
// because a tool that cries wolf is not read: when in doubt a rule is silent.
#pragma once

#include <string>

#include "rules/finding.h"
#include "rules/record.h"

namespace xtts::rules {

// Other programs keep so many cores busy that short times say nothing.
bool is_machine_busy(const Record& record);

// The flag with which mels are computed once and then read in place of the recordings.
std::string keep_mels(const Record& record);

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
// few_workers: the model waits, and none of those above has named a cause
void starvation_findings(const Record& record, Findings& findings);
// bad_files long_silences
void corpus_findings(const Record& record, Findings& findings);
// precision_not_used model_too_small
void model_findings(const Record& record, Findings& findings);
// cyclic_variation high_variation machine_busy: what shows, whatever its cause
void symptom_findings(const Record& record, Findings& findings);

}  // namespace xtts::rules
