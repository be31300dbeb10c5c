#include "data/mel_extractor.h"

#include <algorithm>
#include <vector>

#include "audio/fast_mel.h"
#include "base/cpu_features.h"

namespace myxtts::data {
namespace {

class FastMelExtractor final : public MelExtractor {
 public:
  explicit FastMelExtractor(const audio::MelSpec& spec) : mel_(spec) {}

  const audio::MelSpec& spec() const override { return mel_.spec(); }
  void log_mel(std::span<const float> samples,
               MelScratch& scratch,
               std::span<float> out) const override {
    mel_.log_mel(samples, scratch.mel, out);
  }
  const std::string& name() const override { return name_; }

 private:
  audio::FastMel mel_;
  std::string name_ = "fast " + rounding_of_processor();
};

}  // namespace

// Increment the number when the rounding of loudness or mel changes.
std::string rounding_of_processor() {
  const std::vector<std::string> features = base::cpu_features();
  const bool is_fused = std::ranges::find(features, "avx2") != features.end() ||
                        std::ranges::find(features, "neon") != features.end();
  return is_fused ? "2 fused" : "2 unfused";
}

std::shared_ptr<const MelExtractor> fast_mel_extractor(const audio::MelSpec& spec) {
  return std::make_shared<const FastMelExtractor>(spec);
}

}  // namespace myxtts::data
