#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/files.h"
#include "small_vocoder_torch.h"
#include "support/full_disk.h"
#include "support/temp_dir.h"
#include "synthesis/export_voice.h"
#include "synthesis/find_vocoder.h"
#include "synthesis/trained_vocoder_torch.h"
#include "synthesis/voice_torch.h"

namespace myxtts::synthesis {
namespace {

namespace fs = std::filesystem;

class ExportVoice : public testing::Test {
 protected:
  ExportVoice() {
    voice_.config.data.dataset_path = "secret/place";
    voice_.metadata.config_yaml = config::write_yaml(voice_.config);
    voice_.metadata.state_json = R"({"epoch": 3})";
    voice_.ema.mul_(0.5F);
  }

  checkpoint::LoadedCheckpoint save_and_load(auto& small, const char* name) {
    small.write(folder_.path() / name);
    return checkpoint::find_checkpoint(folder_.path() / name);
  }

  std::string refusal(const checkpoint::LoadedCheckpoint& voice,
                      const checkpoint::LoadedCheckpoint* vocoder) {
    try {
      export_voice(voice, vocoder, out_);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }

  const support::TempDir folder_;
  const fs::path out_ = folder_.path() / "voices" / "anna";
  SmallVoice voice_;
  SmallVocoder vocoder_;
};

TEST_F(ExportVoice, SynthesisesTheSameAudioAsTheRun) {
  const checkpoint::LoadedCheckpoint vocoder = save_and_load(vocoder_, "vocoder");

  const ExportedVoice exported = export_voice(save_and_load(voice_, "voice"), &vocoder, out_);

  const Voice before = Voice::load(folder_.path() / "voice");
  const Voice after = Voice::load(out_);
  const torch::Tensor text = torch::arange(20, 60, torch::kInt64);
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(after.model()
                  .infer(text, after.speaker_embedding("ben"))
                  .mel.equal(before.model().infer(text, before.speaker_embedding("ben")).mel));
  const audio::Mel mel = some_mel(12);
  EXPECT_EQ(TrainedVocoder::load(vocoder_of_run(out_).value()).waveform_of(mel),
            TrainedVocoder::load(folder_.path() / "vocoder").waveform_of(mel));
  EXPECT_EQ(exported.speakers, (std::vector<std::string>{"anna", "ben"}));
  // The discriminator is not exported.
  EXPECT_EQ(exported.parameters, before.model().parameters().num_elements());
  EXPECT_LT(exported.parameters, voice_.model.parameters().num_elements());
  EXPECT_EQ(exported.vocoder_parameters, vocoder_.model.parameters().num_elements());
}

TEST_F(ExportVoice, LeavesNoFilesBehindOnAFullDisk) {
  const checkpoint::LoadedCheckpoint voice = save_and_load(voice_, "voice");
  const checkpoint::LoadedCheckpoint vocoder = save_and_load(vocoder_, "vocoder");
  const fs::path fits = folder_.path() / "fits";
  export_voice(voice, &vocoder, fits);
  const auto weights = [](const fs::path& run) {
    return rlim_t{fs::file_size(checkpoint::find_checkpoint(run).folder / "model.safetensors")};
  };
  ASSERT_LT(weights(fits / "vocoder"), weights(fits));
  for (const rlim_t bytes : {weights(fits / "vocoder") - 1, weights(fits) - 1}) {
    const support::FullDisk disk(bytes);
    EXPECT_NE(refusal(voice, &vocoder), "") << bytes;
    EXPECT_FALSE(fs::exists(out_)) << bytes;
  }

  fs::create_directories(out_);
  {
    const support::FullDisk disk(2000);
    EXPECT_NE(refusal(voice, &vocoder), "");
  }
  EXPECT_TRUE(fs::is_empty(out_));
  EXPECT_EQ(refusal(voice, &vocoder), "");  // a second export succeeds
}

TEST_F(ExportVoice, ContainsNoTrainingState) {
  export_voice(save_and_load(voice_, "voice"), nullptr, out_);

  const checkpoint::LoadedCheckpoint loaded = checkpoint::find_checkpoint(out_);
  EXPECT_EQ(loaded.config_json.find("secret"), std::string::npos);
  EXPECT_EQ(checkpoint::parse_checkpoint_metadata(loaded.config_json, "").state_json, "{}");
  for (const checkpoint::TensorView& tensor : loaded.model.tensors) {
    EXPECT_FALSE(tensor.name.starts_with("ema.")) << tensor.name;
    EXPECT_FALSE(tensor.name.starts_with("discriminator.")) << tensor.name;
  }
  EXPECT_FALSE(vocoder_of_run(out_));
  EXPECT_NE(base::read_file_or_throw(out_ / "README.md", 10000).find("Licence"), std::string::npos);
}

TEST_F(ExportVoice, RejectsAVoiceAndVocoderThatDoNotMatch) {
  config::Config other = small_vocoder_config();
  other.model.mel_fmax = 7600.0;
  SmallVocoder other_vocoder(other);
  const checkpoint::LoadedCheckpoint voice = save_and_load(voice_, "voice");
  const checkpoint::LoadedCheckpoint vocoder = save_and_load(vocoder_, "vocoder");
  const checkpoint::LoadedCheckpoint other_loaded = save_and_load(other_vocoder, "other");

  EXPECT_NE(refusal(voice, &voice).find("is not a vocoder"), std::string::npos);
  EXPECT_NE(refusal(vocoder, nullptr).find("is a vocoder"), std::string::npos);
  EXPECT_NE(refusal(voice, &other_loaded).find("with mel spec"), std::string::npos);
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(ExportVoice, RejectsAFolderThatIsNotEmpty) {
  const checkpoint::LoadedCheckpoint voice = save_and_load(voice_, "voice");
  fs::create_directories(out_);
  EXPECT_EQ(refusal(voice, nullptr), "");

  EXPECT_NE(refusal(voice, nullptr).find("is not an empty folder"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::synthesis
