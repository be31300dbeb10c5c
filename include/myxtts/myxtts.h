/* The C interface of myxtts: text-to-speech with a trained voice, corpus checks and training.
 *
 *   myxtts_error* error = NULL;
 *   myxtts_voice* voice = myxtts_voice_open("runs/voice", NULL, &error);
 *   if (voice == NULL) { puts(myxtts_error_message(error)); myxtts_error_free(error); return 1; }
 *   myxtts_speech* speech = myxtts_voice_speak(voice, "Good morning.", NULL, &error);
 *
 * Functions that can fail take a `myxtts_error**`, which may be NULL. On failure they return NULL
 * or a code other than MYXTTS_OK, and set *error, which the caller frees. On success they leave it.
 *
 * No function throws, prints or ends the process. Strings are UTF-8 and end with NUL. A returned
 * pointer belongs to the object it came from and is valid until that object is freed or changed.
 * Every object is freed by its own function, which accepts NULL. One thread at a time may use an
 * object; different objects may be used by different threads. Link with libmyxtts.so.
 */
#ifndef MYXTTS_MYXTTS_H_
#define MYXTTS_MYXTTS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of failure (myxtts/error.h). */
enum {
  MYXTTS_OK = 0,
  MYXTTS_FAILED = 1, /* a file, a device or the machine failed */
  MYXTTS_USAGE = 2,  /* a wrong argument */
  MYXTTS_STOPPED = 3,
  MYXTTS_BUG = 70
};

typedef struct myxtts_error myxtts_error;
int myxtts_error_code(const myxtts_error* error);
const char* myxtts_error_message(const myxtts_error* error); /* one line */
void myxtts_error_free(myxtts_error* error);

const char* myxtts_version(void);

/* --- Voices ------------------------------------------------------------------------------------
 */

typedef struct myxtts_voice myxtts_voice;

/* Opens a run folder, a checkpoint or an exported voice. `vocoder` is NULL for the vocoder of the
 * voice, a folder, or "griffin-lim". */
myxtts_voice* myxtts_voice_open(const char* folder, const char* vocoder, myxtts_error** error);
void myxtts_voice_free(myxtts_voice* voice);

int myxtts_voice_sample_rate(const myxtts_voice* voice);
size_t myxtts_voice_num_speakers(const myxtts_voice* voice);
const char* myxtts_voice_speaker(const myxtts_voice* voice, size_t index); /* NULL past the end */

/* Selects who speaks: a speaker of the training, or the voice of a recording. */
int myxtts_voice_set_speaker(myxtts_voice* voice, const char* name, myxtts_error** error);
int myxtts_voice_set_reference_file(myxtts_voice* voice, const char* file, myxtts_error** error);
int myxtts_voice_set_reference(myxtts_voice* voice,
                               const float* samples,
                               size_t num_samples,
                               int sample_rate,
                               myxtts_error** error);

typedef struct myxtts_speak_options {
  size_t struct_size; /* sizeof(myxtts_speak_options), so that later versions can add fields */
  double speed;       /* 0.5 to 2 */
  uint64_t seed;
  double loudness_lufs; /* -60 to -5; NaN: not normalised */
} myxtts_speak_options;

/* Returns the defaults: speed 1, seed 1, -23 LUFS. */
myxtts_speak_options myxtts_speak_options_default(void);

typedef struct myxtts_speech myxtts_speech;

/* Speaks a text of at most 4,096 characters. `options` may be NULL. */
myxtts_speech* myxtts_voice_speak(myxtts_voice* voice,
                                  const char* text,
                                  const myxtts_speak_options* options,
                                  myxtts_error** error);

/* Receives a block of samples; returns 0 to continue, anything else to stop. */
typedef int (*myxtts_on_samples)(const float* samples, size_t num_samples, void* user);

/* Speaks a text block by block, on the calling thread. The result has words and no samples. A
 * callback that stops gives MYXTTS_STOPPED. */
myxtts_speech* myxtts_voice_stream(myxtts_voice* voice,
                                   const char* text,
                                   const myxtts_speak_options* options,
                                   myxtts_on_samples on_samples,
                                   void* user,
                                   myxtts_error** error);

const float* myxtts_speech_samples(const myxtts_speech* speech); /* mono, -1 to 1 */
size_t myxtts_speech_num_samples(const myxtts_speech* speech);
size_t myxtts_speech_num_words(const myxtts_speech* speech);
const char* myxtts_speech_word(const myxtts_speech* speech, size_t index);  /* NULL past the end */
double myxtts_speech_word_start(const myxtts_speech* speech, size_t index); /* seconds */
double myxtts_speech_word_end(const myxtts_speech* speech, size_t index);
size_t myxtts_speech_num_warnings(const myxtts_speech* speech);
const char* myxtts_speech_warning(const myxtts_speech* speech, size_t index);
void myxtts_speech_free(myxtts_speech* speech);

/* --- Corpora -----------------------------------------------------------------------------------
 */

typedef struct myxtts_corpus_report myxtts_corpus_report;

/* Reads every recording and text of a corpus folder. `language` is NULL or "en", or "fa". */
myxtts_corpus_report* myxtts_corpus_check(const char* folder,
                                          const char* language,
                                          int num_workers,
                                          myxtts_error** error);
size_t myxtts_corpus_report_utterances(const myxtts_corpus_report* report);
size_t myxtts_corpus_report_usable(const myxtts_corpus_report* report);
double myxtts_corpus_report_hours(const myxtts_corpus_report* report);
size_t myxtts_corpus_report_num_problems(const myxtts_corpus_report* report);
/* Returns "u005: not_audio: ...", NULL past the end. */
const char* myxtts_corpus_report_problem(const myxtts_corpus_report* report, size_t index);
void myxtts_corpus_report_free(myxtts_corpus_report* report);

/* --- Training ----------------------------------------------------------------------------------
 */

typedef struct myxtts_training_options {
  size_t struct_size;     /* sizeof(myxtts_training_options) */
  const char* corpus;     /* folder */
  const char* run_folder; /* checkpoints, log and metrics; a run with checkpoints is resumed */
  int is_vocoder;         /* 0: acoustic model */
  int64_t max_steps;      /* 0: no limit */
  double max_minutes;     /* 0: no limit */
  /* NULL, or "key=value" strings that end with NULL: keys of docs/reference/config.md. */
  const char* const* settings;
} myxtts_training_options;

/* Called after each step on the thread that trains; returns 0 to continue, anything else to stop
 * after this step, with a checkpoint. `total_steps` is 0 while it is unknown. */
typedef int (*myxtts_on_progress)(int64_t step, int64_t total_steps, double loss, void* user);

/* Trains until a limit is reached. Returns MYXTTS_OK, MYXTTS_STOPPED or the code of the error. */
int myxtts_train(const myxtts_training_options* options,
                 myxtts_on_progress on_progress,
                 void* user,
                 myxtts_error** error);

#ifdef __cplusplus
}
#endif

#endif /* MYXTTS_MYXTTS_H_ */
