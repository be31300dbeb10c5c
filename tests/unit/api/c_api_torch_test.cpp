#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <myxtts/myxtts.h>

#include "unit/api/hum_corpus.h"

namespace myxtts {
namespace {

// Takes the code and frees the error.
int code_of(myxtts_error* error) {
  const int code = myxtts_error_code(error);
  EXPECT_EQ(std::string(myxtts_error_message(error)).find('\n'), std::string::npos);
  myxtts_error_free(error);
  return code;
}

class CApi : public testing::Test {
 protected:
  // Trains a voice of `max_steps` and returns the code. Stops after step `last` if it is not 0.
  int train(const std::string& run, std::int64_t max_steps, std::int64_t last = 0) {
    std::vector<std::string> texts;
    for (const auto& [key, value] : HumCorpus::small_settings())
      texts.push_back(key + "=" + value);
    std::vector<const char*> settings;
    for (const std::string& text : texts)
      settings.push_back(text.c_str());
    settings.push_back(nullptr);
    const std::string corpus = hums_.corpus();
    const std::string folder = hums_.path(run);
    myxtts_training_options options{};
    options.struct_size = sizeof options;
    options.corpus = corpus.c_str();
    options.run_folder = folder.c_str();
    options.max_steps = max_steps;
    options.settings = settings.data();
    const auto on_progress = [](int64_t step, int64_t, double, void* user) {
      return static_cast<int>(step == *static_cast<std::int64_t*>(user));
    };
    return myxtts_train(&options, on_progress, &last, nullptr);
  }

  HumCorpus hums_;
};

TEST_F(CApi, TrainsStopsResumesAndSpeaksWithoutOutput) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(train("run", 4, 2), MYXTTS_STOPPED);
  EXPECT_EQ(train("run", 4), MYXTTS_OK);
  myxtts_error* error = nullptr;
  myxtts_voice* voice = myxtts_voice_open(hums_.path("run").c_str(), nullptr, &error);
  ASSERT_NE(voice, nullptr) << myxtts_error_message(error);
  EXPECT_EQ(myxtts_voice_sample_rate(voice), 22050);
  EXPECT_EQ(myxtts_voice_num_speakers(voice), 1U);
  EXPECT_STREQ(myxtts_voice_speaker(voice, 0), "");
  EXPECT_EQ(myxtts_voice_speaker(voice, 1), nullptr);
  myxtts_speech* speech = myxtts_voice_speak(voice, "la la", nullptr, &error);
  ASSERT_NE(speech, nullptr) << myxtts_error_message(error);
  EXPECT_GT(myxtts_speech_num_samples(speech), 1000U);
  ASSERT_EQ(myxtts_speech_num_words(speech), 2U);
  EXPECT_STREQ(myxtts_speech_word(speech, 0), "la");
  EXPECT_LT(myxtts_speech_word_end(speech, 0), myxtts_speech_word_end(speech, 1));
  EXPECT_EQ(myxtts_speech_word(speech, 2), nullptr);
  myxtts_speech_free(speech);
  myxtts_voice_free(voice);

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(CApi, AStreamPassesSamplesOnAndStops) {
  ASSERT_EQ(train("run", 2), MYXTTS_OK);
  myxtts_voice* voice = myxtts_voice_open(hums_.path("run").c_str(), "griffin-lim", nullptr);
  ASSERT_NE(voice, nullptr);
  std::size_t num_samples = 0;
  const auto count = [](const float*, size_t num, void* user) {
    *static_cast<std::size_t*>(user) += num;
    return 0;
  };
  const auto stop = [](const float*, size_t, void*) { return 1; };
  myxtts_error* error = nullptr;
  myxtts_speech* speech = myxtts_voice_stream(voice, "la", nullptr, count, &num_samples, &error);
  EXPECT_NE(speech, nullptr);
  EXPECT_GT(num_samples, 1000U);
  EXPECT_EQ(myxtts_speech_num_samples(speech), 0U);
  myxtts_speech_free(speech);

  EXPECT_EQ(myxtts_voice_stream(voice, "la", nullptr, stop, nullptr, &error), nullptr);
  EXPECT_EQ(code_of(error), MYXTTS_STOPPED);
  myxtts_voice_free(voice);
}

TEST_F(CApi, FailuresAreCodesWithAMessage) {
  myxtts_error* error = nullptr;
  EXPECT_EQ(myxtts_voice_open(hums_.path("nothing").c_str(), nullptr, &error), nullptr);
  EXPECT_EQ(code_of(error), MYXTTS_USAGE);
  EXPECT_EQ(myxtts_voice_open(nullptr, nullptr, nullptr), nullptr);
  EXPECT_EQ(myxtts_voice_speak(nullptr, "la", nullptr, nullptr), nullptr);
  error = nullptr;
  EXPECT_EQ(myxtts_train(nullptr, nullptr, nullptr, &error), MYXTTS_USAGE);
  EXPECT_EQ(code_of(error), MYXTTS_USAGE);
  myxtts_training_options options{};
  EXPECT_EQ(myxtts_train(&options, nullptr, nullptr, nullptr), MYXTTS_USAGE);
}

TEST_F(CApi, NullIsAnEmptyObject) {
  myxtts_voice_free(nullptr);
  myxtts_speech_free(nullptr);
  myxtts_error_free(nullptr);
  myxtts_corpus_report_free(nullptr);

  EXPECT_EQ(myxtts_error_code(nullptr), MYXTTS_OK);
  EXPECT_STREQ(myxtts_error_message(nullptr), "");
  EXPECT_EQ(myxtts_speech_num_words(nullptr), 0U);
  EXPECT_EQ(myxtts_voice_num_speakers(nullptr), 0U);
  EXPECT_EQ(myxtts_corpus_report_problem(nullptr, 0), nullptr);
}

TEST_F(CApi, ChecksACorpus) {
  myxtts_corpus_report* report = myxtts_corpus_check(hums_.corpus().c_str(), nullptr, 1, nullptr);
  ASSERT_NE(report, nullptr);
  EXPECT_EQ(myxtts_corpus_report_utterances(report), 24U);
  EXPECT_EQ(myxtts_corpus_report_usable(report) + myxtts_corpus_report_num_problems(report), 24U);
  myxtts_corpus_report_free(report);
}

}  // namespace
}  // namespace myxtts
