#include "corpus/reasons.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace myxtts::corpus {

const std::vector<Reason>& all_reasons() {
  static const std::vector<Reason> reasons = {
      {"bad_line", "write the line in the format of the others, or remove it"},
      {"line_too_long", "split the line: one utterance has at most 64 KiB of metadata"},
      {"too_many_lines", "split the corpus into several folders"},
      {"nul", "remove the zero byte; if every line has one, the file is UTF-16: save it as UTF-8"},
      {"not_utf8", "save the metadata as UTF-8, for example with iconv -f LATIN1 -t UTF-8"},
      {"empty_text", "add the transcript of the recording, or remove the line"},
      {"unspeakable_text", "write the text as words, or remove the line"},
      {"duplicate_id", "give the second utterance another id, or remove it"},
      {"outside_folder", "copy the recording into the corpus folder and use its path there"},
      {"missing", "put the recording at the path in the metadata, or remove the line"},
      {"directory", "the path is a folder: replace it by the recording"},
      {"fifo", "replace the pipe by a recording"},
      {"not_regular", "replace the socket or device by a recording"},
      {"link_loop", "replace the symbolic link by the recording"},
      {"unreadable", "make it readable (chmod u+r); if that does not help, check the disk"},
      {"stuck",
       "check the disk or network of the corpus, then copy the file again or remove the line"},
      {"too_large", "cut the recording, or store it as FLAC"},
      {"empty", "the file has 0 bytes: copy or record it again"},
      {"not_audio", "convert it to WAV, FLAC, OGG, Opus or MP3, for example with ffmpeg"},
      {"truncated", "the end of the file is missing: copy it again"},
      {"no_frames", "the file has a header but no samples: record it again"},
      {"nan_samples",
       "some samples are NaN or infinite: export it again, preferably as 16-bit PCM"},
      {"too_short", "join it with another utterance, remove it, or lower data.min_audio_length"},
      {"too_long", "cut it at a pause, or raise data.max_audio_length"},
      {"more_symbols_than_frames", "text and recording do not match: correct one of them"},
      {"no_utterances", "add one line per recording, for example id|transcript"},
      {"dropped_characters", "no symbol for them: write them as words, or remove them"},
      {"quiet", "check the recording level; louder recordings train better"},
      {"clipped", "record with less gain; the model learns clipping as noise"},
      {"long_silence", "remove the pause, or split the utterance there"},
      {"speech_rate", "listen and check that the text is the complete transcript"},
  };
  return reasons;
}

Problem make_problem(std::string id, std::string_view reason, std::string detail, int line) {
  const auto& reasons = all_reasons();
  const auto found = std::ranges::find(reasons, reason, &Reason::reason);
  invariant(found != reasons.end(), "the reason is in all_reasons()");
  return {.id = std::move(id),
          .reason = std::string(reason),
          .detail = std::move(detail),
          .suggestion = std::string(found->suggestion),
          .line = line};
}

}  // namespace myxtts::corpus
