#include "corpus/demo_corpus.h"

#include <map>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "corpus/demo_ledger.h"
#include "corpus/demo_lock.h"
#include "corpus/demo_voice.h"
#include "text/normalise_english.h"
#include "text/normalise_persian.h"

namespace xtts::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWavHeaderBytes = 44;
constexpr std::size_t kRateAt = 24;

std::string source_hash(const DemoRequest& request, const DemoUtterance& utterance) {
  return base::sha256_hex(
      fmt::format("demo 1\n{}\n{}\n{}\n", request.language, utterance.voice, utterance.text));
}

// Of a mono 16-bit WAV file that we wrote.
double seconds_of(const std::string& wav) {
  std::uint32_t rate = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    rate |= static_cast<std::uint32_t>(static_cast<unsigned char>(wav.at(kRateAt + i))) << (8 * i);
  }
  return static_cast<double>(wav.size() - kWavHeaderBytes) / 2.0 / rate;
}

bool has_several_voices(const std::vector<DemoUtterance>& utterances) {
  for (const DemoUtterance& utterance : utterances) {
    if (utterance.voice != utterances.front().voice) return true;
  }
  return false;
}

// As it is read aloud: the third column of LJSpeech.
std::string normalised(const std::string& text, const std::string& language) {
  text::DroppedCharacters dropped;
  const std::string spoken = language == "fa" ? text::normalise_persian(text, dropped)
                                              : text::normalise_english(text, dropped);
  return spoken.empty() ? text : spoken;
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

// Metadata of another request must not stay beside recordings that change under it: if we are
// stopped half-way, a corpus without metadata is refused, one with the wrong text is not.
void drop_stale_metadata(const fs::path& path, const std::string& wanted) {
  const base::ReadResult present = base::read_regular_file(path, wanted.size());
  if (present.fault == base::FileFault::kNone && present.bytes == wanted) return;
  std::error_code ignored;
  fs::remove(path, ignored);
}

// Recordings that the ledger knows and this request does not have. The ledger comes from the disk,
// so what it names is removed only inside the corpus, and only if it is a recording.
std::size_t remove_others(const fs::path& out,
                          const DemoLedger& ledger,
                          const std::map<std::string, LedgerEntry>& wanted) {
  std::size_t removed = 0;
  for (const auto& [file, entry] : ledger.entries()) {
    const bool ours = file.ends_with(".wav") && base::stays_inside(out, file);
    std::error_code ignored;
    if (ours && !wanted.contains(file) && fs::remove(out / file, ignored)) ++removed;
  }
  for (const char* folder : {"train/wavs", "train", "val/wavs", "val"}) {
    std::error_code not_empty;
    fs::remove(out / folder, not_empty);
  }
  return removed;
}

// What became of one utterance.
struct Outcome {
  LedgerEntry entry;
  bool made = false;  // false: it was there and fits
  double seconds = 0.0;
};

Outcome make_recording(const DemoRequest& request,
                       const DemoUtterance& utterance,
                       DemoLedger& ledger) {
  const std::string file = utterance.audio().string();
  const std::string made_from = source_hash(request, utterance);
  if (const std::optional<std::string> wav = ledger.read_if_fits(file, made_from)) {
    return {{made_from, base::sha256_hex(*wav)}, false, seconds_of(*wav)};
  }
  const std::string wav = speak_demo(request.language, utterance.voice, utterance.text);
  Outcome outcome{{made_from, base::sha256_hex(wav)}, true, seconds_of(wav)};
  ledger.record(file, outcome.entry);
  base::write_file_atomically(request.out / file, wav);
  return outcome;
}

}  // namespace

DemoResult write_demo_corpus(const DemoRequest& request,
                             const std::vector<DemoUtterance>& utterances,
                             const std::function<void(std::size_t)>& on_done) {
  invariant(!utterances.empty(), "a demo corpus has utterances");
  const DemoLock lock(request.out);
  DemoLedger ledger(request.out);
  const std::string train = metadata_of(request, utterances, false);
  const std::string val = metadata_of(request, utterances, true);
  drop_stale_metadata(request.out / "train/metadata.csv", train);
  drop_stale_metadata(request.out / "val/metadata.csv", val);

  std::vector<Outcome> outcomes(utterances.size());
  base::parallel_for(utterances.size(), request.num_workers, [&](std::size_t i) {
    outcomes[i] = make_recording(request, utterances[i], ledger);
    if (on_done) on_done(1);
  });

  DemoResult result;
  std::map<std::string, LedgerEntry> wanted;
  for (std::size_t i = 0; i < utterances.size(); ++i) {
    wanted[utterances[i].audio().string()] = outcomes[i].entry;
    ++(outcomes[i].made ? result.made : result.kept);
    result.seconds += outcomes[i].seconds;
  }
  result.removed = remove_others(request.out, ledger, wanted);
  write_if_changed(request.out / "train/metadata.csv", train);
  if (!val.empty()) write_if_changed(request.out / "val/metadata.csv", val);
  ledger.replace(wanted);
  return result;
}

}  // namespace xtts::corpus
