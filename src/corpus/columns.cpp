#include "corpus/columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "corpus/records.h"

namespace myxtts::corpus {
namespace {

// In order of preference if a header has several of them.
constexpr std::array<std::string_view, 12> kNameTitles = {"file_name",
                                                          "filename",
                                                          "file",
                                                          "audio_file",
                                                          "audio_filepath",
                                                          "audio",
                                                          "wav_file",
                                                          "wav_path",
                                                          "wav",
                                                          "path",
                                                          "audio_id",
                                                          "id"};
constexpr std::array<std::string_view, 5> kTextTitles = {
    "text", "transcription", "transcript", "sentence", "raw_text"};
constexpr std::array<std::string_view, 5> kNormalisedTitles = {
    "normalized_text", "normalized", "normalised_text", "normalised", "normalized_transcription"};
constexpr std::array<std::string_view, 3> kSpeakerTitles = {
    "speaker", "speaker_name", "speaker_id"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return result;
}

}  // namespace

Columns columns_of(std::span<const std::string_view> titles) {
  std::vector<std::string> found;
  for (const std::string_view title : titles)
    found.push_back(lower(trim(title)));

  Columns columns;
  const auto column_of = [&](std::span<const std::string_view> known) {
    std::optional<std::size_t> column;
    for (const std::string_view title : known) {
      const auto at = std::ranges::find(found, title);
      if (at == found.end()) continue;
      ++columns.num_known;
      if (!column) column = static_cast<std::size_t>(at - found.begin());
    }
    return column;
  };
  columns.name = column_of(kNameTitles);
  columns.text = column_of(kTextTitles);
  columns.normalised = column_of(kNormalisedTitles);
  columns.speaker = column_of(kSpeakerTitles);
  return columns;
}

}  // namespace myxtts::corpus
