// The C interface: each function calls the C++ interface and turns exceptions into myxtts_error.

#include <cmath>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <myxtts/corpus.h>
#include <myxtts/myxtts.h>
#include <myxtts/train.h>
#include <myxtts/voice.h>

#include "base/error.h"
#include "base/version.h"

struct myxtts_error {
  int code;
  std::string message;
};

struct myxtts_voice {
  myxtts::Voice voice;
};

struct myxtts_speech {
  myxtts::Speech speech;
};

struct myxtts_corpus_report {
  myxtts::CorpusReport report;
  std::vector<std::string> problems;
};

namespace {

int set_error(myxtts_error** error, int code, const char* message) noexcept {
  if (error != nullptr) {
    try {
      *error = new myxtts_error{code, std::string(myxtts::first_line(message))};
    } catch (...) {
      *error = nullptr;  // out of memory: the code alone tells
    }
  }
  return code;
}

// Runs `work` and returns its code. Exceptions become an error and its code.
template <typename Work>
int guarded(myxtts_error** error, const Work& work) noexcept {
  try {
    return work();
  } catch (const myxtts::UsageError& failure) {
    return set_error(error, MYXTTS_USAGE, failure.what());
  } catch (const myxtts::BugError& failure) {
    return set_error(error, MYXTTS_BUG, failure.what());
  } catch (const std::bad_alloc&) {
    return set_error(error, MYXTTS_FAILED, "out of memory");
  } catch (const std::exception& failure) {
    return set_error(error, MYXTTS_FAILED, failure.what());
  } catch (...) {
    return set_error(error, MYXTTS_BUG, "unknown exception");
  }
}

// Like guarded(), for functions that return an object; null after an exception.
template <typename Make>
auto made(myxtts_error** error, const Make& make) noexcept {
  decltype(make().release()) object = nullptr;
  guarded(error, [&] {
    object = make().release();
    return MYXTTS_OK;
  });
  return object;
}

void require_pointer(const void* pointer, const char* name) {
  myxtts::require_usage(pointer != nullptr, "{} is NULL", name);
}

myxtts::SpeakOptions options_of(const myxtts_speak_options* given) {
  myxtts::SpeakOptions options;
  if (given == nullptr) return options;
  myxtts::require_usage(given->struct_size >= sizeof(myxtts_speak_options),
                        "struct_size is {}, expected at least {}; start from "
                        "myxtts_speak_options_default()",
                        given->struct_size,
                        sizeof(myxtts_speak_options));
  options.speed = given->speed;
  options.seed = given->seed;
  options.loudness_lufs.reset();
  if (!std::isnan(given->loudness_lufs)) options.loudness_lufs = given->loudness_lufs;
  return options;
}

myxtts::TrainingOptions options_of(const myxtts_training_options* given) {
  require_pointer(given, "options");
  myxtts::require_usage(given->struct_size >= sizeof(myxtts_training_options),
                        "struct_size is {}, expected at least {}",
                        given->struct_size,
                        sizeof(myxtts_training_options));
  require_pointer(given->corpus, "corpus");
  require_pointer(given->run_folder, "run_folder");
  myxtts::TrainingOptions options{.corpus = given->corpus, .run_folder = given->run_folder};
  if (given->is_vocoder != 0) options.model = myxtts::Model::kVocoder;
  if (given->max_steps > 0) options.max_steps = given->max_steps;
  if (given->max_minutes > 0) options.max_minutes = given->max_minutes;
  for (const char* const* one = given->settings; one != nullptr && *one != nullptr; ++one) {
    const char* equals = std::strchr(*one, '=');
    myxtts::require_usage(equals != nullptr, "setting '{}': expected key=value", *one);
    options.settings.emplace_back(std::string(*one, equals), equals + 1);
  }
  return options;
}

}  // namespace

