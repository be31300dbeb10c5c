#include "synthesis/export_voice.h"

#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/files.h"
#include "checkpoint/checkpoint_metadata.h"
#include "config/write_yaml.h"
#include "synthesis/voice_metadata.h"

namespace myxtts::synthesis {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEmaPrefix = "ema.";  // of the names of EMA weights

constexpr const char* kReadme = R"(# A voice of myxtts

Synthesise speech with it:

    myxtts speak --checkpoint {} --text 'Good morning.' --out speech.wav

| | |
|---|---|
| speakers | {} |
| vocoder | {} |
| mel spec fingerprint | {} |

## Licence

The program that wrote this folder and its file layout are under the Apache License 2.0. The weights were trained on
recordings. The licence of those recordings and the consent of their speakers decide how the weights and the
synthesised speech may be used. Add both here before you share this folder.
)";

struct WrittenCheckpoint {
  std::int64_t parameters = 0;
  std::uint64_t bytes = 0;
};

bool is_ema(const checkpoint::TensorView& tensor) {
  return std::string_view(tensor.name).starts_with(kEmaPrefix);
}

bool is_discriminator(const checkpoint::TensorView& tensor) {
  return std::string_view(tensor.name).starts_with("discriminator.");
}

// Resets paths and commands, which describe the local machine and not the voice.
std::string config_without_local_settings(config::Config config) {
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
  config.training.evaluate_every = training.evaluate_every;  // invalid without text and judge
  config.training.evaluate_text = training.evaluate_text;
  config.training.evaluate_judge = training.evaluate_judge;
  return config::write_yaml(config);
}

WrittenCheckpoint write_checkpoint(const checkpoint::LoadedCheckpoint& loaded,
                                   const VoiceMetadata& metadata,
                                   const fs::path& run) {
  WrittenCheckpoint written;
  checkpoint::CheckpointContent content{
      .step = loaded.step, .model = {}, .trainer = {}, .config_json = {}};
  for (const checkpoint::TensorView& tensor : loaded.model.tensors) {
    if (is_ema(tensor) || is_discriminator(tensor)) continue;
    const checkpoint::TensorView* ema = loaded.model.find(std::string(kEmaPrefix) + tensor.name);
    checkpoint::TensorView view = ema != nullptr ? *ema : tensor;
    view.name = tensor.name;
    const auto elements =
        static_cast<std::int64_t>(view.bytes.size() / checkpoint::size_of(view.dtype));
    // Speaker means are computed from recordings; they are no trained parameters.
    if (view.name != "speakers.mean") written.parameters += elements;
    content.model.push_back(std::move(view));
  }
  checkpoint::CheckpointMetadata exported = metadata.checkpoint;
  exported.config_yaml = config_without_local_settings(metadata.config);
  exported.state_json = checkpoint::kNoState;
  content.config_json = checkpoint::to_json_text(exported);
  const fs::path folder = checkpoint::CheckpointStore(run / "checkpoints").write(content);
  for (const fs::directory_entry& file : fs::directory_iterator(folder))
    written.bytes += file.file_size();
  return written;
}

std::string format_speakers(const std::vector<std::string>& speakers) {
  if (speakers == std::vector<std::string>{""}) return "one, unnamed";
  return fmt::format("{}", fmt::join(speakers, ", "));
}

// An output folder that is removed again unless commit() is called, so that an export that fails
// (for example on a full disk) leaves nothing behind.
class TransactionalFolder {
 public:
  explicit TransactionalFolder(const fs::path& out) : out_(out) {
    std::error_code ignored;
    // A folder that cannot be examined counts as existing: it is neither written nor removed.
    existed_ = fs::status(out, ignored).type() != fs::file_type::not_found;
    require(!existed_ || (fs::is_directory(out, ignored) && fs::is_empty(out, ignored)),
            "{} exists and is not an empty folder; choose another folder or remove it first",
            out.string());
  }
  ~TransactionalFolder() {
    if (is_committed_) return;
    std::error_code ignored;
    if (!existed_) {
      fs::remove_all(out_, ignored);
      return;
    }
    auto entry = fs::directory_iterator(out_, ignored);
    for (; entry != fs::directory_iterator(); entry.increment(ignored))
      fs::remove_all(entry->path(), ignored);
  }
  TransactionalFolder(const TransactionalFolder&) = delete;
  TransactionalFolder& operator=(const TransactionalFolder&) = delete;

  void commit() { is_committed_ = true; }

 private:
  fs::path out_;
  bool existed_ = false;
  bool is_committed_ = false;
};

}  // namespace

ExportedVoice export_voice(const checkpoint::LoadedCheckpoint& voice,
                           const checkpoint::LoadedCheckpoint* vocoder,
                           const fs::path& out) {
  const VoiceMetadata metadata = voice_metadata_of(voice);
  require(!is_vocoder(metadata),
          "{} is a vocoder, expected the run of a voice; pass the vocoder with --vocoder",
          voice.folder.string());
  ExportedVoice exported{.speakers = metadata.checkpoint.speakers,
                         .mel_spec_fingerprint = metadata.checkpoint.mel_spec_fingerprint};
  std::optional<VoiceMetadata> vocoder_metadata;
  if (vocoder != nullptr) {
    vocoder_metadata = voice_metadata_of(*vocoder);
    require(is_vocoder(*vocoder_metadata),
            "{} is not a vocoder; expected a run of 'myxtts train-vocoder'",
            vocoder->folder.string());
    require_same_mel_spec(*vocoder_metadata, vocoder->folder, metadata.mel_spec);
  }
  TransactionalFolder folder(out);
  if (vocoder_metadata) {
    const WrittenCheckpoint written =
        write_checkpoint(*vocoder, *vocoder_metadata, out / "vocoder");
    exported.vocoder_parameters = written.parameters;
    exported.bytes += written.bytes;
  }
  const WrittenCheckpoint written = write_checkpoint(voice, metadata, out);
  exported.parameters = written.parameters;
  exported.bytes += written.bytes;
  const std::string readme = fmt::format(
      kReadme,
      out.filename().empty() ? out.parent_path().filename().string() : out.filename().string(),
      format_speakers(exported.speakers),
      vocoder != nullptr ? "included, in `vocoder`" : "none (Griffin-Lim is used)",
      exported.mel_spec_fingerprint);
  base::write_file_atomically(out / "README.md", readme);
  exported.bytes += readme.size();
  folder.commit();
  return exported;
}

}  // namespace myxtts::synthesis
