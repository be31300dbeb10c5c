// Turns the arguments of `speak` and `evaluate` into synthesis tasks and checks them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "synthesis/speak_request.h"

namespace myxtts::cli {

// Returns a task per non-blank line, without output files. Lines may be invalid UTF-8; the
// synthesiser reports them.
std::vector<synthesis::SpeakTask> tasks_of_lines(std::string_view bytes);

// Reads the text file given by `flag`; "-" is standard input. Throws UsageError with the nearest
// existing name if the file is missing, UserError if it cannot be read.
std::string read_text_file(const std::string& name, std::string_view flag = "--text-file");

// Returns true if `out` ends in .wav and is not a folder.
bool is_audio_file(const std::filesystem::path& out);

// Assigns output files to the tasks: `out` itself, or out/0001.wav, out/0002.wav, ... Throws
// UsageError for several tasks and one file, if `out` exists and is neither a WAV file nor a
// folder, or if `reference` would be overwritten.
void assign_output_files(std::vector<synthesis::SpeakTask>& tasks,
                         const std::filesystem::path& out,
                         const std::filesystem::path& reference);

// Checks checkpoint, vocoder and reference before LibTorch is loaded. Throws UsageError if one is
// missing, UserError if the reference is not a regular file.
void require_voice(const synthesis::SpeakRequest& request);

// Logs one line per text that could not be synthesised; `file` is the text file.
void log_unspoken(const synthesis::SpeakResult& result, const std::string& file);

}  // namespace myxtts::cli
