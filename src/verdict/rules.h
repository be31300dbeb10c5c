// The rules by family, each a pure function that adds what it finds. For judge() and their tests;
// others call judge(). A rule that lacks a measurement adds nothing.
//
// Thresholds are constants at the top of each file. They lie well away from what healthy runs show,
// because a tool that cries wolf is not read: when in doubt a rule is silent.
#pragma once

#include <string>

#include "verdict/finding.h"
#include "verdict/record.h"

namespace xtts::verdict {

// Other programs keep so many cores busy that short times say nothing.
bool is_machine_busy(const Record& record);

// The flag with which mels are computed once and then read in place of the recordings.
std::string keep_mels(const Record& record);

// dynamic_shapes batch_size_not_fixed remainder_batch retraces oversized_signature
void judge_shapes(const Record& record, Findings& findings);
// threads_oversubscribed shared_core memory_nearly_full
void judge_machine(const Record& record, Findings& findings);
// slow_text huge_mp3s resampling_every_file slow_disk file_latency
void judge_stages(const Record& record, Findings& findings);
// one_worker tiny_buffer
void judge_loading(const Record& record, Findings& findings);
// cache_off cache_full
void judge_cache(const Record& record, Findings& findings);
// few_workers: the model waits, and none of those above has named a cause
void judge_starvation(const Record& record, Findings& findings);
// bad_files long_silences
void judge_corpus(const Record& record, Findings& findings);
// precision_not_used model_too_small
void judge_model(const Record& record, Findings& findings);
// cyclic_variation high_variation machine_busy: what shows, whatever its cause
void judge_symptoms(const Record& record, Findings& findings);

}  // namespace xtts::verdict
