#include "cli/speak_tasks.h"

#include <algorithm>
#include <iostream>
#include <system_error>
#include <utility>

#include "audio/read_recording.h"
#include "base/error.h"
#include "base/terminal.h"
#include "checkpoint/checkpoint_store.h"
#include "synthesis/external_judge.h"
#include "synthesis/find_vocoder.h"
#include "synthesis/sentence_list.h"

namespace myxtts::cli {
namespace {

namespace fs = std::filesystem;

std::string read_lines_from_standard_input() {
  std::string input(synthesis::kMaxListBytes + 1, '\0');
  std::cin.read(input.data(), static_cast<std::streamsize>(input.size()));
  input.resize(static_cast<std::size_t>(std::cin.gcount()));
  require(input.size() <= synthesis::kMaxListBytes,
          "more than {} bytes on standard input; split the text",
          synthesis::kMaxListBytes);
  return input;
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;  // a missing file equals no other file
  return fs::equivalent(one, other, ignored);
}

}  // namespace

std::vector<synthesis::SpeakTask> tasks_of_lines(std::string_view bytes) {
  std::vector<synthesis::SpeakTask> tasks;
  for (synthesis::ListedSentence& one : synthesis::parse_sentence_list(bytes))
    tasks.push_back({.text = std::move(one.text), .line = one.line, .out = {}});
  return tasks;
}

std::string read_text_file(const std::string& name, std::string_view flag) {
  return name == "-" ? read_lines_from_standard_input() : synthesis::read_sentence_file(name, flag);
}

bool is_audio_file(const fs::path& out) {
  std::string ending = out.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  std::error_code ignored;
  return ending == ".wav" && !fs::is_directory(out, ignored);
}

void assign_output_files(std::vector<synthesis::SpeakTask>& tasks,
                         const fs::path& out,
                         const fs::path& reference) {
  const bool one_file = is_audio_file(out);
  std::error_code ignored;
  require_usage(!one_file || tasks.size() == 1,
                "--out {} is one file for {} texts; expected a folder for 0001.wav, 0002.wav, ...",
                out.string(),
                tasks.size());
  require_usage(one_file || !fs::exists(out, ignored) || fs::is_directory(out, ignored),
                "--out {} exists and is neither a folder nor a .wav file",
                out.string());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].out = one_file ? out : out / synthesis::judge_wav_name(i);
    require_usage(reference.empty() || !is_same_file(tasks[i].out, reference),
                  "{} is the reference recording; choose another output file",
                  tasks[i].out.string());
  }
}

void require_voice(const synthesis::SpeakRequest& request) {
  checkpoint::require_run_or_checkpoint(request.checkpoint);
  if (!request.vocoder.empty() && request.vocoder != synthesis::kGriffinLim) {
    checkpoint::require_run_or_checkpoint(request.vocoder);
  }
  std::error_code ignored;
  // audio::read_recording() reports anything but a regular file; regular files are read later,
  // once.
  if (!request.reference.empty() && !fs::is_regular_file(request.reference, ignored)) {
    audio::read_recording(request.reference, /*max_seconds=*/1.0);
  }
}

void log_unspoken(const synthesis::SpeakResult& result, const std::string& file) {
  for (const synthesis::UnspokenText& text : result.unspoken) {
    const std::string location =
        text.line == 0 ? "the text" : fmt::format("{}, line {}", file, text.line);
    base::log("myxtts: {} cannot be synthesised: {}\n", location, text.fault);
  }
}

}  // namespace myxtts::cli