extern "C" {

int myxtts_error_code(const myxtts_error* error) {
  return error == nullptr ? MYXTTS_OK : error->code;
}

const char* myxtts_error_message(const myxtts_error* error) {
  return error == nullptr ? "" : error->message.c_str();
}

void myxtts_error_free(myxtts_error* error) {
  delete error;
}

const char* myxtts_version(void) {
  static const std::string version = myxtts::base::version();
  return version.c_str();
}

myxtts_voice* myxtts_voice_open(const char* folder, const char* vocoder, myxtts_error** error) {
  return made(error, [&] {
    require_pointer(folder, "folder");
    return std::make_unique<myxtts_voice>(
        myxtts::Voice::open(folder, {.vocoder = vocoder == nullptr ? "" : vocoder}));
  });
}

void myxtts_voice_free(myxtts_voice* voice) {
  delete voice;
}

int myxtts_voice_sample_rate(const myxtts_voice* voice) {
  return voice == nullptr ? 0 : voice->voice.sample_rate();
}

size_t myxtts_voice_num_speakers(const myxtts_voice* voice) {
  return voice == nullptr ? 0 : voice->voice.speakers().size();
}

const char* myxtts_voice_speaker(const myxtts_voice* voice, size_t index) {
  return index < myxtts_voice_num_speakers(voice) ? voice->voice.speakers()[index].c_str()
                                                  : nullptr;
}

int myxtts_voice_set_speaker(myxtts_voice* voice, const char* name, myxtts_error** error) {
  return guarded(error, [&] {
    require_pointer(voice, "voice");
    require_pointer(name, "name");
    voice->voice.set_speaker(name);
    return MYXTTS_OK;
  });
}

int myxtts_voice_set_reference_file(myxtts_voice* voice, const char* file, myxtts_error** error) {
  return guarded(error, [&] {
    require_pointer(voice, "voice");
    require_pointer(file, "file");
    voice->voice.set_reference(std::string(file));
    return MYXTTS_OK;
  });
}

int myxtts_voice_set_reference(myxtts_voice* voice,
                               const float* samples,
                               size_t num_samples,
                               int sample_rate,
                               myxtts_error** error) {
  return guarded(error, [&] {
    require_pointer(voice, "voice");
    require_pointer(samples, "samples");
    voice->voice.set_reference(std::span<const float>(samples, num_samples), sample_rate);
    return MYXTTS_OK;
  });
}

myxtts_speak_options myxtts_speak_options_default(void) {
  return {
      .struct_size = sizeof(myxtts_speak_options), .speed = 1.0, .seed = 1, .loudness_lufs = -23.0};
}

myxtts_speech* myxtts_voice_speak(myxtts_voice* voice,
                                  const char* text,
                                  const myxtts_speak_options* options,
                                  myxtts_error** error) {
  return made(error, [&] {
    require_pointer(voice, "voice");
    require_pointer(text, "text");
    return std::make_unique<myxtts_speech>(voice->voice.speak(text, options_of(options)));
  });
}

myxtts_speech* myxtts_voice_stream(myxtts_voice* voice,
                                   const char* text,
                                   const myxtts_speak_options* options,
                                   myxtts_on_samples on_samples,
                                   void* user,
                                   myxtts_error** error) {
  bool is_stopped = false;
  auto speech = made(error, [&] {
    require_pointer(voice, "voice");
    require_pointer(text, "text");
    require_pointer(reinterpret_cast<const void*>(on_samples), "on_samples");
    const auto pass_on = [&](std::span<const float> samples) {
      is_stopped = on_samples(samples.data(), samples.size(), user) != 0;
      return !is_stopped;
    };
    return std::make_unique<myxtts_speech>(voice->voice.stream(text, options_of(options), pass_on));
  });
  if (!is_stopped) return speech;
  myxtts_speech_free(speech);
  set_error(error, MYXTTS_STOPPED, "stopped by the callback");
  return nullptr;
}

const float* myxtts_speech_samples(const myxtts_speech* speech) {
  return speech == nullptr ? nullptr : speech->speech.samples.data();
}

size_t myxtts_speech_num_samples(const myxtts_speech* speech) {
  return speech == nullptr ? 0 : speech->speech.samples.size();
}

size_t myxtts_speech_num_words(const myxtts_speech* speech) {
  return speech == nullptr ? 0 : speech->speech.words.size();
}

const char* myxtts_speech_word(const myxtts_speech* speech, size_t index) {
  return index < myxtts_speech_num_words(speech) ? speech->speech.words[index].text.c_str()
                                                 : nullptr;
}

double myxtts_speech_word_start(const myxtts_speech* speech, size_t index) {
  return index < myxtts_speech_num_words(speech) ? speech->speech.words[index].start_s : 0.0;
}

double myxtts_speech_word_end(const myxtts_speech* speech, size_t index) {
  return index < myxtts_speech_num_words(speech) ? speech->speech.words[index].end_s : 0.0;
}

size_t myxtts_speech_num_warnings(const myxtts_speech* speech) {
  return speech == nullptr ? 0 : speech->speech.warnings.size();
}

const char* myxtts_speech_warning(const myxtts_speech* speech, size_t index) {
  return index < myxtts_speech_num_warnings(speech) ? speech->speech.warnings[index].c_str()
                                                    : nullptr;
}

void myxtts_speech_free(myxtts_speech* speech) {
  delete speech;
}

myxtts_corpus_report* myxtts_corpus_check(const char* folder,
                                          const char* language,
                                          int num_workers,
                                          myxtts_error** error) {
  return made(error, [&] {
    require_pointer(folder, "folder");
    const myxtts::Corpus corpus =
        myxtts::Corpus::open(folder, language == nullptr ? "en" : language);
    auto report = std::make_unique<myxtts_corpus_report>();
    report->report = corpus.check(num_workers);
    for (const myxtts::CorpusProblem& one : report->report.problems)
      report->problems.push_back(fmt::format("{}: {}: {}", one.id, one.reason, one.detail));
    return report;
  });
}

size_t myxtts_corpus_report_utterances(const myxtts_corpus_report* report) {
  return report == nullptr ? 0 : report->report.utterances;
}

size_t myxtts_corpus_report_usable(const myxtts_corpus_report* report) {
  return report == nullptr ? 0 : report->report.usable;
}

double myxtts_corpus_report_hours(const myxtts_corpus_report* report) {
  return report == nullptr ? 0.0 : report->report.hours;
}

size_t myxtts_corpus_report_num_problems(const myxtts_corpus_report* report) {
  return report == nullptr ? 0 : report->problems.size();
}

const char* myxtts_corpus_report_problem(const myxtts_corpus_report* report, size_t index) {
  return index < myxtts_corpus_report_num_problems(report) ? report->problems[index].c_str()
                                                           : nullptr;
}

void myxtts_corpus_report_free(myxtts_corpus_report* report) {
  delete report;
}

int myxtts_train(const myxtts_training_options* options,
                 myxtts_on_progress on_progress,
                 void* user,
                 myxtts_error** error) {
  return guarded(error, [&] {
    myxtts::Training training(options_of(options));
    const myxtts::TrainingResult result =
        training.run([&](const myxtts::TrainingProgress& progress) {
          if (on_progress != nullptr &&
              on_progress(progress.step, progress.total_steps, progress.loss, user) != 0)
            training.stop();
        });
    return result.is_stopped ? MYXTTS_STOPPED : MYXTTS_OK;
  });
}

}  // extern "C"
