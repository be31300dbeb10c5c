#include "corpus/reasons.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace xtts::corpus {

const std::vector<Reason>& all_reasons() {
  static const std::vector<Reason> reasons = {
      {"bad_line", "write the line as the others are, or remove it"},
      {"line_too_long", "split the line: one utterance has at most 64 KiB of metadata"},
      {"too_many_lines", "split the corpus into several folders"},
      {"nul", "remove the zero byte; if every line has one, the file is UTF-16: save it as UTF-8"},
      {"not_utf8", "save the metadata as UTF-8, for example with iconv -f LATIN1 -t UTF-8"},
      {"empty_text", "write what is said in the recording, or remove the line"},
      {"unspeakable_text", "write the text as words that can be read aloud, or remove the line"},
      {"duplicate_id", "give the second one a name of its own, or remove it"},
      {"outside_folder", "copy the recording into the corpus folder and name it from there"},
      {"missing", "put the recording where the metadata says, or remove the line"},
      {"directory", "there is a folder of that name: put the recording in its place"},
      {"fifo", "replace the pipe by a recording"},
      {"not_regular", "replace the socket or device by a recording"},
      {"link_loop", "replace the symbolic link by the recording"},
      {"unreadable", "allow reading it (chmod u+r), and look at the disk if that does not help"},
      {"stuck", "look whether its disk or network answers, then copy it again or remove the line"},
      {"too_large", "cut the recording, or store it as FLAC"},
      {"empty", "the file has 0 bytes: copy or record it again"},
      {"not_audio", "convert it to WAV, FLAC, OGG, Opus or MP3, for example with ffmpeg"},
      {"truncated", "the end of the file is lost: copy it again"},
      {"no_frames", "the file has a header but no sound: record it again"},
      {"nan_samples", "some samples are not numbers: export it again, best as 16-bit PCM"},
      {"too_short", "join it with its neighbour, remove it, or lower data.min_audio_length"},
      {"too_long", "cut it at a pause, or raise data.max_audio_length"},
      {"more_symbols_than_frames",
       "text and recording do not belong together: correct one of them"},
      {"no_utterances", "write one line per recording into it, for example id|what is said"},
      {"dropped_characters", "nothing speaks them: write what is said as words, or remove them"},
      {"quiet", "look whether the microphone was on; louder recordings train better"},
      {"clipped", "record with less gain; clipping is learned as noise"},
      {"long_silence", "cut the pause out, or split the utterance there"},
      {"speech_rate", "listen whether the text is what is said, all of it and nothing else"},
  };
  return reasons;
}

Problem make_problem(std::string id, std::string_view reason, std::string detail, int line) {
  const auto& reasons = all_reasons();
  const auto found = std::ranges::find(reasons, reason, &Reason::reason);
  invariant(found != reasons.end(), "every reason is in the list of reasons");
  return {.id = std::move(id),
          .reason = std::string(reason),
          .detail = std::move(detail),
          .suggestion = std::string(found->suggestion),
          .line = line};
}

}  // namespace xtts::corpus
