#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/speak_verb.h"

namespace xtts::cli {

// A task per line that is not blank, without its file yet. Not every line need be UTF-8: whoever
// speaks it says so.
std::vector<SpeakTask> tasks_of_lines(std::string_view bytes);

// The bytes of the text file that was named by `flag`; "-" is standard input. Throws UsageError if
// it is not there (with the nearest name that is), UserError if it cannot be read.
std::string read_text_file(const std::string& name, std::string_view flag = "--text-file");

// True if --out names a file: it ends in .wav and is not a folder.
bool is_audio_file(const std::filesystem::path& out);

// Gives the tasks their files: `out` itself, or out/0001.wav and so on. Throws UsageError if there
// are several for one file, if `out` is neither, or if one would be written over `reference`.
void name_outputs(std::vector<SpeakTask>& tasks,
                  const std::filesystem::path& out,
                  const std::filesystem::path& reference);

// What can be said of its saves and its reference before anything large is loaded. Throws
// UsageError for what is not there, UserError for a reference that is no file.
void require_voice(const SpeakRequest& request);

// Whether --precision asks for bfloat16. Throws UsageError for neither fp32 nor bf16.
bool is_bf16(const std::string& precision);

// Says on standard error what could not be spoken, a line for each; `file` has the texts.
void say_unspoken(const SpeakAnswer& answer, const std::string& file);

}  // namespace xtts::cli
