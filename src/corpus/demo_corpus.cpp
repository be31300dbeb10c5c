#include "corpus/demo_corpus.h"

#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "corpus/demo_lock.h"
#include "corpus/demo_manifest.h"
#include "corpus/demo_voice.h"
#include "text/normalise_english.h"
#include "text/normalise_persian.h"

namespace myxtts::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWavHeaderBytes = 44;
constexpr std::size_t kSampleRateOffset = 24;

std::string source_hash(const DemoRequest& request, const DemoUtterance& utterance) {
  return base::sha256_hex(
      fmt::format("demo 1\n{}\n{}\n{}\n", request.language, utterance.voice, utterance.text));
}

// Returns the duration of a mono 16-bit WAV file written by wav_bytes().
double seconds_of(const std::string& wav) {
  std::uint32_t rate = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    rate |= static_cast<std::uint32_t>(static_cast<unsigned char>(wav.at(kSampleRateOffset + i)))
            << (8 * i);
  }
  return static_cast<double>(wav.size() - kWavHeaderBytes) / 2.0 / rate;
}

bool has_several_voices(const std::vector<DemoUtterance>& utterances) {
  for (const DemoUtterance& utterance : utterances) {
    if (utterance.voice != utterances.front().voice) return true;
  }
  return false;
}

// Returns the normalised text, the third column of LJSpeech.
std::string normalised(const std::string& text, const std::string& language) {
  text::DroppedCharacters dropped;
  const std::string normal = language == "fa" ? text::normalise_persian(text, dropped)
                                              : text::normalise_english(text, dropped);
  return normal.empty() ? text : normal;
}

std::string metadata_of(const DemoRequest& request,
                        const std::vector<DemoUtterance>& utterances,
                        bool for_validation) {
  const bool several = has_several_voices(utterances);
  std::string metadata;
  for (const DemoUtterance& utterance : utterances) {
    if (utterance.for_validation != for_validation) continue;
    metadata += several
                    ? fmt::format("{}.wav|{}|{}\n", utterance.id, utterance.voice, utterance.text)
                    : fmt::format("{}|{}|{}\n",
                                  utterance.id,
                                  utterance.text,
                                  normalised(utterance.text, request.language));
  }
  return metadata;
}

// Removes metadata of another request before recordings change: after an interruption a corpus
// without metadata is refused, one with the wrong texts would not be.
void remove_stale_metadata(const fs::path& path, const std::string& wanted) {
  const base::ReadResult present = base::read_regular_file(path, wanted.size());
  if (present.fault == base::FileFault::kNone && present.bytes == wanted) return;
  std::error_code ignored;
  fs::remove(path, ignored);
}

// Removes the recordings in the manifest that this request does not have. The manifest is
// untrusted, so only WAV files inside the corpus are removed.
std::size_t remove_unrequested(const fs::path& out,
                               const DemoManifest& manifest,
                               const std::map<std::string, DemoManifestEntry>& wanted) {
  std::size_t removed = 0;
  for (const auto& [file, entry] : manifest.entries()) {
    const bool removable = file.ends_with(".wav") && base::stays_inside(out, file);
    std::error_code ignored;
    if (removable && !wanted.contains(file) && fs::remove(out / file, ignored)) ++removed;
  }
  for (const char* folder : {"train/wavs", "train", "val/wavs", "val"}) {
    std::error_code not_empty;
    fs::remove(out / folder, not_empty);
  }
  return removed;
}

// The result of one utterance.
struct Outcome {
  DemoManifestEntry entry;
  bool created = false;  // false: an existing recording was kept
  double seconds = 0.0;
};

Outcome create_recording(const DemoRequest& request,
                         const DemoUtterance& utterance,
                         DemoManifest& manifest) {
  const std::string file = utterance.audio().string();
  const std::string source_sha256 = source_hash(request, utterance);
  if (const std::optional<std::string> wav = manifest.read_if_valid(file, source_sha256)) {
    return {{source_sha256, base::sha256_hex(*wav)}, false, seconds_of(*wav)};
  }
  const std::string wav = synthesise_demo(request.language, utterance.voice, utterance.text);
  Outcome outcome{{source_sha256, base::sha256_hex(wav)}, true, seconds_of(wav)};
  manifest.record(file, outcome.entry);
  base::write_file_atomically(request.out / file, wav);
  return outcome;
}

}  // namespace

DemoResult write_demo_corpus(const DemoRequest& request,
                             const std::vector<DemoUtterance>& utterances,
                             const std::function<void(std::size_t)>& on_done) {
  invariant(!utterances.empty(), "a demo corpus has utterances");
  const DemoLock lock(request.out);
  DemoManifest manifest(request.out);
  const std::string train = metadata_of(request, utterances, false);
  const std::string val = metadata_of(request, utterances, true);
  remove_stale_metadata(request.out / "train/metadata.csv", train);
  remove_stale_metadata(request.out / "val/metadata.csv", val);

  std::vector<Outcome> outcomes(utterances.size());
  base::parallel_for(utterances.size(), request.num_workers, [&](std::size_t i) {
    outcomes[i] = create_recording(request, utterances[i], manifest);
    if (on_done) on_done(1);
  });

  DemoResult result;
  std::map<std::string, DemoManifestEntry> wanted;
  for (std::size_t i = 0; i < utterances.size(); ++i) {
    wanted[utterances[i].audio().string()] = outcomes[i].entry;
    ++(outcomes[i].created ? result.created : result.kept);
    result.seconds += outcomes[i].seconds;
  }
  result.removed = remove_unrequested(request.out, manifest, wanted);
  write_if_changed(request.out / "train/metadata.csv", train);
  if (!val.empty()) write_if_changed(request.out / "val/metadata.csv", val);
  manifest.replace(wanted);
  return result;
}

}  // namespace myxtts::corpus
