#include "speak/export_voice.h"

#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/checkpoint_metadata.h"
#include "config/write_yaml.h"
#include "speak/voice_metadata.h"

namespace xtts::speak {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAverage = "ema.";  // before the name of an averaged weight

constexpr const char* kNote = R"(# A voice of myxtts

Say something with it:

    myxtts speak --checkpoint {} --text 'Good morning.' --out speech.wav

| | |
|---|---|
| speakers | {} |
| vocoder | {} |
| mel contract | {} |

## Licence

The program that made this folder and the layout of it are under the Apache License 2.0. The weights were learned
from recordings: what may be done with them, and with what they say, is decided by the licence of those recordings
and by the consent of the people who speak in them. Whoever passes this folder on adds both here.
)";

// Elements of the weights.
struct Exported {
  std::int64_t parameters = 0;
  std::uint64_t bytes = 0;
};

bool is_averaged(const checkpoint::TensorView& tensor) {
  return std::string_view(tensor.name).starts_with(kAverage);
}

bool is_discriminator(const checkpoint::TensorView& tensor) {
  return std::string_view(tensor.name).starts_with("discriminator.");
}

// Paths and commands say something of the machine and nothing of the voice.
std::string without_places(config::Config config) {
  const config::DataConfig data;
  config.data.dataset_path = data.dataset_path;
  config.data.val_dataset_path = data.val_dataset_path;
  config.data.metadata_train_file = data.metadata_train_file;
  config.data.metadata_eval_file = data.metadata_eval_file;
  config.data.wavs_train_dir = data.wavs_train_dir;
  config.data.wavs_eval_dir = data.wavs_eval_dir;
  config.data.cache_dir = data.cache_dir;
  config.data.mels_from = data.mels_from;
  const config::TrainingConfig training;
  config.training.checkpoint_dir = training.checkpoint_dir;
  config.training.metrics_file = training.metrics_file;
  config.training.tensorboard_log_dir = training.tensorboard_log_dir;
  config.training.evaluate_every = training.evaluate_every;  // it needs the next two
  config.training.evaluate_text = training.evaluate_text;
  config.training.evaluate_judge = training.evaluate_judge;
  return config::write_yaml(config);
}

Exported write_checkpoint(const checkpoint::LoadedCheckpoint& save,
                          const VoiceMetadata& saved,
                          const fs::path& run) {
  Exported exported;
  checkpoint::CheckpointContent content{
      .step = save.step, .model = {}, .trainer = {}, .config_json = {}};
  for (const checkpoint::TensorView& tensor : save.model.tensors) {
    if (is_averaged(tensor) || is_discriminator(tensor)) continue;
    const checkpoint::TensorView* average = save.model.find(std::string(kAverage) + tensor.name);
    checkpoint::TensorView view = average != nullptr ? *average : tensor;
    view.name = tensor.name;
    const auto elements =
        static_cast<std::int64_t>(view.bytes.size() / checkpoint::size_of(view.dtype));
    if (view.name != "speakers.mean") exported.parameters += elements;
    content.model.push_back(std::move(view));
  }
  checkpoint::CheckpointMetadata facts = saved.facts;
  facts.config_yaml = without_places(saved.config);
  facts.state_json = checkpoint::kNoState;
  content.config_json = checkpoint::to_json_text(facts);
  const fs::path folder = checkpoint::CheckpointStore(run / "checkpoints").write(content);
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    exported.bytes += file.file_size();
  return exported;
}

std::string names_of(const std::vector<std::string>& speakers) {
  if (speakers == std::vector<std::string>{""}) return "one, without a name";
  return fmt::format("{}", fmt::join(speakers, ", "));
}

// A folder that stays only when all of it has been written: half a voice on a full disk is none.
class WholeFolder {
 public:
  explicit WholeFolder(const fs::path& out) : out_(out) {
    std::error_code ignored;
    // What cannot be looked at is not ours to write to, and not to be removed either.
    was_there_ = fs::status(out, ignored).type() != fs::file_type::not_found;
    require(!was_there_ || (fs::is_directory(out, ignored) && fs::is_empty(out, ignored)),
            "{} is there and is not an empty folder; name another one or remove it first",
            out.string());
  }
  ~WholeFolder() {
    if (is_whole_) return;
    std::error_code ignored;
    if (!was_there_) {
      fs::remove_all(out_, ignored);
      return;
    }
    auto entry = fs::directory_iterator(out_, ignored);
    for (; entry != fs::directory_iterator(); entry.increment(ignored))
      fs::remove_all(entry->path(), ignored);
  }
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  void is_written() { is_whole_ = true; }

 private:
  fs::path out_;
  bool was_there_ = false;
  bool is_whole_ = false;
};

}  // namespace

ExportedVoice export_voice(const checkpoint::LoadedCheckpoint& voice,
                           const checkpoint::LoadedCheckpoint* vocoder,
                           const fs::path& out) {
  const VoiceMetadata saved = voice_metadata_of(voice);
  require(!is_vocoder(saved),
          "{} is a vocoder and has no voice; name the run of a voice, and this one with --vocoder",
          voice.folder.string());
  ExportedVoice exported{.speakers = saved.facts.speakers,
                         .mel_spec_fingerprint = saved.facts.mel_spec_fingerprint};
  std::optional<VoiceMetadata> of_vocoder;
  if (vocoder != nullptr) {
    of_vocoder = voice_metadata_of(*vocoder);
    require(is_vocoder(*of_vocoder),
            "{} is no vocoder; expected a run of 'myxtts train-vocoder'",
            vocoder->folder.string());
    require_same_mel_spec(*of_vocoder, vocoder->folder, saved.contract);
  }
  WholeFolder folder(out);
  if (of_vocoder) {
    const Exported written = write_checkpoint(*vocoder, *of_vocoder, out / "vocoder");
    exported.vocoder_parameters = written.parameters;
    exported.bytes += written.bytes;
  }
  const Exported written = write_checkpoint(voice, saved, out);
  exported.parameters = written.parameters;
  exported.bytes += written.bytes;
  const std::string note = fmt::format(
      kNote,
      out.filename().empty() ? out.parent_path().filename().string() : out.filename().string(),
      names_of(exported.speakers),
      vocoder != nullptr ? "its own, in `vocoder`" : "none: Griffin-Lim",
      exported.mel_spec_fingerprint);
  base::write_file_atomically(out / "README.md", note);
  exported.bytes += note.size();
  folder.is_written();
  return exported;
}

}  // namespace xtts::speak
