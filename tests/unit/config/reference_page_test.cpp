#include "config/reference_page.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "config/compatibility.h"
#include "config/field.h"

namespace myxtts::config {
namespace {

TEST(ReferencePage, CommittedPageIsUpToDate) {
  std::ifstream file(MYXTTS_SOURCE_DIR "/docs/reference/config.md");
  const std::string committed = (std::ostringstream() << file.rdbuf()).str();

  EXPECT_TRUE(committed == reference_page())
      << "run: myxtts config show --reference > docs/reference/config.md";
}

TEST(ReferencePage, ListsEveryKey) {
  const std::string page = reference_page();
  Config config;

  for (const Field& field : fields_of(config)) {
    EXPECT_NE(page.find("| `" + field.name + "` |"), std::string::npos) << field.key();
  }
  for (const Alias& alias : aliases())
    EXPECT_NE(page.find("`" + alias.key + "`"), std::string::npos);
  for (const IgnoredKey& ignored : ignored_keys()) {
    EXPECT_NE(page.find("`" + ignored.key + "`"), std::string::npos);
  }
}

TEST(ReferencePage, ListsTheValuesOfThePresets) {
  const std::string page = reference_page();

  EXPECT_NE(page.find("| key | `tiny` | `small` | `normal` | `big` |"), std::string::npos);
  EXPECT_NE(page.find("| `model.decoder_dim` | 256 | 384 |"), std::string::npos);
  EXPECT_NE(page.find("| `training.lr_plateau_patience` | 0 | 0 | 0 | 3 |"), std::string::npos);
}

TEST(ReferencePage, ShowsTheOriginalDefaultOnlyWhereItDiffers) {
  const std::string page = reference_page();

  EXPECT_NE(page.find("| `batch_size` | integer | `16` | `56` | `--batch-size` |"),
            std::string::npos);
  EXPECT_NE(page.find("| `n_fft` | integer | `1024` | - | `--n-fft` |"), std::string::npos);
  EXPECT_NE(page.find("| `eps` | number | `1.0e-08` | - | `--eps` |"), std::string::npos);
  EXPECT_NE(page.find("| `mel_floor` | number | `1.0e-05` | new |"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::config
